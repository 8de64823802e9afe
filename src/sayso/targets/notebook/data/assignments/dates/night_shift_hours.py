# %% [markdown]
# # Time sheet of the bakery
# %%
shifts = [("Ana", "22:00", "05:30"), ("Ben", "04:15", "12:15"), ("Ana", "23:45", "06:00"), ("Ben", "18:00", "00:00")]
# %% [markdown]
# If the end isn't later than the beginning, the shift went past midnight.
# %%
rate = 16.5
# %%
names = sorted({s[0] for s in shifts})
names
# %% [markdown] task
# Add up the hours worked per person, as a dict `hours` (floats).
# %% solution
def minutes(clock):
    h, m = clock.split(":")
    return int(h) * 60 + int(m)

hours = {name: 0.0 for name in names}
for name, begin, end in shifts:
    hours[name] += (minutes(end) - minutes(begin)) % (24 * 60) / 60
# %% tests
assert {k: round(float(v), 6) for k, v in dict(hours).items()} == {"Ana": 13.75, "Ben": 14.0}
assert len(shifts) == 4
# %% wrong: forgets midnight
from datetime import datetime
hours = {n: 0.0 for n in names}
for name, begin, end in shifts:
    hours[name] += (datetime.strptime(end, "%H:%M") - datetime.strptime(begin, "%H:%M")).total_seconds() / 3600
# %% wrong: drops the minutes
hours = {n: 0.0 for n in names}
for name, begin, end in shifts:
    hours[name] += (int(end[:2]) - int(begin[:2])) % 24
