# %% [markdown]
# # Till export of the café
# One row per line on a receipt.
# %%
import pandas as pd

sales = pd.DataFrame(
    [
        ("flat white", 2, 3.40), ("scone", 1, 2.80), ("tea", 3, 2.20),
        ("flat white", 1, 3.40), ("brownie", 4, 3.10), ("tea", 1, 2.20),
        ("soup", 2, 6.50), ("scone", 2, 2.80), ("brownie", 1, 3.10),
    ],
    columns=["item", "qty", "price"],
)
# %% [markdown]
# Revenue of each line:
# %%
sales["revenue"] = sales["qty"] * sales["price"]
sales.head()
# %% [markdown] task
# Now the three items that brought in the most money in total, best first, as a Series `best` (item -> total revenue).
# %% solution
best = sales.groupby("item")["revenue"].sum().nlargest(3)
# %% tests
assert list(best.index) == ["brownie", "soup", "flat white"]
assert [round(float(v), 2) for v in best] == [15.5, 13.0, 10.2]
# %% wrong: the smallest first
best = sales.groupby("item")["revenue"].sum().sort_values().head(3)
# %% wrong: single receipt lines, not totals per item
best = sales.set_index("item")["revenue"].nlargest(3)
