# %% [markdown]
# # Bills and flippers
# A handful of birds from our own field sheet.
# %%
import matplotlib.pyplot as plt
import pandas as pd

birds = pd.DataFrame(
    {
        "kind": ["gentoo", "adelie", "gentoo", "chinstrap", "adelie", "chinstrap", "adelie"],
        "bill": [47.5, 38.9, 49.1, 48.3, 37.2, 50.0, 39.6],
        "flipper": [217, 186, 222, 195, 181, 198, 190],
    }
)
# %%
birds.groupby("kind").mean()
# %% [markdown]
# Three clouds?
# %% [markdown] task
# Scatter plot, flipper length across and bill length up, each kind in its own colour with a legend that names the kinds.
# %% solution
fig, ax = plt.subplots()
for kind, part in birds.groupby("kind"):
    ax.scatter(part["flipper"], part["bill"], label=kind)
ax.legend()
# %% tests
import matplotlib.colors as mcolors
plt.gcf().canvas.draw()
ax = plt.gcf().axes[0]
points = {}
for coll in ax.collections:
    xy = coll.get_offsets()
    colours = coll.get_facecolors()
    for i, (x, y) in enumerate(xy):
        points[(float(x), float(y))] = mcolors.to_hex(colours[i % len(colours)])
for line in ax.lines:
    for x, y in zip(line.get_xdata(), line.get_ydata()):
        points[(float(x), float(y))] = mcolors.to_hex(line.get_color())
assert set(points) == {(float(f), float(b)) for f, b in zip(birds["flipper"], birds["bill"])}
by_kind = {}
for kind, f, b in zip(birds["kind"], birds["flipper"], birds["bill"]):
    by_kind.setdefault(kind, set()).add(points[(float(f), float(b))])
assert all(len(c) == 1 for c in by_kind.values())
assert len(set.union(*by_kind.values())) == 3
legend = ax.get_legend()
assert legend is not None
assert {t.get_text() for t in legend.get_texts()} >= {"gentoo", "adelie", "chinstrap"}
# %% wrong: all in one colour and no legend
plt.figure()
plt.scatter(birds["flipper"], birds["bill"])
# %% wrong: axes swapped
fig, ax = plt.subplots()
for kind, part in birds.groupby("kind"):
    ax.scatter(part["bill"], part["flipper"], label=kind)
ax.legend()
