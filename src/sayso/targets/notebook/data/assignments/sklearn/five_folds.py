# %% [markdown]
# # Does the ridge help?
# Small, noisy data on apple sweetness.
# %%
import numpy as np

rng = np.random.default_rng(11)
X = rng.normal(size=(40, 6))
y = X @ np.array([1.5, 0, 0, -2.0, 0, 0.5]) + rng.normal(scale=0.5, size=40)
# %%
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, cross_val_score

folds = KFold(n_splits=5, shuffle=True, random_state=3)
model = Ridge(alpha=1.0)
# %% [markdown] task
# What's the mean absolute error of `model` by cross-validation over these `folds`? Positive number, averaged over the folds, in `mae`.
# %% solution
scores = cross_val_score(model, X, y, cv=folds, scoring="neg_mean_absolute_error")
mae = -scores.mean()
# %% tests
per_fold = []
for tr, te in KFold(n_splits=5, shuffle=True, random_state=3).split(X):
    m = Ridge(alpha=1.0).fit(X[tr], y[tr])
    per_fold.append(np.abs(m.predict(X[te]) - y[te]).mean())
assert np.ndim(mae) == 0
assert abs(float(mae) - np.mean(per_fold)) < 1e-6
# %% wrong: the default score, R squared
mae = cross_val_score(model, X, y, cv=folds).mean()
# %% wrong: error on the data it was fitted to
mae = np.abs(model.fit(X, y).predict(X) - y).mean()
