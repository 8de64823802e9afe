# %% [markdown]
# # Rain gauges
# The spreadsheet has a column per month, which is nice for people and awkward for code.
# %%
import numpy as np
import pandas as pd

wide = pd.DataFrame(
    {"station": ["Ard", "Bex", "Cor"], "jan": [81.0, 40.5, np.nan], "feb": [np.nan, 38.0, 77.2], "mar": [60.1, 33.3, 70.0]}
)
# %%
wide.set_index("station").mean(axis=1)
# %% [markdown]
# For the plots further down the data must be *long*.
# %% [markdown] task
# Reshape to `long` with the columns station, month and mm: one row for every measurement that exists (drop the empty ones).
# Order the rows by station, and within a station by the order of the months.
# %% solution
long = wide.melt(id_vars="station", var_name="month", value_name="mm").dropna(subset=["mm"])
long["rank"] = long["month"].map({"jan": 0, "feb": 1, "mar": 2})
long = long.sort_values(["station", "rank"])
long = long.drop(columns="rank").reset_index(drop=True)
# %% tests
assert set(long.columns) == {"station", "month", "mm"}
assert [(str(a), str(b), float(c)) for a, b, c in long[["station", "month", "mm"]].values.tolist()] == [
    ("Ard", "jan", 81.0), ("Ard", "mar", 60.1),
    ("Bex", "jan", 40.5), ("Bex", "feb", 38.0), ("Bex", "mar", 33.3),
    ("Cor", "feb", 77.2), ("Cor", "mar", 70.0),
]
# %% wrong: months sorted by the alphabet
long = wide.melt(id_vars="station", var_name="month", value_name="mm").dropna()
long = long.sort_values(["station", "month"]).reset_index(drop=True)
# %% wrong: empty measurements are kept
long = wide.melt(id_vars="station", var_name="month", value_name="mm")
long["rank"] = long["month"].map({"jan": 0, "feb": 1, "mar": 2})
long = long.sort_values(["station", "rank"]).drop(columns="rank")
