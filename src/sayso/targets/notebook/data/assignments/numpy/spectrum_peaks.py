# %% [markdown]
# # Sodium lamp, first try
# The spectrometer gives counts per channel.
# %%
import numpy as np

counts = np.array([9, 3, 5, 12, 7, 7, 8, 20, 20, 6, 4, 11, 10])
channels = np.arange(len(counts))
# %%
background = np.median(counts)
background
# %% [markdown]
# A *peak* is a channel whose count is larger than both of its neighbours. The first and the last channel can't be peaks, and flat tops don't count.
# %% [markdown] task
# Find the channel numbers of the peaks -> `peaks`
# %% solution
inner = counts[1:-1]
is_peak = (inner > counts[:-2]) & (inner > counts[2:])
peaks = np.flatnonzero(is_peak) + 1
# %% tests
assert [int(p) for p in peaks] == [3, 11]
# %% wrong: forgets that the first channel was cut off
peaks = np.flatnonzero((counts[1:-1] > counts[:-2]) & (counts[1:-1] > counts[2:]))
# %% wrong: flat tops count as well
peaks = np.flatnonzero((counts[1:-1] >= counts[:-2]) & (counts[1:-1] >= counts[2:])) + 1
