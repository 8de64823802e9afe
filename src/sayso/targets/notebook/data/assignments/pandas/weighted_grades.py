# %% [markdown]
# # Year 9 marks
# Marks are out of 100. `NaN` means the pupil was excused from that piece of work.
# %%
import pandas as pd
import numpy as np
# %%
marks = pd.DataFrame(
    {"homework": [80, 65, np.nan, 90], "quiz": [70, 60, 85, np.nan], "exam": [75, 50, 95, 88]},
    index=["Ines", "Joel", "Kaya", "Lars"],
)
marks
# %% [markdown]
# The weights that we agreed on in September:
# %%
weights = pd.Series({"homework": 0.2, "quiz": 0.3, "exam": 0.5})
assert weights.sum() == 1
# %% [markdown] task
# Compute every pupil's weighted grade as a Series `grade` indexed by name.
# Work that a pupil was excused from doesn't count, and the remaining weights are scaled up so that they add to 1 again.
# %% solution
weighted_sum = marks.mul(weights, axis=1).sum(axis=1)
weight_present = marks.notna().mul(weights, axis=1).sum(axis=1)
grade = weighted_sum / weight_present
# %% tests
expected = {"Ines": 74.5, "Joel": 56.0, "Kaya": 91.25, "Lars": 62 / 0.7}
assert set(grade.index) == set(expected)
assert all(abs(grade[name] - value) < 1e-6 for name, value in expected.items())
# %% wrong: an excused piece counts as zero
grade = (marks * weights).sum(axis=1)
# %% wrong: plain mean, no weights
grade = marks.mean(axis=1)
