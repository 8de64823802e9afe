# %% [markdown]
# # A little poem, measured
# %%
poem = [
    "grey light over the harbour",
    "nets and ropes and silence",
    "a gull",
    "then engines",
]
# %%
[len(line) for line in poem]
# %% [markdown]
# Line length says little. Words!
# %% [markdown] task
# list `longest`: the longest word of each line (the first one if there are several)
# %% solution
longest = [max(line.split(), key=len) for line in poem]
# %% tests
assert list(longest) == ["harbour", "silence", "gull", "engines"]
assert len(poem) == 4
# %% wrong: the last word in the alphabet
longest = [max(line.split()) for line in poem]
# %% wrong: the lengths, not the words
longest = [max(len(w) for w in line.split()) for line in poem]
