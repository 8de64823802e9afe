# %% [markdown]
# # Watching a long job
# %%
with open("job.log", "w") as f:
    for step in range(1, 26):
        f.write(f"step {step} done\n")
# %%
with open("short.log", "w") as f:
    f.write("started\n")
# %% [markdown]
# I only ever care about the end of these.
# %%
open("job.log").readline()
# %% [markdown] task
# I need a function tail(path, n) that returns the last n lines of a text file as a list, without the line ends, in the order of the file. If the file is shorter, return what there is; for n = 0 an empty list.
# %% solution
from collections import deque


def tail(path, n):
    with open(path) as f:
        return [line.rstrip("\n") for line in deque(f, maxlen=n)]
# %% tests
assert list(tail("job.log", 3)) == ["step 23 done", "step 24 done", "step 25 done"]
assert list(tail("short.log", 10)) == ["started"]
assert list(tail("job.log", 0)) == []
assert len(tail("job.log", 25)) == 25
# %% wrong: for n = 0 it returns everything
def tail(path, n):
    with open(path) as f:
        return f.read().splitlines()[-n:]
# %% wrong: last line first
def tail(path, n):
    with open(path) as f:
        lines = f.read().splitlines()
    return lines[::-1][:n]
