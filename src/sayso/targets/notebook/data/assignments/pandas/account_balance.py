# %% [markdown]
# # Club cash books
# We have two accounts. The bookings were typed in from paper slips, in no particular order.
# %%
import pandas as pd
# %%
book = pd.DataFrame(
    {
        "account": ["bar", "kit", "bar", "kit", "bar", "kit"],
        "day": [3, 1, 1, 4, 2, 2],
        "amount": [-20, 100, 50, -35, 30, 15],
    }
)
book
# %%
book.groupby("account")["amount"].sum()
# %% [markdown]
# Totals agree with the bank. What the treasurer wants is how the money moved.
# %% [markdown] task
# Please build `ledger`: the bookings sorted by account and then day, with an extra column `balance` that holds the running balance of that account after the booking.
# %% solution
ledger = book.sort_values(["account", "day"])
ledger["balance"] = ledger.groupby("account")["amount"].cumsum()
# %% tests
assert list(ledger["account"]) == ["bar"] * 3 + ["kit"] * 3
assert list(ledger["day"]) == [1, 2, 3, 1, 2, 4]
assert list(ledger["balance"]) == [50, 80, 60, 100, 115, 80]
# %% wrong: balance runs through both accounts
ledger = book.sort_values(["account", "day"])
ledger["balance"] = ledger["amount"].cumsum()
# %% wrong: sums before sorting by day
ledger = book.copy()
ledger["balance"] = ledger.groupby("account")["amount"].cumsum()
ledger = ledger.sort_values(["account", "day"])
