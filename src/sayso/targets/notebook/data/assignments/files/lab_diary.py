# %% [markdown]
# # Lab diary
# A plain text file, one line per entry. Old entries are never touched.
# %%
with open("diary.txt", "w") as f:
    f.write("Mon: calibrated scale\n")
    f.write("Tue: 12 samples weighed")
# %% [markdown]
# (Yesterday's entry has no line end, the editor ate it.)
# %%
entry = "Wed: scale drifts, see photo"
# %% [markdown] task
# Append `entry` to diary.txt on a line of its own.
# %% solution
with open("diary.txt", "a") as f:
    f.write("\n" + entry + "\n")
# %% tests
assert open("diary.txt").read().rstrip("\n").split("\n") == [
    "Mon: calibrated scale", "Tue: 12 samples weighed", "Wed: scale drifts, see photo",
]
# %% wrong: the old entries are gone
with open("diary.txt", "w") as f:
    f.write(entry + "\n")
# %% wrong: runs into yesterday's line
with open("diary.txt", "a") as f:
    f.write(entry + "\n")
