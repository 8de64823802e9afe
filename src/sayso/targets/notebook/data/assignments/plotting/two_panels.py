# %% [markdown]
# # Pendulum: angle and speed
# %%
import matplotlib.pyplot as plt
import numpy as np
# %%
t = np.linspace(0, 4, 81)
angle = 0.2 * np.cos(3.13 * t)
speed = np.gradient(angle, t)
# %% [markdown]
# They have different units, so one pair of axes won't do.
# %%
print(angle.max(), speed.max())
# %% [markdown] task
# One figure with two plots above each other: angle over time on top, speed over time below. Label the y axes "angle (rad)" and "speed (rad/s)", and "t (s)" under the lower one.
# %% solution
fig, (top, bottom) = plt.subplots(2, 1, sharex=True)
top.plot(t, angle)
top.set_ylabel("angle (rad)")
bottom.plot(t, speed)
bottom.set_ylabel("speed (rad/s)")
bottom.set_xlabel("t (s)")
# %% tests
axes = sorted(plt.gcf().axes, key=lambda a: -a.get_position().y0)
assert len(axes) == 2
upper, lower = axes
assert upper.get_position().y0 > lower.get_position().y1 - 0.05
assert abs(upper.get_position().x0 - lower.get_position().x0) < 0.05
assert np.allclose(upper.lines[0].get_xdata(), t) and np.allclose(upper.lines[0].get_ydata(), angle)
assert np.allclose(lower.lines[0].get_xdata(), t) and np.allclose(lower.lines[0].get_ydata(), speed)
assert upper.get_ylabel() == "angle (rad)" and lower.get_ylabel() == "speed (rad/s)"
assert lower.get_xlabel() == "t (s)"
# %% wrong: side by side
fig, (left, right) = plt.subplots(1, 2)
left.plot(t, angle)
left.set_ylabel("angle (rad)")
right.plot(t, speed)
right.set_ylabel("speed (rad/s)")
right.set_xlabel("t (s)")
# %% wrong: the speed is on top
fig, (top, bottom) = plt.subplots(2, 1)
top.plot(t, speed)
top.set_ylabel("speed (rad/s)")
bottom.plot(t, angle)
bottom.set_ylabel("angle (rad)")
bottom.set_xlabel("t (s)")
