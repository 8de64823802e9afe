# %% [markdown]
# # Work done on a spring
# We pulled the spring and read the force at **uneven** distances (m, N).
# %%
import numpy as np

x = np.array([0.00, 0.02, 0.05, 0.06, 0.10])
F = np.array([0.0, 1.1, 2.4, 3.1, 4.9])
# %%
k = (F[-1] - F[0]) / (x[-1] - x[0])
print(f"rough spring constant {k:.0f} N/m")
# %% [markdown]
# $W = \int F\,dx$
# %% [markdown] task
# Estimate the work `W` (in joules) with the trapezoidal rule.
# %% solution
W = np.sum((F[1:] + F[:-1]) / 2 * np.diff(x))
# %% tests
assert np.ndim(W) == 0
assert abs(float(W) - 0.251) < 1e-6
# %% wrong: force at the right end of every step
W = np.sum(F[1:] * np.diff(x))
# %% wrong: takes the steps to be equal
W = np.sum((F[1:] + F[:-1]) / 2) * (x[-1] - x[0]) / len(x)
