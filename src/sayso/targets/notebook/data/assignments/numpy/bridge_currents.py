# %% [markdown]
# # Mesh currents of a bridge circuit
# Three meshes; the sheet gives the resistances (ohm) and the sources (volt).
# %%
import numpy as np
# %%
R = np.array([[15.0, -5.0, -2.0], [-5.0, 20.0, -4.0], [-2.0, -4.0, 12.0]])
V = np.array([10.0, 0.0, -6.0])
# %% [markdown]
# $R\,I = V$. The matrix is symmetric, as it should be:
# %%
np.allclose(R, R.T)
# %% [markdown] task
# Solve for the mesh currents `I`, then compute the total power `P` that the sources deliver ($P = \sum_k V_k I_k$).
# %% solution
I = np.linalg.solve(R, V)
P = V @ I
# %% tests
assert np.allclose(R @ np.ravel(I), V)
assert np.isclose(float(np.squeeze(P)), float(V @ np.linalg.inv(R) @ V))
# %% wrong: divides element by element
I = V / np.diag(R)
P = V @ I
# %% wrong: multiplies in place of solving
I = R @ V
P = V @ I
