# %% [markdown]
# # Dawn counts
# Each line is one visit; a site may be visited more than once in a year.
# %%
import pandas as pd

visits = pd.DataFrame(
    {
        "site": ["dune", "fen", "dune", "wood", "fen", "dune", "wood"],
        "year": [2021, 2021, 2022, 2021, 2023, 2021, 2023],
        "warblers": [4, 9, 6, 2, 11, 3, 5],
    }
)
# %%
visits.groupby("site")["warblers"].sum()
# %% [markdown]
# That hides the years.
# %% [markdown] task
# Make a table `counts` with one row per site and one column per year, holding the total number of warblers. Where there was no visit put 0.
# %% solution
counts = visits.pivot_table(index="site", columns="year", values="warblers", aggfunc="sum", fill_value=0)
# %% tests
assert sorted(counts.index) == ["dune", "fen", "wood"]
assert sorted(int(c) for c in counts.columns) == [2021, 2022, 2023]
assert [int(v) for v in counts.loc["dune"].sort_index()] == [7, 6, 0]
assert [int(v) for v in counts.loc["fen"].sort_index()] == [9, 0, 11]
assert [int(v) for v in counts.loc["wood"].sort_index()] == [2, 0, 5]
# %% wrong: mean of the visits, not the total
counts = visits.pivot_table(index="site", columns="year", values="warblers", fill_value=0)
# %% wrong: years as rows
counts = visits.pivot_table(index="year", columns="site", values="warblers", aggfunc="sum", fill_value=0)
