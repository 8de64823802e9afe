# %% [markdown]
# # Comparing two forecasts of bike rentals
# %%
import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

temp = np.array([[5.0], [9.0], [12.0], [18.0], [24.0], [27.0]])
rentals = np.array([40.0, 70.0, 80.0, 150.0, 190.0, 210.0])
# %%
naive = DummyRegressor().fit(temp, rentals)
line = LinearRegression().fit(temp, rentals)
# %% [markdown]
# New days to test them on:
# %%
new_temp = np.array([[7.0], [15.0], [21.0]])
new_rentals = np.array([65.0, 110.0, 180.0])
# %% [markdown] task
# Write `errors(model, X, y)` for a fitted model; it returns a dict with "mae" (mean absolute error), "rmse" (root of the mean squared error) and "bias" (mean of prediction minus truth).
# %% solution
def errors(model, X, y):
    diff = model.predict(X) - y
    return {
        "mae": np.abs(diff).mean(),
        "rmse": np.sqrt((diff**2).mean()),
        "bias": diff.mean(),
    }
# %% tests
for m in (naive, line):
    d = m.predict(new_temp) - new_rentals
    got = errors(m, new_temp, new_rentals)
    assert set(got) == {"mae", "rmse", "bias"}
    assert abs(got["mae"] - np.mean(np.abs(d))) < 1e-9
    assert abs(got["rmse"] - np.mean(d**2) ** 0.5) < 1e-9
    assert abs(got["bias"] - np.mean(d)) < 1e-9
# %% wrong: forgets the root
def errors(model, X, y):
    diff = model.predict(X) - y
    return {"mae": np.abs(diff).mean(), "rmse": (diff**2).mean(), "bias": diff.mean()}
# %% wrong: truth minus prediction
def errors(model, X, y):
    diff = y - model.predict(X)
    return {"mae": np.abs(diff).mean(), "rmse": np.sqrt((diff**2).mean()), "bias": diff.mean()}
