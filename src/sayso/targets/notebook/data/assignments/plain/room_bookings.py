# %% [markdown]
# # When is the hall in use?
# Bookings (from, to) in hours of the day, as they came in.
# %%
bookings = [(14, 16), (9, 11), (10, 12), (16, 17), (20, 22), (9, 10)]
# %%
total_booked = sum(b - a for a, b in bookings)
total_booked
# %% [markdown]
# Some overlap, so that sum is too large. Bookings that touch (one ends when the next begins) are one block for the caretaker.
# %% [markdown] task
# Write a function `blocks(bookings)` that returns the merged blocks as a sorted list of (from, to) tuples. It must cope with an empty list and must not change the list it is given.
# %% solution
def blocks(bookings):
    merged = []
    for start, end in sorted(bookings):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
# %% tests
assert [tuple(b) for b in blocks(bookings)] == [(9, 12), (14, 17), (20, 22)]
assert list(blocks([])) == []
assert [tuple(b) for b in blocks([(1, 10), (2, 3)])] == [(1, 10)]
assert bookings == [(14, 16), (9, 11), (10, 12), (16, 17), (20, 22), (9, 10)]
# %% wrong: blocks that touch stay apart
def blocks(bookings):
    merged = []
    for start, end in sorted(bookings):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
# %% wrong: a short booking inside of a long one cuts it off
def blocks(bookings):
    merged = []
    for start, end in sorted(bookings):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
