# %% [markdown]
# # Cracked or sound? Inspecting insulators
# Few of them are cracked, which makes splitting delicate.
# %%
import numpy as np

rng = np.random.default_rng(4)
y = np.array([1] * 10 + [0] * 90)
X = rng.normal(size=(100, 3)) + y[:, None]
# %%
y.mean()
# %%
from sklearn.model_selection import train_test_split
# %% [markdown] task
# Hold out 30 % as a test set (`X_train`, `X_test`, `y_train`, `y_test`), with the same share of cracked ones in both parts. Use random_state=7.
# %% solution
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=7)
# %% tests
assert X_train.shape == (70, 3) and X_test.shape == (30, 3)
assert len(y_train) == 70 and len(y_test) == 30
assert int(np.sum(y_train)) == 7 and int(np.sum(y_test)) == 3
rows = {tuple(row): label for row, label in zip(X, y)}
assert all(rows[tuple(r)] == v for r, v in zip(np.vstack([X_train, X_test]), np.concatenate([y_train, y_test])))
# %% wrong: the test set gets 70 %
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=0.3, stratify=y, random_state=7)
# %% wrong: outputs assigned in the wrong order
X_train, y_train, X_test, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=7)
