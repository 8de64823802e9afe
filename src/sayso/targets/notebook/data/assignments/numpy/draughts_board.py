# %% [markdown]
# # A draughts board
# For the game club's web page, with the smallest code I can manage.
# %%
import numpy as np

n = 8
# %%
empty = np.zeros((n, n), dtype=int)
empty.shape
# %% [markdown]
# 1 = dark square, 0 = light square. The square at the bottom left, `board[n - 1, 0]`, has to be dark, and colours alternate.
# %% [markdown] task
# build `board` (n by n)
# %% solution
rows, cols = np.indices((n, n))
board = (rows + cols + n) % 2
# %% tests
b = np.asarray(board).astype(int)
assert b.shape == (8, 8)
assert b[7, 0] == 1 and b.sum() == 32
assert all(b[i, j] != b[i, j + 1] for i in range(8) for j in range(7))
assert all(b[i, j] != b[i + 1, j] for i in range(7) for j in range(8))
# %% wrong: light square in the bottom left corner
board = (np.indices((n, n)).sum(axis=0) + n + 1) % 2
# %% wrong: stripes
board = np.zeros((n, n), dtype=int)
board[1::2] = 1
