# %% [markdown]
# # Does the river follow the rain?
# %%
import matplotlib.pyplot as plt

day = list(range(1, 9))
rain = [0, 12, 30, 4, 0, 0, 18, 2]
level = [1.20, 1.22, 1.51, 1.88, 1.70, 1.52, 1.49, 1.66]
# %% [markdown]
# mm per day and metres at the bridge.
# %%
lag = level.index(max(level)) - rain.index(max(rain))
print("the crest came", lag, "day later")
# %% [markdown] task
# Plot both in one picture: rain as bars with its axis on the left ("rain (mm)"), the level as a line with its own axis on the right ("level (m)").
# %% solution
fig, left = plt.subplots()
left.bar(day, rain)
left.set_ylabel("rain (mm)")
right = left.twinx()
right.plot(day, level, color="black")
right.set_ylabel("level (m)")
# %% tests
axes = plt.gcf().axes
assert len(axes) == 2
a = [x for x in axes if x.patches][0]
b = [x for x in axes if x.lines][0]
assert a is not b
assert [float(p.get_height()) for p in sorted(a.patches, key=lambda p: p.get_x())] == [float(r) for r in rain]
assert [float(v) for v in b.lines[0].get_ydata()] == level
assert a.get_ylabel() == "rain (mm)" and b.get_ylabel() == "level (m)"
assert b.yaxis.get_label_position() == "right" and a.yaxis.get_label_position() == "left"
assert abs(a.get_position().x0 - b.get_position().x0) < 1e-6 and abs(a.get_position().y0 - b.get_position().y0) < 1e-6
# %% wrong: both on one axis
fig, left = plt.subplots()
left.bar(day, rain)
left.plot(day, level)
left.set_ylabel("rain (mm)")
# %% wrong: two separate panels
fig, (left, right) = plt.subplots(1, 2)
left.bar(day, rain)
left.set_ylabel("rain (mm)")
right.plot(day, level)
right.set_ylabel("level (m)")
