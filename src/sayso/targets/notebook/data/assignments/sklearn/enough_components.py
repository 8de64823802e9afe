# %% [markdown]
# # How many components do the spectra need?
# 60 spectra, 12 channels, but only a few things really vary.
# %%
import numpy as np

rng = np.random.default_rng(21)
sources = rng.normal(size=(60, 3)) * [5.0, 3.0, 1.5]
spectra = sources @ rng.normal(size=(3, 12)) + 0.3 * rng.normal(size=(60, 12)) + 10
# %%
from sklearn.decomposition import PCA

pca = PCA().fit(spectra)
pca.explained_variance_ratio_.round(3)
# %% [markdown] task
# How many components are needed to explain at least 95 % of the variance? `n_needed` (int). Then project the spectra onto that many: `reduced`.
# %% solution
cumulative = np.cumsum(pca.explained_variance_ratio_)
n_needed = int(np.argmax(cumulative >= 0.95)) + 1
reduced = PCA(n_components=n_needed).fit_transform(spectra)
# %% tests
c = spectra - spectra.mean(axis=0)
s = np.linalg.svd(c, compute_uv=False) ** 2
ratio = np.cumsum(s) / s.sum()
want = int(np.sum(ratio < 0.95)) + 1
assert int(n_needed) == want
got = np.asarray(reduced)
assert got.shape == (60, want)
assert np.allclose(np.sort((got**2).sum(axis=0))[::-1], s[:want])
# %% wrong: one too few
cumulative = np.cumsum(pca.explained_variance_ratio_)
n_needed = int(np.argmax(cumulative >= 0.95))
reduced = PCA(n_components=n_needed).fit_transform(spectra)
# %% wrong: the channels with their own variance, no projection
cumulative = np.cumsum(pca.explained_variance_ratio_)
n_needed = int(np.argmax(cumulative >= 0.95)) + 1
reduced = spectra[:, :n_needed]
