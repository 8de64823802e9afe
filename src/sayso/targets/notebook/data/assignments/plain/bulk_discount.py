# %% [markdown]
# # Invoice for the allotment society
# %%
prices = {"compost": 6.0, "seeds": 1.5, "net": 11.0}
order = [("compost", 12), ("seeds", 30), ("net", 1)]
# %% [markdown]
# From 10 pieces of the same thing on, that line gets 10 % off. If the invoice is below 100 after that, add 5 for delivery.
# %%
before = sum(prices[item] * n for item, n in order)
before
# %% [markdown] task
# work out `total`
# %% solution
total = 0
for item, n in order:
    line = prices[item] * n
    if n >= 10:
        line *= 0.9
    total += line
if total < 100:
    total += 5
# %% tests
assert abs(total - 116.3) < 1e-6
assert before == 128.0
# %% wrong: ten per cent off everything
total = sum(prices[item] * n for item, n in order) * 0.9
if total < 100:
    total += 5
# %% wrong: delivery is always added
total = 0
for item, n in order:
    total += prices[item] * n * (0.9 if n >= 10 else 1)
total += 5
