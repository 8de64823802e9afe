# %% [markdown]
# # Revision plan
# %%
from datetime import date

start = date(2024, 2, 12)
exams = {"maths": date(2024, 3, 4), "biology": date(2024, 2, 29), "latin": date(2024, 3, 15)}
# %%
chapters = {"maths": 6, "biology": 9, "latin": 4}
sum(chapters.values())
# %% [markdown] task
# How many days are there from `start` to each exam? dict `days_left`, subject -> days
# %% solution
days_left = {subject: (day - start).days for subject, day in exams.items()}
# %% tests
assert {k: int(v) for k, v in days_left.items()} == {"maths": 21, "biology": 17, "latin": 32}
# %% wrong: the first day is counted too
days_left = {subject: (day - start).days + 1 for subject, day in exams.items()}
# %% wrong: difference of the day numbers only
days_left = {subject: abs(day.day - start.day) for subject, day in exams.items()}
