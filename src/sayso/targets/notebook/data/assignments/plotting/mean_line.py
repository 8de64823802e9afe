# %% [markdown]
# # Fill weights
# Machine 3 is set to 250 g.
# %%
import matplotlib.pyplot as plt

weights = [251.2, 249.8, 250.4, 248.9, 252.0, 250.9]
# %%
fig, ax = plt.subplots()
ax.plot(weights, "o")
ax.set_ylabel("g")
# %% [markdown] task
# add a dashed horizontal line to `ax` at the mean weight
# %% solution
ax.axhline(sum(weights) / len(weights), linestyle="--")
# %% tests
mean = sum(weights) / len(weights)
def flat_at_mean(ys):
    return len(ys) >= 2 and all(abs(float(y) - mean) < 1e-6 for y in ys)
styles = [line.get_linestyle() for line in ax.lines if flat_at_mean(line.get_ydata())]
for coll in ax.collections:
    for seg in getattr(coll, "get_segments", lambda: [])():
        if flat_at_mean(seg[:, 1]):
            dashes = coll.get_linestyle()[0][1]
            styles.append("--" if dashes else "-")
assert any(style in ("--", "dashed", (0, (5, 5))) or isinstance(style, tuple) for style in styles)
assert any([float(y) for y in line.get_ydata()] == weights for line in ax.lines)
# %% wrong: at the set weight
ax.axhline(250, linestyle="--")
# %% wrong: upright, not flat
ax.axvline(sum(weights) / len(weights), linestyle="--")
