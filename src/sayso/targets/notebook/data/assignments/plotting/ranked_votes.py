# %% [markdown]
# # Which name for the new boat?
# %%
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

votes = {"Otter": 14, "Heron": 31, "Teal": 9, "Pike": 22}
# %% [markdown]
# 76 members voted.
# %%
share = {name: n / sum(votes.values()) for name, n in votes.items()}
share
# %% [markdown] task
# Bar chart of the votes, please, with the winner on the left and then in falling order. The names go below the bars.
# %% solution
names = sorted(votes, key=votes.get, reverse=True)
plt.bar(names, [votes[n] for n in names])
# %% tests
fig = plt.gcf()
fig.canvas.draw()
ax = fig.axes[0]
bars = sorted(ax.patches, key=lambda p: p.get_x())
assert [float(b.get_height()) for b in bars] == [31, 22, 14, 9]
centres = [b.get_x() + b.get_width() / 2 for b in bars]
ticks = {round(float(x), 3): t.get_text() for x, t in zip(ax.get_xticks(), ax.get_xticklabels())}
assert [ticks.get(round(float(c), 3)) for c in centres] == ["Heron", "Pike", "Otter", "Teal"]
# %% wrong: in the order of the dictionary
plt.bar(list(votes), list(votes.values()))
# %% wrong: heights sorted, names not
plt.bar(list(votes), sorted(votes.values(), reverse=True))
