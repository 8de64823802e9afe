# %% [markdown]
# # How bad is the spam filter?
# %%
truth = ["spam", "ham", "ham", "spam", "ham", "spam", "ham", "ham", "spam", "ham"]
filtered = ["spam", "ham", "spam", "spam", "ham", "ham", "spam", "ham", "spam", "spam"]
# %%
agree = sum(t == f for t, f in zip(truth, filtered)) / len(truth)
agree
# %% [markdown]
# Losing a real letter is far worse than seeing a spam.
# %%
from sklearn.metrics import confusion_matrix, precision_score
# %% [markdown] task
# Get the confusion matrix as `cm`: rows are the truth, columns what the filter said, with "ham" first and "spam" second. And the precision for spam as `precision`.
# %% solution
cm = confusion_matrix(truth, filtered, labels=["ham", "spam"])
precision = precision_score(truth, filtered, pos_label="spam")
# %% tests
import numpy as np
assert np.array_equal(np.asarray(cm), [[3, 3], [1, 3]])
assert abs(float(precision) - 0.5) < 1e-9
# %% wrong: truth and filter exchanged
cm = confusion_matrix(filtered, truth, labels=["ham", "spam"])
precision = precision_score(filtered, truth, pos_label="spam")
# %% wrong: spam first
cm = confusion_matrix(truth, filtered, labels=["spam", "ham"])
precision = precision_score(truth, filtered, pos_label="spam")
