# %% [markdown]
# # Running log
# %%
import pandas as pd

runs = pd.DataFrame(
    {
        "date": pd.to_datetime(["2023-12-30", "2024-01-01", "2024-01-07", "2024-01-08", "2024-01-20"]),
        "km": [8.0, 5.0, 12.5, 6.0, 10.0],
    }
)
# %%
runs["km"].sum()
# %% [markdown]
# My weeks run from Monday to Sunday.
# %% [markdown] task
# Kilometres per week: a Series `weekly` whose index is the Monday (a date or timestamp) each week begins with. Weeks without a run in between may be 0 or missing.
# %% solution
monday = runs["date"] - pd.to_timedelta(runs["date"].dt.day_of_week, unit="D")
weekly = runs.groupby(monday)["km"].sum()
# %% tests
got = {str(pd.Timestamp(k).date()): float(v) for k, v in weekly.items() if v == v and v != 0}
assert got == {"2023-12-25": 8.0, "2024-01-01": 17.5, "2024-01-08": 6.0, "2024-01-15": 10.0}
# %% wrong: weeks begin on Sunday
sunday = runs["date"] - pd.to_timedelta((runs["date"].dt.day_of_week + 1) % 7, unit="D")
weekly = runs.groupby(sunday)["km"].sum()
# %% wrong: labelled with the Sunday at the end
end = runs["date"] + pd.to_timedelta(6 - runs["date"].dt.day_of_week, unit="D")
weekly = runs.groupby(end)["km"].sum()
