# %% [markdown]
# # A week in the cellar
# %%
import matplotlib.pyplot as plt
# %%
days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
cellar = [11.2, 11.4, 11.3, 11.9, 12.4, 12.1, 11.8]
# %%
print("range:", min(cellar), "to", max(cellar))
# %% [markdown] task
# Draw the cellar temperatures as a line over the days. Label the y axis "°C" and give the plot the title "Cellar".
# %% solution
plt.plot(days, cellar)
plt.ylabel("°C")
plt.title("Cellar")
# %% tests
ax = plt.gcf().axes[0]
assert any([float(v) for v in line.get_ydata()] == cellar for line in ax.lines)
assert ax.get_ylabel().strip() == "°C"
assert ax.get_title().strip() == "Cellar"
# %% wrong: the label sits on the x axis
plt.plot(days, cellar)
plt.xlabel("°C")
plt.title("Cellar")
# %% wrong: draws the temperatures sorted
plt.plot(days, sorted(cellar))
plt.ylabel("°C")
plt.title("Cellar")
