# %% [markdown]
# # Membership list of the choir
# Dates are written the way we write them here: day, month, year.
# %%
import pandas as pd

choir = pd.DataFrame({"name": ["Alva", "Bo", "Cleo", "Dev"], "joined": ["03.04.2019", "28.11.2020", "unknown", "12.01.2018"]})
# %%
choir["joined"].str.len()
# %% [markdown]
# Dev was the first, I believe.
# %% [markdown] task
# Turn the column `joined` into real dates in place (what can't be read becomes missing), and put the name of the longest-standing member into `first`.
# %% solution
choir["joined"] = pd.to_datetime(choir["joined"], format="%d.%m.%Y", errors="coerce")
first = choir.loc[choir["joined"].idxmin(), "name"]
# %% tests
got = [None if pd.isna(v) else (pd.Timestamp(v).year, pd.Timestamp(v).month, pd.Timestamp(v).day) for v in choir["joined"]]
assert got == [(2019, 4, 3), (2020, 11, 28), None, (2018, 1, 12)]
assert first == "Dev"
# %% wrong: month and day are exchanged
choir["joined"] = pd.to_datetime(choir["joined"], format="%m.%d.%Y", errors="coerce")
first = choir.loc[choir["joined"].idxmin(), "name"]
# %% wrong: the newest member
choir["joined"] = pd.to_datetime(choir["joined"], format="%d.%m.%Y", errors="coerce")
first = choir.loc[choir["joined"].idxmax(), "name"]
