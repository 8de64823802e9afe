# %% [markdown]
# # Piano lessons: what came in
# %%
import pandas as pd

lessons = pd.DataFrame(
    {
        "paid": pd.to_datetime(["2022-11-03", "2022-11-24", "2023-01-12", "2022-12-30", "2023-11-02", "2023-01-31"]),
        "eur": [40, 40, 55, 40, 60, 55],
    }
)
# %%
lessons["eur"].describe()
# %% [markdown]
# The tax form wants months. November 2022 and November 2023 are two different months, of course.
# %% [markdown] task
# Total income per calendar month, as a dict `income` with keys like "2022-11" (only months with income).
# %% solution
month = lessons["paid"].dt.strftime("%Y-%m")
income = lessons.groupby(month)["eur"].sum().to_dict()
# %% tests
assert {str(k): float(v) for k, v in dict(income).items()} == {"2022-11": 80, "2022-12": 40, "2023-01": 110, "2023-11": 60}
# %% wrong: the years are thrown together
income = lessons.groupby(lessons["paid"].dt.month)["eur"].sum().to_dict()
# %% wrong: counts payments
income = lessons.groupby(lessons["paid"].dt.strftime("%Y-%m"))["eur"].count().to_dict()
