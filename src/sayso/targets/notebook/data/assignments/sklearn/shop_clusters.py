# %% [markdown]
# # Three kinds of customers?
# Visits per month and mean basket (€).
# %%
import numpy as np
import pandas as pd

shop = pd.DataFrame({"visits": [1, 12, 2, 11, 5, 1, 13, 6, 5], "basket": [80, 12, 85, 10, 40, 78, 11, 42, 38]})
# %%
shop.corr().iloc[0, 1]
# %%
from sklearn.cluster import KMeans
# %% [markdown] task
# Cluster the customers into three groups with k-means (fixed seed) and write the group number into a column `group`. Then `sizes`: the group sizes as a sorted list.
# %% solution
shop["group"] = KMeans(n_clusters=3, n_init=10, random_state=0).fit_predict(shop[["visits", "basket"]])
sizes = sorted(shop["group"].value_counts().tolist())
# %% tests
groups = {}
for i, g in enumerate(shop["group"]):
    groups.setdefault(int(g), set()).add(i)
assert {frozenset(g) for g in groups.values()} == {frozenset({0, 2, 5}), frozenset({1, 3, 6}), frozenset({4, 7, 8})}
assert sorted(int(s) for s in sizes) == [3, 3, 3]
# %% wrong: two groups
shop["group"] = KMeans(n_clusters=2, n_init=10, random_state=0).fit_predict(shop[["visits", "basket"]])
sizes = sorted(shop["group"].value_counts().tolist())
# %% wrong: the default number of groups
shop["group"] = KMeans(n_init=10, random_state=0).fit_predict(shop[["visits", "basket"]])
sizes = sorted(shop["group"].value_counts().tolist())
