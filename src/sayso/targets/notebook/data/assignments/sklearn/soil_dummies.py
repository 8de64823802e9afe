# %% [markdown]
# # Soil type as a feature
# %%
import numpy as np
import pandas as pd

plots = pd.DataFrame({"soil": ["clay", "sand", "loam", "clay", "sand"], "yield_t": [5.1, 3.2, 6.0, 5.4, 3.0]})
new = pd.DataFrame({"soil": ["loam", "peat"]})
# %%
plots.groupby("soil")["yield_t"].mean()
# %% [markdown]
# `peat` never occurred so far. It must not crash the code.
# %%
from sklearn.preprocessing import OneHotEncoder
# %% [markdown] task
# One-hot encode the soil: learn the categories from `plots` (in alphabetical order), with an all-zero row for soils that were never seen. Dense arrays `A` (for plots) and `B` (for new).
# %% solution
encoder = OneHotEncoder(handle_unknown="ignore")
A = encoder.fit_transform(plots[["soil"]]).toarray()
B = encoder.transform(new[["soil"]]).toarray()
# %% tests
assert np.array_equal(np.asarray(A).astype(int), [[1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
assert np.array_equal(np.asarray(B).astype(int), [[0, 1, 0], [0, 0, 0]])
# %% wrong: learns new categories from the new plots
A = OneHotEncoder().fit_transform(plots[["soil"]]).toarray()
B = OneHotEncoder().fit_transform(new[["soil"]]).toarray()
# %% wrong: the first category is dropped
encoder = OneHotEncoder(drop="first", handle_unknown="ignore")
A = encoder.fit_transform(plots[["soil"]]).toarray()
B = encoder.transform(new[["soil"]]).toarray()
