# %% [markdown]
# # School trip
# Teachers sent their groups as lists.
# %%
groups = [["Ada", "Bilal"], [], ["Chen"], ["Dora", "Emil", "Fay"]]
# %%
sizes = [len(g) for g in groups]
sizes
# %% [markdown] task
# I need one flat list `everyone`, in the same order.
# %% solution
everyone = [name for group in groups for name in group]
# %% tests
assert list(everyone) == ["Ada", "Bilal", "Chen", "Dora", "Emil", "Fay"]
assert groups == [["Ada", "Bilal"], [], ["Chen"], ["Dora", "Emil", "Fay"]]
# %% wrong: the groups stay lists
everyone = []
for group in groups:
    everyone.append(group)
# %% wrong: changes the first group
everyone = groups[0]
for group in groups[1:]:
    everyone.extend(group)
