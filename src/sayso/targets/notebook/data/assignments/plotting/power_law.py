# %% [markdown]
# # Metabolic rate against body mass
# Rough values from memory, mouse to horse: kg and watt.
# %%
import matplotlib.pyplot as plt
import numpy as np

mass = np.array([0.02, 0.3, 4.0, 20.0, 70.0, 500.0])
rate = np.array([0.2, 1.5, 9.0, 32.0, 85.0, 350.0])
# %%
fig, ax = plt.subplots()
ax.plot(mass, rate, "o")
plt.close(fig)
# %% [markdown]
# Everything sits in the lower left corner.
# %% [markdown] task
# Plot it again in a new figure, both axes logarithmic, with error bars of 15 % of the rate.
# %% solution
fig, ax = plt.subplots()
ax.errorbar(mass, rate, yerr=0.15 * rate, fmt="o")
ax.set_xscale("log")
ax.set_yscale("log")
# %% tests
ax = plt.gcf().axes[0]
assert ax.get_xscale() == "log" and ax.get_yscale() == "log"
segments = [s for c in ax.collections if hasattr(c, "get_segments") for s in c.get_segments() if len(s)]
spans = {round(float(s[0][0]), 6): (float(min(s[:, 1])), float(max(s[:, 1]))) for s in segments if abs(s[0][0] - s[-1][0]) < 1e-9}
assert len(spans) == 6
for m, r in zip(mass, rate):
    low, high = spans[round(float(m), 6)]
    assert abs(low - 0.85 * r) < 1e-6 * r + 1e-9 and abs(high - 1.15 * r) < 1e-6 * r + 1e-9
# %% wrong: only the y axis is logarithmic
fig, ax = plt.subplots()
ax.errorbar(mass, rate, yerr=0.15 * rate, fmt="o")
ax.set_yscale("log")
# %% wrong: the same 0.15 everywhere
fig, ax = plt.subplots()
ax.errorbar(mass, rate, yerr=0.15, fmt="o")
ax.set_xscale("log")
ax.set_yscale("log")
