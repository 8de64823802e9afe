# %% [markdown]
# # Baking contest
# %%
bakers = [
    {"name": "Wim", "stars": 4, "age": 31},
    {"name": "Abby", "stars": 5, "age": 44},
    {"name": "Cora", "stars": 4, "age": 27},
    {"name": "Bert", "stars": 3, "age": 62},
    {"name": "Zed", "stars": 5, "age": 19},
]
# %%
sum(b["stars"] for b in bakers) / len(bakers)
# %% [markdown] task
# Sort by stars (most first), and by name (A to Z) where the stars are equal. Just the names, in `ranking`.
# %% solution
ranking = [b["name"] for b in sorted(bakers, key=lambda b: (-b["stars"], b["name"]))]
# %% tests
assert list(ranking) == ["Abby", "Zed", "Cora", "Wim", "Bert"]
# %% wrong: names run backwards too
ranking = [b["name"] for b in sorted(bakers, key=lambda b: (b["stars"], b["name"]), reverse=True)]
# %% wrong: equal stars stay in order of entry
ranking = [b["name"] for b in sorted(bakers, key=lambda b: b["stars"], reverse=True)]
