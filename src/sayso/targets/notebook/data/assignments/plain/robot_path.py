# %% [markdown]
# # Lawn robot
# It understands N, S, E, W, each one metre.
# %%
commands = "NNESSSWWNE"
start = (0, 0)
# %%
step = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}
# %% [markdown]
# x grows to the east, y to the north.
# %% [markdown] task
# Follow the commands from `start`. Keep all positions in a list `path` (including the start), and say in `returned` whether the robot ends where it began.
# %% solution
path = [start]
for c in commands:
    x, y = path[-1]
    dx, dy = step[c]
    path.append((x + dx, y + dy))
returned = path[-1] == start
# %% tests
assert [tuple(p) for p in path] == [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (0, 0)]
assert bool(returned) is True
# %% wrong: the start is not in the path
path, (x, y) = [], start
for c in commands:
    x, y = x + step[c][0], y + step[c][1]
    path.append((x, y))
returned = (x, y) == start
# %% wrong: every step from the start
path = [start] + [(start[0] + step[c][0], start[1] + step[c][1]) for c in commands]
returned = path[-1] == start
