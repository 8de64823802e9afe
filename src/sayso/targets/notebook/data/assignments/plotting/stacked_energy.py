# %% [markdown]
# # Where our electricity came from
# %%
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

quarters = ["Q1", "Q2", "Q3", "Q4"]
grid = [320, 180, 150, 290]
solar = [60, 210, 240, 80]
# %% [markdown]
# kWh, from the two meters.
# %%
total = [g + s for g, s in zip(grid, solar)]
total
# %% [markdown] task
# Could you make a stacked bar chart: per quarter one bar, grid at the bottom and solar on top of it, with a legend ("grid", "solar")?
# %% solution
fig, ax = plt.subplots()
ax.bar(quarters, grid, label="grid")
ax.bar(quarters, solar, bottom=grid, label="solar")
ax.legend()
# %% tests
ax = plt.gcf().axes[0]
pieces = {}
for p in ax.patches:
    pieces.setdefault(round(float(p.get_x() + p.get_width() / 2), 3), []).append((float(p.get_y()), float(p.get_height())))
columns = [sorted(pieces[x]) for x in sorted(pieces)]
assert columns == [[(0.0, float(g)), (float(g), float(s))] for g, s in zip(grid, solar)]
assert {t.get_text() for t in ax.get_legend().get_texts()} == {"grid", "solar"}
# %% wrong: the solar bars hide the grid bars
fig, ax = plt.subplots()
ax.bar(quarters, grid, label="grid")
ax.bar(quarters, solar, label="solar")
ax.legend()
# %% wrong: solar at the bottom
fig, ax = plt.subplots()
ax.bar(quarters, solar, label="solar")
ax.bar(quarters, grid, bottom=solar, label="grid")
ax.legend()
