# %% [markdown]
# # Lift maintenance
# The rule: no more than 90 days between two services.
# %%
import pandas as pd

service = pd.DataFrame(
    {
        "lift": ["N", "S", "N", "S", "N", "S"],
        "day": pd.to_datetime(["2024-01-10", "2024-01-15", "2024-04-09", "2024-03-01", "2024-07-09", "2024-06-20"]),
    }
)
# %% [markdown]
# Latest service of each lift:
# %%
service.groupby("lift")["day"].max()
# %% [markdown] task
# Find the breaches of the rule. `late` should be a DataFrame with the rows of `service` that came more than 90 days after the previous service of the same lift, with a column `gap` (number of days).
# %% solution
ordered = service.sort_values("day")
gap = ordered.groupby("lift")["day"].diff().dt.days
late = ordered.assign(gap=gap)
late = late[late["gap"] > 90]
# %% tests
rows = sorted((r["lift"], str(pd.Timestamp(r["day"]).date()), r["gap"]) for r in late.to_dict("records"))
days = [(a, b, int(pd.Timedelta(g).days) if isinstance(g, pd.Timedelta) else int(g)) for a, b, g in rows]
assert days == [("N", "2024-07-09", 91), ("S", "2024-06-20", 111)]
# %% wrong: exactly 90 days is taken for a breach
ordered = service.sort_values("day")
late = ordered.assign(gap=ordered.groupby("lift")["day"].diff().dt.days)
late = late[late["gap"] >= 90]
# %% wrong: mixes the two lifts
ordered = service.sort_values("day")
late = ordered.assign(gap=ordered["day"].diff().dt.days)
late = late[late["gap"] > 90]
