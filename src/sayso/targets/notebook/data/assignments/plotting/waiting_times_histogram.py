# %% [markdown]
# # Waiting at the clinic
# Minutes between check-in and being called.
# %%
import matplotlib.pyplot as plt
import numpy as np
# %%
wait = np.array([3, 7, 8, 12, 14, 15, 15, 18, 21, 22, 24, 29, 31, 36, 44, 58])
print(len(wait), "patients, mean", wait.mean())
# %%
edges = np.arange(0, 61, 10)
# %% [markdown] task
# Histogram of `wait` with those bin edges, on a fresh figure.
# %% solution
plt.figure()
plt.hist(wait, bins=edges)
# %% tests
ax = plt.gcf().axes[0]
bars = sorted((p for p in ax.patches), key=lambda p: p.get_x())
assert [round(float(b.get_height())) for b in bars] == [3, 5, 4, 2, 1, 1]
assert [round(float(b.get_x()), 6) for b in bars] == [0, 10, 20, 30, 40, 50]
# %% wrong: ten bins between smallest and largest
plt.figure()
plt.hist(wait, bins=10)
# %% wrong: shares in place of counts
plt.figure()
plt.hist(wait, bins=edges, density=True)
