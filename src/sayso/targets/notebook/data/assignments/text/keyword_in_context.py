# %% [markdown]
# # Reading the diary of a lighthouse keeper
# I want to see how he uses the word *fog*.
# %%
diary = "thick fog at dawn the fog bell rang until noon when the sun ate the fog and a ship without any fog horn came close"
# %%
tokens = diary.split()
tokens.count("fog")
# %% [markdown] task
# Collect every occurrence of "fog" with up to two words before it and up to two after it, as tuples (before, after) of strings joined by blanks, in the list `contexts`. The first one would be ("thick", "at dawn").
# %% solution
contexts = []
for i, token in enumerate(tokens):
    if token == "fog":
        before = tokens[max(0, i - 2) : i]
        after = tokens[i + 1 : i + 3]
        contexts.append((" ".join(before), " ".join(after)))
# %% tests
assert [tuple(c) for c in contexts] == [
    ("thick", "at dawn"),
    ("dawn the", "bell rang"),
    ("ate the", "and a"),
    ("without any", "horn came"),
]
# %% wrong: at the start the slice wraps round to nothing
contexts = []
for i, token in enumerate(tokens):
    if token == "fog":
        contexts.append((" ".join(tokens[i - 2 : i]), " ".join(tokens[i + 1 : i + 3])))
# %% wrong: only one word after it
contexts = []
for i, token in enumerate(tokens):
    if token == "fog":
        contexts.append((" ".join(tokens[max(0, i - 2) : i]), " ".join(tokens[i + 1 : i + 2])))
