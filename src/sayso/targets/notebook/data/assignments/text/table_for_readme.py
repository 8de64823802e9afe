# %% [markdown]
# # Results table for the README
# %%
head = ["run", "loss", "minutes"]
rows = [["base", 0.4312, 12], ["wide", 0.3987, 31], ["deep", 0.4105, 44]]
# %%
best = min(rows, key=lambda r: r[1])
best
# %% [markdown]
# In Markdown a table is the head between pipes, a line with `---` for every column, then the rows.
# %% [markdown] task
# Build that table as one string `table`. Cells are separated by " | ", each line starts with "| " and ends with " |", floats are written with two decimals. The second line is "| --- | --- | --- |".
# %% solution
def cell(value):
    return f"{value:.2f}" if isinstance(value, float) else str(value)

grid = [head, ["---"] * len(head), *rows]
table = "\n".join("| " + " | ".join(cell(v) for v in row) + " |" for row in grid)
# %% tests
assert table.strip().splitlines() == [
    "| run | loss | minutes |",
    "| --- | --- | --- |",
    "| base | 0.43 | 12 |",
    "| wide | 0.40 | 31 |",
    "| deep | 0.41 | 44 |",
]
# %% wrong: no line below the head
table = "\n".join("| " + " | ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row) + " |" for row in [head, *rows])
# %% wrong: numbers with all their digits
table = "\n".join("| " + " | ".join(str(v) for v in row) + " |" for row in [head, ["---"] * 3, *rows])
