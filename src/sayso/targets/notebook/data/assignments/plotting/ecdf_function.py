# %% [markdown]
# # Reaction times
# Histograms depend on the bins; an empirical distribution function doesn't.
# %%
import matplotlib.pyplot as plt

left_hand = [310, 280, 295, 350, 330]
right_hand = [265, 300, 270, 290]
# %%
fig, ax = plt.subplots()
ax.set_xlabel("ms")
# %% [markdown]
# For sorted values $x_1 \le \dots \le x_n$ the point above $x_i$ lies at $i/n$.
# %% [markdown] task
# Write a function `draw_ecdf(ax, values, label)` that draws these points as one line on `ax` (x sorted, y from 1/n up to 1) with the given label, and use it for both hands (labels "left" and "right").
# %% solution
def draw_ecdf(ax, values, label):
    xs = sorted(values)
    ys = [(i + 1) / len(xs) for i in range(len(xs))]
    ax.plot(xs, ys, label=label, drawstyle="steps-post")


draw_ecdf(ax, left_hand, "left")
draw_ecdf(ax, right_hand, "right")
# %% tests
def data(line):
    return [float(x) for x in line.get_xdata()], [round(float(y), 6) for y in line.get_ydata()]
lines = {line.get_label(): data(line) for line in ax.lines}
assert lines["left"] == ([280, 295, 310, 330, 350], [0.2, 0.4, 0.6, 0.8, 1.0])
assert lines["right"] == ([265, 270, 290, 300], [0.25, 0.5, 0.75, 1.0])
other_fig, other = plt.subplots()
draw_ecdf(other, [2, 1], "x")
assert data(other.lines[0]) == ([1, 2], [0.5, 1.0])
assert len(ax.lines) == 2
# %% wrong: starts at 0 and never reaches 1
def draw_ecdf(ax, values, label):
    xs = sorted(values)
    ax.plot(xs, [i / len(xs) for i in range(len(xs))], label=label)
draw_ecdf(ax, left_hand, "left")
draw_ecdf(ax, right_hand, "right")
# %% wrong: values are not sorted
def draw_ecdf(ax, values, label):
    ax.plot(values, [(i + 1) / len(values) for i in range(len(values))], label=label)
draw_ecdf(ax, left_hand, "left")
draw_ecdf(ax, right_hand, "right")
