# %% [markdown]
# # Long jump, one season
# %%
jumps = [4.81, 4.95, 4.90, 5.02, 5.02, 4.77, 5.10]
# %%
max(jumps), jumps.index(max(jumps))
# %% [markdown]
# She asks how her personal best developed over the season.
# %% [markdown] task
# `best_so_far`: for every jump the best result up to and including that jump. Also `records`: how many times she *beat* her best (the first jump doesn't count).
# %% solution
from itertools import accumulate

best_so_far = list(accumulate(jumps, max))
records = sum(later > earlier for earlier, later in zip(best_so_far, best_so_far[1:]))
# %% tests
assert list(best_so_far) == [4.81, 4.95, 4.95, 5.02, 5.02, 5.02, 5.10]
assert records == 3
# %% wrong: an equal jump counts as a record
best_so_far, records = [], -1
best = 0
for j in jumps:
    if j >= best:
        best, records = j, records + 1
    best_so_far.append(best)
# %% wrong: best before the jump
best_so_far = [max(jumps[:i] or [0]) for i in range(len(jumps))]
records = 3
