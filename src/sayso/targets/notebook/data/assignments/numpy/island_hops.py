# %% [markdown]
# # Ferries between the islands
# %%
import networkx as nx
import numpy as np

ferries = nx.DiGraph()
ferries.add_edges_from([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("D", "A"), ("C", "B")])
# %%
islands = sorted(ferries.nodes)
list(ferries.successors("A"))
# %% [markdown]
# The adjacency matrix $M$ has a 1 in row i, column j if there's a ferry from i to j. Then $M^2$ counts the journeys with one change.
# %% [markdown] task
# Build the adjacency matrix `M` with rows and columns in the order of `islands`, and look up in `n_ways` in how many ways one gets from A to D with exactly one change.
# %% solution
M = nx.to_numpy_array(ferries, nodelist=islands)
twice = M @ M
n_ways = int(twice[islands.index("A"), islands.index("D")])
# %% tests
assert np.array_equal(np.asarray(M).astype(int), [[0, 1, 1, 0], [0, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0]])
assert int(n_ways) == 2
# %% wrong: squares every entry
M = nx.to_numpy_array(ferries, nodelist=islands)
n_ways = int((M**2)[islands.index("A"), islands.index("D")])
# %% wrong: ferries run both ways
M = nx.to_numpy_array(ferries.to_undirected(), nodelist=islands)
n_ways = int((M @ M)[0, 3])
