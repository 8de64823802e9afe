# %% [markdown]
# # Hooke's law with a regression
# %%
import numpy as np
from sklearn.linear_model import LinearRegression

mass_g = np.array([50, 100, 150, 200, 250])
length_cm = np.array([12.1, 14.0, 16.1, 17.9, 20.0])
# %%
np.corrcoef(mass_g, length_cm)[0, 1]
# %% [markdown]
# Very straight. The model: length = rest + stretch · mass.
# %% [markdown] task
# Fit it with scikit-learn and store the slope in `stretch` and the intercept in `rest` (plain floats). What length do we expect for 180 g? -> `expected`
# %% solution
model = LinearRegression().fit(mass_g.reshape(-1, 1), length_cm)
stretch, rest = float(model.coef_[0]), float(model.intercept_)
expected = float(model.predict([[180]])[0])
# %% tests
slope, icept = np.polyfit(mass_g, length_cm, 1)
assert abs(float(stretch) - slope) < 1e-9 and abs(float(rest) - icept) < 1e-9
assert abs(float(np.squeeze(expected)) - (icept + 180 * slope)) < 1e-6
# %% wrong: mass from length
model = LinearRegression().fit(length_cm.reshape(-1, 1), mass_g)
stretch, rest = float(model.coef_[0]), float(model.intercept_)
expected = float(model.predict([[180]])[0])
# %% wrong: a line through the origin
model = LinearRegression(fit_intercept=False).fit(mass_g.reshape(-1, 1), length_cm)
stretch, rest = float(model.coef_[0]), float(model.intercept_)
expected = float(model.predict([[180]])[0])
