# %% [markdown]
# # Table tennis league
# %%
import pandas as pd
# %%
table = pd.DataFrame(
    {"team": ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir"], "division": [1, 1, 2, 1, 2, 1], "points": [12, 15, 9, 12, 14, 6]}
)
table["wins"] = table["points"] // 3
# %%
table.sort_values("points", ascending=False).head(1)
# %% [markdown]
# Places are per division. Teams with equal points share a place, and the next team takes the next number but one (1, 2, 2, 4).
# %% [markdown] task
# add a column `place` to `table`
# %% solution
table["place"] = table.groupby("division")["points"].rank(method="min", ascending=False).astype(int)
# %% tests
places = {r["team"]: r["place"] for r in table.to_dict("records")}
assert {t: float(p) for t, p in places.items()} == {"Birch": 1, "Ash": 2, "Dogwood": 2, "Elm": 1, "Cedar": 2, "Fir": 4}
assert len(table) == 6
# %% wrong: the fewest points come first
table["place"] = table.groupby("division")["points"].rank(method="min").astype(int)
# %% wrong: no number is left out after a shared place
table["place"] = table.groupby("division")["points"].rank(method="dense", ascending=False).astype(int)
