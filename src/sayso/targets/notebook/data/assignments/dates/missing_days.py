# %% [markdown]
# # Did I write my diary every day?
# %%
import pandas as pd

entries = pd.to_datetime(["2024-02-26", "2024-02-27", "2024-03-01", "2024-03-02", "2024-02-26", "2024-03-05"])
words = [120, 80, 300, 45, 60, 210]
# %%
diary = pd.DataFrame({"day": entries, "words": words})
diary["day"].nunique()
# %% [markdown]
# 2024 is a leap year, by the way.
# %% [markdown] task
# Which days between the first and the last entry have none? I want them in `gaps`, in order.
# %% solution
gaps = pd.date_range(diary["day"].min(), diary["day"].max(), freq="D").difference(diary["day"])
# %% tests
assert [str(pd.Timestamp(g).date()) for g in gaps] == ["2024-02-28", "2024-02-29", "2024-03-03", "2024-03-04"]
# %% wrong: the days with an entry
gaps = sorted(diary["day"].unique())
# %% wrong: only the days right after an entry
have = set(diary["day"])
gaps = sorted(d + pd.Timedelta(days=1) for d in have if d + pd.Timedelta(days=1) not in have)[:-1]
