# %% [markdown]
# # Repair café
# It takes place on the last Friday of every month.
# %%
import calendar
from datetime import date, timedelta

year = 2025
# %%
print(calendar.month(year, 1))
# %% [markdown] task
# Work out the twelve dates for `year` in the list `fridays`.
# %% solution
fridays = []
for month in range(1, 13):
    day = date(year, month, calendar.monthrange(year, month)[1])
    while day.weekday() != calendar.FRIDAY:
        day -= timedelta(days=1)
    fridays.append(day)
# %% tests
expected = [(1, 31), (2, 28), (3, 28), (4, 25), (5, 30), (6, 27), (7, 25), (8, 29), (9, 26), (10, 31), (11, 28), (12, 26)]
assert [(d.year, d.month, d.day) for d in fridays] == [(2025, m, d) for m, d in expected]
# %% wrong: the fourth Friday, but some months have five
fridays = []
for month in range(1, 13):
    weeks = [w[calendar.FRIDAY] for w in calendar.monthcalendar(year, month) if w[calendar.FRIDAY]]
    fridays.append(date(year, month, weeks[3]))
# %% wrong: last day of the month if it is a weekday, else the Friday before
fridays = []
for month in range(1, 13):
    day = date(year, month, calendar.monthrange(year, month)[1])
    while day.weekday() > 4:
        day -= timedelta(days=1)
    fridays.append(day)
