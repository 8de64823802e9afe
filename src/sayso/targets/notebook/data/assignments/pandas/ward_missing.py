# %% [markdown]
# # Night readings, March
# The nurses type the temperatures in by hand, so there are holes.
# %%
import numpy as np
import pandas as pd
# %%
readings = pd.DataFrame({
    "ward": ["A", "A", "B", "C", "B", "A", "C", "B"],
    "temp": [36.6, np.nan, 37.1, 36.9, np.nan, 38.2, 36.4, np.nan],
})
readings
# %% [markdown]
# The overall picture first.
# %%
total = len(readings)
mean_temp = readings["temp"].mean()
total, round(mean_temp, 2)
# %% [markdown] task
# How many temperatures are missing in each ward? Put the answer into a Series `missing`, indexed by ward (wards without any gap should be there with 0).
# %% solution
missing = readings["temp"].isna().groupby(readings["ward"]).sum()
# %% tests
assert {k: int(v) for k, v in missing.items()} == {"A": 1, "B": 2, "C": 0}
# %% wrong: counts the readings that are there
missing = readings.groupby("ward")["temp"].count()
# %% wrong: wards without a gap are left out
missing = readings[readings["temp"].isna()].groupby("ward").size()
