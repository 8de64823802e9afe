# %% [markdown]
# # Newton's law of cooling
# A cup of tea in a room at 20 °C, thermometer read every four minutes.
# %%
import numpy as np
from scipy.optimize import curve_fit

minutes = np.arange(0, 40, 4)
room = 20.0
temp = room + 65 * np.exp(-0.045 * minutes) + np.array([0.2, -0.1, 0.1, -0.2, 0.0, 0.1, -0.1, 0.2, -0.1, 0.0])
# %% [markdown]
# Model: $T(t) = T_{room} + A\,e^{-kt}$
# %%
def model(t, A, k):
    return room + A * np.exp(-k * t)
# %% [markdown] task
# Fit the model to the data and get the two parameters as `A` and `k`; `half_time` should be the minutes after which the tea has lost half of its excess over the room.
# %% solution
(A, k), _ = curve_fit(model, minutes, temp, p0=(60, 0.05))
half_time = np.log(2) / k
# %% tests
assert abs(A - 65) < 0.5 and abs(k - 0.045) < 0.001
assert abs(half_time - np.log(2) / 0.045) < 0.4
# %% wrong: one over k is the time to 1/e
(A, k), _ = curve_fit(model, minutes, temp, p0=(60, 0.05))
half_time = 1 / k
# %% wrong: forgets the room in a straight-line fit
slope, icept = np.polyfit(minutes, np.log(temp), 1)
A, k = np.exp(icept), -slope
half_time = np.log(2) / k
