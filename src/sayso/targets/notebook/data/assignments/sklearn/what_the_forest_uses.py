# %% [markdown]
# # What makes a house warm?
# Simulated houses; only two of the columns matter.
# %%
import numpy as np
import pandas as pd

rng = np.random.default_rng(8)
houses = pd.DataFrame(rng.uniform(size=(200, 4)), columns=["colour", "walls", "garden", "windows"])
heat = 10 * houses["walls"] + 3 * houses["windows"] + rng.normal(scale=0.1, size=200)
# %%
from sklearn.ensemble import RandomForestRegressor

forest = RandomForestRegressor(n_estimators=30, random_state=1).fit(houses, heat)
# %%
forest.score(houses, heat)
# %% [markdown] task
# The two most important columns according to the forest, most important first: list of names `important`.
# %% solution
order = np.argsort(forest.feature_importances_)[::-1]
important = [houses.columns[i] for i in order[:2]]
# %% tests
assert list(important) == ["walls", "windows"]
# %% wrong: the least important ones
order = np.argsort(forest.feature_importances_)
important = [houses.columns[i] for i in order[:2]]
# %% wrong: the first two columns
important = list(houses.columns[:2])
