# %% [markdown]
# # Darts evening
# %%
scores = [
    {"player": "Uli", "round": 1, "points": 57},
    {"player": "Vera", "round": 1, "points": 81},
    {"player": "Uli", "round": 2, "points": 64},
]
# %%
total = {}
for s in scores:
    total[s["player"]] = total.get(s["player"], 0) + s["points"]
total
# %% [markdown]
# The landlord wants a file that opens in his spreadsheet program.
# %% [markdown] task
# Save `scores` to scores.csv: a header line player,round,points and then one line per entry.
# %% solution
import csv

with open("scores.csv", "w", newline="") as f:
    writer = csv.DictWriter(f, fieldnames=["player", "round", "points"])
    writer.writeheader()
    writer.writerows(scores)
# %% tests
import csv as _csv
with open("scores.csv", newline="") as f:
    rows = [r for r in _csv.reader(f) if r]
assert rows == [["player", "round", "points"], ["Uli", "1", "57"], ["Vera", "1", "81"], ["Uli", "2", "64"]]
# %% wrong: no header line
import csv
with open("scores.csv", "w", newline="") as f:
    csv.writer(f).writerows(s.values() for s in scores)
# %% wrong: file is opened anew for every entry, so only the last is left
for s in scores:
    with open("scores.csv", "w") as f:
        f.write("player,round,points\n")
        f.write(",".join(str(v) for v in s.values()) + "\n")
