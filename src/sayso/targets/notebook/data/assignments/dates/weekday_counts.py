# %% [markdown]
# # On which weekdays do parcels get lost?
# %%
import datetime as dt

lost = ["2023-05-01", "2023-05-06", "2023-05-08", "2023-05-13", "2023-05-20", "2023-05-24"]
days = [dt.date.fromisoformat(s) for s in lost]
# %%
print("from", min(days), "to", max(days))
# %% [markdown]
# 1 May 2023 was a Monday.
# %% [markdown] task
# Count the lost parcels per weekday: `per_weekday`, a mapping from the English name ("Monday", …) to the count. Weekdays without a loss may be left out.
# %% solution
from collections import Counter

names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
per_weekday = Counter(names[d.weekday()] for d in days)
# %% tests
assert {k: int(v) for k, v in dict(per_weekday).items() if v} == {"Monday": 2, "Saturday": 3, "Wednesday": 1}
# %% wrong: off by one, Monday is called Tuesday
from collections import Counter
names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
per_weekday = Counter(names[d.weekday()] for d in days)
# %% wrong: every weekday counts once
per_weekday = {d.strftime("%A"): 1 for d in days}
