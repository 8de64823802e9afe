# %% [markdown]
# # What does a used cargo bike cost?
# Asking prices found this morning.
# %%
asking = [1900, 2400, 1, 2100, 9999, 2250, 1750]
# %% [markdown]
# "1" is somebody who wants to be called, and 9999 is a dreamer.
# %%
sum(asking) / len(asking)
# %% [markdown] task
# Mean price without the lowest and the highest one, in `fair_price`. Don't touch the order of `asking`, there's a list of links that belongs to it.
# %% solution
kept = sorted(asking)[1:-1]
fair_price = sum(kept) / len(kept)
# %% tests
assert abs(fair_price - 2080.0) < 1e-9
assert asking == [1900, 2400, 1, 2100, 9999, 2250, 1750]
# %% wrong: sorts the list itself
asking.sort()
fair_price = sum(asking[1:-1]) / len(asking[1:-1])
# %% wrong: cuts off the first and the last of the unsorted list
kept = asking[1:-1]
fair_price = sum(kept) / len(kept)
