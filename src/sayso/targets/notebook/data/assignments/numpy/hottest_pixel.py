# %% [markdown]
# # Thermal camera
# A single frame, degrees Celsius. Dead pixels come as NaN.
# %%
import numpy as np

frame = np.array([
    [21.0, 21.4, np.nan, 22.0, 21.9],
    [21.1, 23.5, 24.0, 31.7, 22.2],
    [20.9, np.nan, 23.8, 25.0, 22.1],
])
# %%
print("dead pixels:", np.isnan(frame).sum())
# %% [markdown] task
# Where is it hottest? Give me `hot` as a tuple (row, column).
# %% solution
hot = np.unravel_index(np.nanargmax(frame), frame.shape)
# %% tests
assert tuple(int(v) for v in hot) == (1, 3)
# %% wrong: NaN counts as the largest
hot = np.unravel_index(np.argmax(frame), frame.shape)
# %% wrong: column first
hot = np.unravel_index(np.nanargmax(frame), frame.shape)[::-1]
