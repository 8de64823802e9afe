# %% [markdown]
# # Packing worksheets
# %%
sheets = [f"sheet {i}" for i in range(1, 12)]
len(sheets)
# %% [markdown]
# An envelope takes at most four.
# %%
envelopes_needed = -(-len(sheets) // 4)
envelopes_needed
# %% [markdown] task
# A function `packs(items, size)`, please, that cuts a list into consecutive lists of `size` items; the last one may be shorter. No empty pack at the end.
# %% solution
def packs(items, size):
    return [items[i : i + size] for i in range(0, len(items), size)]
# %% tests
result = [list(p) for p in packs(sheets, 4)]
assert [len(p) for p in result] == [4, 4, 3]
assert sum(result, []) == sheets
assert [list(p) for p in packs([1, 2, 3, 4], 2)] == [[1, 2], [3, 4]]
assert list(packs([], 3)) == []
# %% wrong: the short pack is lost
def packs(items, size):
    return [items[i * size : (i + 1) * size] for i in range(len(items) // size)]
# %% wrong: an empty pack when it comes out even
def packs(items, size):
    return [items[i * size : (i + 1) * size] for i in range(len(items) // size + 1)]
