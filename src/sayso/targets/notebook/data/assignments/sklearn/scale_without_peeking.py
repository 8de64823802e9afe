# %% [markdown]
# # Concrete strength: preparing the numbers
# %%
import numpy as np
from sklearn.preprocessing import StandardScaler

train = np.array([[300.0, 7.0], [350.0, 28.0], [280.0, 14.0], [410.0, 28.0]])
test = np.array([[330.0, 21.0], [500.0, 56.0]])
# %% [markdown]
# Columns: cement (kg/m³), age (days). The test rows stand for mixes that we have not seen yet, so nothing may be learnt from them.
# %%
train.mean(axis=0), train.std(axis=0)
# %% [markdown] task
# Standardise both parts -> `train_s` and `test_s`
# %% solution
scaler = StandardScaler().fit(train)
train_s = scaler.transform(train)
test_s = scaler.transform(test)
# %% tests
mean, std = np.array([335.0, 19.25]), np.array([[300.0, 7.0], [350.0, 28.0], [280.0, 14.0], [410.0, 28.0]]).std(axis=0)
ok = [np.allclose(np.asarray(train_s), (train - mean) / s) and np.allclose(np.asarray(test_s), (test - mean) / s) for s in (std, std * np.sqrt(4 / 3))]
assert any(ok)
# %% wrong: the test rows are scaled by themselves
train_s = StandardScaler().fit_transform(train)
test_s = StandardScaler().fit_transform(test)
# %% wrong: learns from all rows
scaler = StandardScaler().fit(np.vstack([train, test]))
train_s = scaler.transform(train)
test_s = scaler.transform(test)
