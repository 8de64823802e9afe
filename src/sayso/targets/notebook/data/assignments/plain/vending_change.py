# %% [markdown]
# # Vending machine
# Amounts are in cents, to keep floats out of it.
# %%
coins = [200, 100, 50, 20, 10, 5]
price, paid = 135, 500
# %%
due = paid - price
due
# %% [markdown]
# Large coins first; the machine has plenty of each.
# %% [markdown] task
# Which coins come out? Dict `change`: coin -> number of pieces, only coins that are needed.
# %% solution
change = {}
rest = due
for coin in coins:
    pieces, rest = divmod(rest, coin)
    if pieces:
        change[coin] = pieces
# %% tests
assert {int(k): int(v) for k, v in dict(change).items()} == {200: 1, 100: 1, 50: 1, 10: 1, 5: 1}
# %% wrong: every coin against the full amount
change = {coin: due // coin for coin in coins if due // coin}
# %% wrong: small coins first
change, rest = {}, due
for coin in reversed(coins):
    pieces, rest = divmod(rest, coin)
    if pieces:
        change[coin] = pieces
