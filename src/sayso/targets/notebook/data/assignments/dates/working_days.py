# %% [markdown]
# # How long do permits take?
# The office counts working days, Monday to Friday, from the day of receipt (included) to the day of the decision (not included).
# %%
import numpy as np
import pandas as pd

permits = pd.DataFrame({"received": ["2024-04-29", "2024-05-03", "2024-05-10"], "decided": ["2024-05-06", "2024-05-06", "2024-05-24"]})
# %% [markdown]
# Holidays in that time:
# %%
holidays = ["2024-05-01", "2024-05-09", "2024-05-20"]
# %% [markdown] task
# Put the number of working days for every permit into a column `working_days` (holidays are not working days).
# %% solution
received = permits["received"].to_numpy().astype("datetime64[D]")
decided = permits["decided"].to_numpy().astype("datetime64[D]")
permits["working_days"] = np.busday_count(received, decided, holidays=holidays)
# %% tests
assert [int(v) for v in permits["working_days"]] == [4, 1, 9]
# %% wrong: holidays count as working days
a = np.array(list(permits["received"]), dtype="datetime64[D]")
b = np.array(list(permits["decided"]), dtype="datetime64[D]")
permits["working_days"] = np.busday_count(a, b)
# %% wrong: calendar days
permits["working_days"] = (pd.to_datetime(permits["decided"]) - pd.to_datetime(permits["received"])).dt.days
