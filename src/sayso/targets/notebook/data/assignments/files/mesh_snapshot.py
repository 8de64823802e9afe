# %% [markdown]
# # Heat in a plate
# The simulation runs overnight, so its state must survive a restart.
# %%
import numpy as np

T = np.linspace(20.0, 80.0, 12).reshape(3, 4)
step = 150
# %% [markdown]
# `T.tofile` forgets the shape, and text files lose digits.
# %%
T.tofile("plate.raw")
np.fromfile("plate.raw").shape
# %% [markdown] task
# Store both `T` and `step` in a file plate.npz (under these names), then load it again into `saved`.
# %% solution
np.savez("plate.npz", T=T, step=step)
saved = np.load("plate.npz")
# %% tests
with np.load("plate.npz") as z:
    assert set(z.files) == {"T", "step"}
    assert np.array_equal(z["T"], np.linspace(20.0, 80.0, 12).reshape(3, 4)) and int(z["step"]) == 150
assert np.array_equal(saved["T"], T) and int(saved["step"]) == 150
# %% wrong: saved without names
np.savez("plate.npz", T, step)
saved = np.load("plate.npz")
# %% wrong: flattened
np.savez("plate.npz", T=T.ravel(), step=step)
saved = np.load("plate.npz")
