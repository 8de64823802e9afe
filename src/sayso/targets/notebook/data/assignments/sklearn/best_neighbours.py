# %% [markdown]
# # Grapes by colour and sugar
# Two varieties that overlap a good deal.
# %%
import numpy as np

rng = np.random.default_rng(5)
X = np.vstack([rng.normal([0, 0], 1.0, size=(40, 2)), rng.normal([1.2, 1.0], 1.0, size=(40, 2))])
y = np.repeat([0, 1], 40)
# %%
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

cv = StratifiedKFold(n_splits=4, shuffle=True, random_state=0)
candidates = [1, 3, 5, 9, 15]
# %%
cross_val_score(KNeighborsClassifier(1), X, y, cv=cv).mean()
# %% [markdown] task
# Try every number of neighbours in `candidates`, collect the mean accuracies over `cv` in a dict `accuracy` (k -> accuracy) and call the best k `best_k` (the smallest if there's a tie).
# %% solution
accuracy = {}
for k in candidates:
    accuracy[k] = cross_val_score(KNeighborsClassifier(k), X, y, cv=cv).mean()
top = max(accuracy.values())
best_k = min(k for k in candidates if accuracy[k] == top)
# %% tests
ref = {}
for k in [1, 3, 5, 9, 15]:
    hits = [(KNeighborsClassifier(n_neighbors=k).fit(X[a], y[a]).predict(X[b]) == y[b]).mean() for a, b in StratifiedKFold(4, shuffle=True, random_state=0).split(X, y)]
    ref[k] = float(np.mean(hits))
assert {int(k) for k in accuracy} == set(ref)
assert all(abs(float(accuracy[k]) - ref[k]) < 1e-9 for k in ref)
assert int(best_k) == min(k for k in ref if ref[k] >= max(ref.values()) - 1e-9)
# %% wrong: scored on the data it was fitted to
accuracy = {k: KNeighborsClassifier(k).fit(X, y).score(X, y) for k in candidates}
best_k = max(accuracy, key=accuracy.get)
# %% wrong: the k with the lowest accuracy
accuracy = {k: cross_val_score(KNeighborsClassifier(k), X, y, cv=cv).mean() for k in candidates}
best_k = min(accuracy, key=accuracy.get)
