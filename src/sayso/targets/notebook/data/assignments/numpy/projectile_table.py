# %% [markdown]
# # Throwing a ball, symbolically
# Height over time, from a balcony of 5 m, thrown straight up with 12 m/s.
# %%
import numpy as np
import sympy as sp

t = sp.symbols("t", nonnegative=True)
h = 5 + 12 * t - sp.Rational(981, 200) * t**2
h
# %%
v = sp.diff(h, t)
v
# %% [markdown]
# Now numbers.
# %% [markdown] task
# Evaluate the height `h` at 0, 0.25, 0.5, … up to and including 2.5 seconds, as a numpy array `heights`.
# %% solution
seconds = np.arange(0, 2.51, 0.25)
heights = sp.lambdify(t, h, "numpy")(seconds)
# %% tests
grid = np.array([0.25 * i for i in range(11)])
got = np.array(heights, dtype=float).ravel()
assert got.shape == (11,)
assert np.allclose(got, 5 + 12 * grid - 4.905 * grid**2)
# %% wrong: the last time is missing
heights = sp.lambdify(t, h, "numpy")(np.arange(0, 2.5, 0.25))
# %% wrong: evaluates the velocity
heights = sp.lambdify(t, v, "numpy")(np.linspace(0, 2.5, 11))
