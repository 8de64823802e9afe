# %% [markdown]
# # Sports day
# %%
pupils = [("Gus", "red"), ("Hana", "blue"), ("Ivo", "red"), ("Jun", "green"), ("Kit", "blue"), ("Lea", "red")]
points = {"Gus": 3, "Hana": 5, "Ivo": 1, "Jun": 4, "Kit": 2, "Lea": 6}
# %%
sum(points.values())
# %% [markdown]
# Now by house.
# %% [markdown] task
# Make a dict `teams` (house -> list of the pupils in it, in the order above) and a dict `score` (house -> sum of their points).
# %% solution
teams, score = {}, {}
for name, house in pupils:
    teams.setdefault(house, []).append(name)
    score[house] = score.get(house, 0) + points[name]
# %% tests
assert {k: list(v) for k, v in dict(teams).items()} == {"red": ["Gus", "Ivo", "Lea"], "blue": ["Hana", "Kit"], "green": ["Jun"]}
assert dict(score) == {"red": 10, "blue": 7, "green": 4}
# %% wrong: counts pupils, not points
teams, score = {}, {}
for name, house in pupils:
    teams.setdefault(house, []).append(name)
    score[house] = score.get(house, 0) + 1
# %% wrong: every pupil replaces the one before
teams, score = {}, {}
for name, house in pupils:
    teams[house] = [name]
    score[house] = points[name]
