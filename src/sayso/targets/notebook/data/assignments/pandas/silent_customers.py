# %% [markdown]
# # Spring mailing
# Two exports from the shop: who is on our list, and what was ordered since January.
# %%
import pandas as pd

customers = pd.DataFrame({"id": [11, 12, 13, 14, 15], "name": ["Oda", "Piet", "Quinn", "Rosa", "Sami"]})
# %%
orders = pd.DataFrame({"order": [1, 2, 3, 4], "customer_id": [13, 11, 13, 15], "eur": [20.0, 35.5, 12.0, 60.0]})
# %% [markdown]
# Order numbers are *not* customer numbers, that has bitten us before.
# %%
orders.groupby("customer_id")["eur"].sum()
# %% [markdown] task
# Which customers haven't ordered anything? I need their names as a list called `silent`.
# %% solution
silent = customers.loc[~customers["id"].isin(orders["customer_id"]), "name"].tolist()
# %% tests
assert sorted(silent) == ["Piet", "Rosa"]
# %% wrong: those who did order
silent = customers[customers["id"].isin(orders["customer_id"])]["name"].tolist()
# %% wrong: compares with the order number
silent = customers.loc[~customers["id"].isin(orders["order"]), "name"].tolist()
