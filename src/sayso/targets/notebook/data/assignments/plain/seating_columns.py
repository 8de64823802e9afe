# %% [markdown]
# # Seating plan
# Written row by row, as seen from the teacher's desk.
# %%
plan = [["Ali", "Bea", "Cem"], ["Dan", "Eva", "Fin"]]
# %%
for row in plan:
    print(" | ".join(row))
# %% [markdown] task
# Turn rows into columns: `columns` should be a list of lists, the first one ["Ali", "Dan"].
# %% solution
columns = [list(column) for column in zip(*plan)]
# %% tests
assert [list(c) for c in columns] == [["Ali", "Dan"], ["Bea", "Eva"], ["Cem", "Fin"]]
assert plan == [["Ali", "Bea", "Cem"], ["Dan", "Eva", "Fin"]]
# %% wrong: rows in reverse order
columns = [list(row) for row in reversed(plan)]
# %% wrong: turned by a quarter
columns = [list(column) for column in zip(*plan[::-1])]
