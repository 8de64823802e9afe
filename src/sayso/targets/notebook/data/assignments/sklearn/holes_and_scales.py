# %% [markdown]
# # Will the seedlings survive?
# %%
import numpy as np
import pandas as pd

plants = pd.DataFrame(
    {
        "height": [4.0, np.nan, 6.5, 2.0, 7.0, 3.0, np.nan, 6.0],
        "leaves": [4, 3, 8, 2, 9, np.nan, 7, 8],
        "alive": [0, 0, 1, 0, 1, 0, 1, 1],
    }
)
# %%
plants.isna().sum()
# %%
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
# %% [markdown] task
# Build one pipeline `clf` that fills the holes with the column's median, standardises, and then does a logistic regression; fit it to predict `alive` from height and leaves. Store the predicted probability of being alive for a seedling with height 5.5 and unknown number of leaves in `p`.
# %% solution
clf = make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), LogisticRegression())
X = plants[["height", "leaves"]].to_numpy()
clf.fit(X, plants["alive"])
p = clf.predict_proba(np.array([[5.5, np.nan]]))[0, 1]
# %% tests
A = plants[["height", "leaves"]].to_numpy(dtype=float)
med = np.nanmedian(A, axis=0)
B = np.where(np.isnan(A), med, A)
mu, sd = B.mean(axis=0), B.std(axis=0)
ref = LogisticRegression().fit((B - mu) / sd, plants["alive"])
want = ref.predict_proba((np.array([[5.5, med[1]]]) - mu) / sd)[0, 1]
assert abs(float(np.squeeze(p)) - want) < 1e-3
assert hasattr(clf, "steps")
# %% wrong: fills with the mean
clf = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
clf.fit(plants[["height", "leaves"]].to_numpy(), plants["alive"])
p = clf.predict_proba(np.array([[5.5, np.nan]]))[0, 1]
# %% wrong: probability of dying
clf = make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), LogisticRegression())
clf.fit(plants[["height", "leaves"]].to_numpy(), plants["alive"])
p = clf.predict_proba(np.array([[5.5, np.nan]]))[0, 0]
