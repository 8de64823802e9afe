# %% [markdown]
# # Monthly exports
# The portal lets me download one month at a time.
# %%
from pathlib import Path

Path("export").mkdir(exist_ok=True)
Path("export/2023-01.csv").write_text("date,visits\n2023-01-05,12\n2023-01-19,7\n")
Path("export/2023-02.csv").write_text("date,visits\n2023-02-02,15\n")
Path("export/2023-03.csv").write_text("date,visits\n2023-03-01,4\n2023-03-30,21\n")
# %%
parts = list(Path("export").glob("*.csv"))
len(parts)
# %% [markdown]
# Careful, glob doesn't promise any order.
# %% [markdown] task
# Put the months together in a single file all.csv in the current folder: the header once, the rows by date.
# %% solution
lines = ["date,visits"]
for part in sorted(parts):
    lines += part.read_text().splitlines()[1:]
Path("all.csv").write_text("\n".join(lines) + "\n")
# %% tests
assert Path("all.csv").read_text().split() == [
    "date,visits", "2023-01-05,12", "2023-01-19,7", "2023-02-02,15", "2023-03-01,4", "2023-03-30,21",
]
assert len(list(Path("export").glob("*.csv"))) == 3
# %% wrong: the header of every month
with open("all.csv", "w") as out:
    for part in sorted(parts):
        out.write(part.read_text())
# %% wrong: newest first
lines = ["date,visits"]
for part in sorted(parts, reverse=True):
    lines += part.read_text().splitlines()[1:]
Path("all.csv").write_text("\n".join(lines) + "\n")
