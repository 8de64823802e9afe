# %% [markdown]
# # When is bus 14 full?
# Mean number of passengers; one row per weekday, one column per time of day.
# %%
import matplotlib.pyplot as plt
import numpy as np

load = np.array([[12, 45, 20, 51], [14, 47, 19, 50], [10, 30, 33, 28]])
# %%
rows = ["Mon-Thu", "Fri", "Sat"]
cols = ["6h", "8h", "12h", "17h"]
# %%
load.max(axis=1)
# %% [markdown] task
# Show `load` as an image with `imshow`, the row names along the y axis, the column names along the x axis, and a colour bar.
# %% solution
fig, ax = plt.subplots()
image = ax.imshow(load)
ax.set_xticks(range(len(cols)), cols)
ax.set_yticks(range(len(rows)), rows)
fig.colorbar(image)
# %% tests
fig = plt.gcf()
fig.canvas.draw()
main = [a for a in fig.axes if a.images][0]
assert np.array_equal(np.asarray(main.images[0].get_array()), load)
xt = {round(float(x), 3): t.get_text() for x, t in zip(main.get_xticks(), main.get_xticklabels())}
yt = {round(float(y), 3): t.get_text() for y, t in zip(main.get_yticks(), main.get_yticklabels())}
assert [xt.get(float(i)) for i in range(4)] == cols
assert [yt.get(float(i)) for i in range(3)] == rows
assert len(fig.axes) == 2 and main.images[0].colorbar is not None
# %% wrong: turned on its side
fig, ax = plt.subplots()
image = ax.imshow(load.T)
ax.set_xticks(range(len(rows)), rows)
ax.set_yticks(range(len(cols)), cols)
fig.colorbar(image)
# %% wrong: numbers along the axes
fig, ax = plt.subplots()
image = ax.imshow(load)
fig.colorbar(image)
