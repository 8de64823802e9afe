# %% [markdown]
# # Noise at the roadside, 24 hours
# %%
import matplotlib.pyplot as plt
import numpy as np

hour = np.arange(24)
db = 55 + 12 * np.sin((hour - 6) / 24 * 2 * np.pi).round(2)
# %%
fig, ax = plt.subplots()
ax.plot(hour, db)
ax.set_xlim(0, 23)
# %% [markdown]
# Legal limit in dB:
# %%
limit = 60
above = hour[db > limit]
# %% [markdown] task
# Mark the hours above the limit on the existing `ax`: red dots at just those points of the curve.
# %% solution
ax.plot(above, db[db > limit], "o", color="red")
# %% tests
import matplotlib.colors as mcolors
want = {(int(h), round(float(db[h]), 4)) for h in range(24) if db[h] > limit}
red = {mcolors.to_hex("red"), mcolors.to_hex("tab:red")}
found = set()
for line in ax.lines:
    if line.get_marker() not in ("None", "", " ", None):
        colour = mcolors.to_hex(line.get_markerfacecolor())
        if colour in red:
            found |= {(int(x), round(float(y), 4)) for x, y in zip(line.get_xdata(), line.get_ydata()) if not np.isnan(y)}
for coll in ax.collections:
    if len(coll.get_offsets()) and mcolors.to_hex(coll.get_facecolors()[0]) in red:
        found |= {(int(x), round(float(y), 4)) for x, y in np.ma.filled(coll.get_offsets().astype(float), np.nan) if not np.isnan(y)}
assert found == want
assert any(len(line.get_xdata()) == 24 for line in ax.lines)
# %% wrong: red dots everywhere
ax.plot(hour, db, "o", color="red")
# %% wrong: at the height of the limit
ax.plot(above, np.full(len(above), limit), "ro")
