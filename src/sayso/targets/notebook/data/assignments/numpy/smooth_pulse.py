# %% [markdown]
# # Pulse on the exercise bike
# One value every ten seconds.
# %%
import numpy as np
# %%
pulse = np.array([72, 75, 74, 80, 91, 97, 104, 103, 110, 108.0])
t = np.arange(len(pulse)) * 10
# %% [markdown]
# Too jumpy to read, so average it.
# %%
window = 4
# %% [markdown] task
# Smooth `pulse` with a moving average over `window` values. Only full windows, so `smooth` has len(pulse) - window + 1 values.
# %% solution
smooth = np.convolve(pulse, np.ones(window) / window, mode="valid")
# %% tests
assert len(smooth) == 7
assert np.allclose(smooth, [75.25, 80.0, 85.5, 93.0, 98.75, 103.5, 106.25])
# %% wrong: pads with zeros at both ends
smooth = np.convolve(pulse, np.ones(window) / window, mode="same")
# %% wrong: windows of one value less
smooth = np.array([pulse[i : i + window - 1].mean() for i in range(len(pulse) - window + 1)])
