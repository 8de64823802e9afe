# %% [markdown]
# # Who came to the swimming course?
# Ages as given at registration.
# %%
import pandas as pd

people = pd.DataFrame({"age": [5, 6, 11, 12, 17, 18, 40, 64, 65, 71]})
# %% [markdown]
# Prices: child (under 12), youth (12 to 17), adult (18 to 64), senior (65 and over).
# %%
names = ["child", "youth", "adult", "senior"]
prices = dict(zip(names, [3.0, 4.5, 7.0, 5.0]))
# %% [markdown] task
# Give `people` a column `group` with the price group, and a column `price` with what that person pays.
# %% solution
edges = [0, 12, 18, 65, 200]
people["group"] = pd.cut(people["age"], bins=edges, right=False, labels=names).astype(str)
people["price"] = people["group"].map(prices)
# %% tests
assert [str(g) for g in people["group"]] == ["child"] * 3 + ["youth"] * 2 + ["adult"] * 3 + ["senior"] * 2
assert [float(p) for p in people["price"]] == [3.0] * 3 + [4.5] * 2 + [7.0] * 3 + [5.0] * 2
# %% wrong: upper ends belong to the lower group
people["group"] = pd.cut(people["age"], bins=[0, 12, 18, 65, 200], labels=names).astype(str)
people["price"] = people["group"].map(prices)
# %% wrong: youth ends at 18 inclusive
def group(age):
    return "child" if age < 12 else "youth" if age <= 18 else "adult" if age < 65 else "senior"
people["group"] = people["age"].apply(group)
people["price"] = people["group"].map(prices)
