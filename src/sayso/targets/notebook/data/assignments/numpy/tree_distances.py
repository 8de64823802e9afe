# %% [markdown]
# # Spacing of oaks in plot 7
# Positions were taken with a tape, in metres from the south-west corner.
# %%
import numpy as np

trees = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0], [0.0, 5.0]])
# %%
centre = trees.mean(axis=0)
centre
# %% [markdown]
# Next: who is near whom.
# %% [markdown] task
# I'd like the matrix `dist` of straight-line distances between all pairs of trees, and `nearest`: for each tree the distance to its closest neighbour (not itself!).
# %% solution
diff = trees[:, None, :] - trees[None, :, :]
dist = np.sqrt((diff**2).sum(axis=-1))
others = dist + np.diag(np.full(len(trees), np.inf))
nearest = others.min(axis=1)
# %% tests
d = np.asarray(dist)
assert d.shape == (4, 4) and np.allclose(np.diag(d), 0) and np.allclose(d, d.T)
assert np.allclose(d[0], [0, 5, 10, 5]) and np.isclose(d[1, 3], np.sqrt(10)) and np.isclose(d[2, 3], np.sqrt(45))
assert np.allclose(nearest, [5, np.sqrt(10), 5, np.sqrt(10)])
# %% wrong: every tree is its own neighbour
dist = np.sqrt(((trees[:, None] - trees[None]) ** 2).sum(axis=-1))
nearest = dist.min(axis=1)
# %% wrong: walks along the axes
dist = np.abs(trees[:, None] - trees[None]).sum(axis=-1)
nearest = (dist + np.diag([np.inf] * 4)).min(axis=1)
