# %% [markdown]
# # Books borrowed per class
# For the poster in the corridor. No axis, just the numbers.
# %%
import matplotlib.pyplot as plt
import pandas as pd

books = pd.Series({"5a": 48, "5b": 61, "6a": 39})
# %%
books.sum()
# %% [markdown]
# Long bars are easier to compare when they lie flat.
# %% [markdown] task
# Draw horizontal bars, one per class, and write the number of books as text at the end of each bar.
# %% solution
fig, ax = plt.subplots()
ax.barh(books.index, books.values)
for i, n in enumerate(books):
    ax.text(n, i, str(n), va="center")
# %% tests
fig = plt.gcf()
fig.canvas.draw()
ax = fig.axes[0]
bars = list(ax.patches)
assert sorted(float(b.get_width()) for b in bars) == [39, 48, 61]
texts = [t for t in ax.texts if t.get_text().strip()]
assert sorted(float(t.get_text()) for t in texts) == [39, 48, 61]
for b in bars:
    mine = [t for t in texts if float(t.get_text()) == float(b.get_width())][0]
    box = mine.get_window_extent().transformed(ax.transData.inverted())
    assert b.get_y() - 0.1 <= (box.y0 + box.y1) / 2 <= b.get_y() + b.get_height() + 0.1
    assert box.x1 > 0.8 * b.get_width()
# %% wrong: bars stand upright
fig, ax = plt.subplots()
ax.bar(books.index, books.values)
for i, n in enumerate(books):
    ax.text(i, n, str(n), ha="center")
# %% wrong: all numbers at the left edge
fig, ax = plt.subplots()
ax.barh(books.index, books.values)
for i, n in enumerate(books):
    ax.text(0, i, str(n), va="center")
