# %% [markdown]
# # Who may vote in the youth council?
# %%
from datetime import date

born = {"Nia": date(2006, 9, 30), "Omar": date(2006, 10, 1), "Pia": date(2004, 2, 29)}
# %% [markdown]
# Election day:
# %%
election = date(2022, 9, 30)
# %%
rough = {name: election.year - b.year for name, b in born.items()}
rough
# %% [markdown]
# That ignores whether the birthday has come yet.
# %% [markdown] task
# Write a function `age(birthday, day)` giving the age in completed years on `day`. On the birthday itself the new year counts as completed. (Someone born on 29 February has their birthday on 1 March in other years.)
# %% solution
def age(birthday, day):
    years = day.year - birthday.year
    if (day.month, day.day) < (birthday.month, birthday.day):
        years -= 1
    return years
# %% tests
assert [age(born[n], election) for n in ("Nia", "Omar", "Pia")] == [16, 15, 18]
assert age(date(2004, 2, 29), date(2022, 2, 28)) == 17
assert age(date(2004, 2, 29), date(2022, 3, 1)) == 18
assert age(date(2000, 12, 31), date(2001, 1, 1)) == 0
# %% wrong: difference of the years
def age(birthday, day):
    return day.year - birthday.year
# %% wrong: the birthday itself doesn't count
def age(birthday, day):
    return day.year - birthday.year - ((day.month, day.day) <= (birthday.month, birthday.day))
