# %% [markdown]
# # Vibration sensor on pump 2
# The cable is loose and now and then gives a wild value.
# %%
import numpy as np

signal = np.array([0.9, 1.1, 1.0, 14.0, 0.8, 1.2, -9.0, 1.0, 1.1])
# %% [markdown]
# The median is not bothered by the spikes, unlike the mean.
# %%
middle = np.median(signal)
spread = np.median(np.abs(signal - middle))
print(middle, spread)
# %% [markdown] task
# Make `cleaned`, in which everything farther than 5 * spread from the median is replaced by NaN, and count the replaced values in `n_bad`. `signal` itself must stay as it was, we need it for the report.
# %% solution
bad = np.abs(signal - middle) > 5 * spread
cleaned = np.where(bad, np.nan, signal)
n_bad = int(bad.sum())
# %% tests
assert n_bad == 2
assert np.allclose(cleaned, [0.9, 1.1, 1.0, np.nan, 0.8, 1.2, np.nan, 1.0, 1.1], equal_nan=True)
assert np.array_equal(signal, [0.9, 1.1, 1.0, 14.0, 0.8, 1.2, -9.0, 1.0, 1.1])
# %% wrong: overwrites the signal
cleaned = signal
bad = np.abs(signal - middle) > 5 * spread
cleaned[bad] = np.nan
n_bad = bad.sum()
# %% wrong: only looks upwards
bad = signal - middle > 5 * spread
cleaned = np.where(bad, np.nan, signal)
n_bad = bad.sum()
