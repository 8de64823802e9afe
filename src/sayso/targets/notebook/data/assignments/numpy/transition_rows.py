# %% [markdown]
# # Weather as a Markov chain
# I went through last year's diary and counted what kind of day followed what kind of day.
# %%
import numpy as np

states = ["sun", "cloud", "rain"]
counts = np.array([[30, 15, 5], [12, 20, 18], [8, 14, 28]])
# %% [markdown]
# Row = today, column = tomorrow. Check the number of pairs:
# %%
counts.sum()
# %% [markdown] task
# Turn the counts into transition probabilities `P`.
# %% solution
P = counts / counts.sum(axis=1, keepdims=True)
# %% tests
assert np.allclose(np.asarray(P), [[0.6, 0.3, 0.1], [0.24, 0.4, 0.36], [0.16, 0.28, 0.56]])
# %% wrong: the columns sum to one
P = counts / counts.sum(axis=0)
# %% wrong: share of all pairs
P = counts / counts.sum()
