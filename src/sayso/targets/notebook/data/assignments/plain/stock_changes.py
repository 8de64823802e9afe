# %% [markdown]
# # Stocktaking
# The shelves of the tool library, before and after the weekend.
# %%
friday = {"drill": 3, "saw": 2, "ladder": 1, "sander": 4}
monday = {"drill": 2, "saw": 2, "sander": 5, "wrench": 6}
# %%
sorted(set(friday) | set(monday))
# %% [markdown] task
# What has changed? `changes`: tool -> difference (Monday minus Friday), only for tools whose number changed. A tool that isn't listed counts as 0.
# %% solution
changes = {}
for tool in friday.keys() | monday.keys():
    difference = monday.get(tool, 0) - friday.get(tool, 0)
    if difference != 0:
        changes[tool] = difference
# %% tests
assert dict(changes) == {"drill": -1, "ladder": -1, "sander": 1, "wrench": 6}
assert friday == {"drill": 3, "saw": 2, "ladder": 1, "sander": 4}
# %% wrong: tools that were new on Monday are missed
changes = {t: monday.get(t, 0) - n for t, n in friday.items() if monday.get(t, 0) != n}
# %% wrong: Friday minus Monday
changes = {t: friday.get(t, 0) - monday.get(t, 0) for t in set(friday) | set(monday) if friday.get(t, 0) != monday.get(t, 0)}
