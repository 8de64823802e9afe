# %% [markdown]
# # Grant spending
# Accounting sends amounts as text. Parentheses mean a refund, i.e. a negative amount.
# %%
import pandas as pd

grants = pd.DataFrame({"line": ["travel", "lab", "refund", "print"], "amount": ["$1,250.00", "$ 310.75", "($45.50)", "$9.10"]})
# %%
grants["amount"].str.len()
# %% [markdown]
# Can't sum that.
# %% [markdown] task
# Turn the amounts into numbers: new column `usd` (floats, refunds negative).
# %% solution
negative = grants["amount"].str.startswith("(")
digits = grants["amount"].str.replace(r"[^0-9.]", "", regex=True).astype(float)
grants["usd"] = digits.where(~negative, -digits)
# %% tests
assert [round(float(v), 2) for v in grants["usd"]] == [1250.0, 310.75, -45.5, 9.1]
assert abs(float(grants["usd"].sum()) - 1524.35) < 1e-6
# %% wrong: refunds stay positive
grants["usd"] = grants["amount"].str.replace(r"[^0-9.]", "", regex=True).astype(float)
# %% wrong: the cents are read as further digits
digits = grants["amount"].str.replace(r"[^0-9]", "", regex=True).astype(float)
grants["usd"] = digits.where(~grants["amount"].str.startswith("("), -digits)
