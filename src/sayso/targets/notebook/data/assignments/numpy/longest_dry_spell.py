# %% [markdown]
# # Dry spells
# %%
import numpy as np

rain = np.array([0, 0, 3.2, 0, 0, 0, 0.4, 0, 0, 0, 0])
spring = np.array([1.0, 2.5, 0.1])
# %%
dry = rain == 0
dry.mean()
# %% [markdown]
# What matters to the farmer is not the share of dry days but how many come in a row.
# %% [markdown] task
# Write `longest_run(mask)`: the length of the longest unbroken run of True in a boolean array (0 if there is none).
# Then store the longest dry spell of `rain` in `spell`.
# %% solution
def longest_run(mask):
    best = current = 0
    for value in mask:
        current = current + 1 if value else 0
        best = max(best, current)
    return best


spell = longest_run(dry)
# %% tests
assert spell == 4
assert longest_run(np.array([True, True, False, True])) == 2
assert longest_run(spring == 0) == 0
assert longest_run(np.array([], dtype=bool)) == 0
# %% wrong: a run at the very end is never looked at
def longest_run(mask):
    best = current = 0
    for value in mask:
        if value:
            current += 1
        else:
            best = max(best, current)
            current = 0
    return best
spell = longest_run(dry)
# %% wrong: counts all True values
def longest_run(mask):
    return int(np.sum(mask))
spell = longest_run(dry)
