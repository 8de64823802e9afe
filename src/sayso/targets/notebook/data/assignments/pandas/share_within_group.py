# %% [markdown]
# # Energy by household
# %%
import pandas as pd

use = pd.DataFrame(
    {"house": ["h1", "h1", "h2", "h2", "h2"], "device": ["oven", "fridge", "oven", "tv", "fridge"], "kwh": [30, 10, 20, 5, 25]}
)
# %% [markdown]
# The same question comes up for several tables, e.g. water:
# %%
water = pd.DataFrame({"flat": [1, 2, 2], "tap": ["kitchen", "kitchen", "bath"], "litres": [50.0, 30.0, 90.0]})
# %% [markdown] task
# Write a function `with_share(df, by, value)` that returns a copy of the frame with one more column `share`: the row's part of the total of `value` within its `by` group (between 0 and 1). The frame passed in must not change.
# %% solution
def with_share(df, by, value):
    totals = df.groupby(by)[value].transform("sum")
    return df.assign(share=df[value] / totals)
# %% tests
result = with_share(use, "house", "kwh")
assert [round(float(s), 6) for s in result["share"]] == [0.75, 0.25, 0.4, 0.1, 0.5]
assert list(result["device"]) == list(use["device"])
assert "share" not in use.columns
again = with_share(water, "flat", "litres")
assert [round(float(s), 6) for s in again["share"]] == [1.0, 0.25, 0.75]
assert "share" not in water.columns
# %% wrong: changes the frame it was given
def with_share(df, by, value):
    df["share"] = df[value] / df.groupby(by)[value].transform("sum")
    return df
# %% wrong: share of the grand total
def with_share(df, by, value):
    out = df.copy()
    out["share"] = out[value] / out[value].sum()
    return out
