# %% [markdown]
# # What do people complain about?
# A few lines from the suggestion box.
# %%
notes = """The queue is too long. Queue again at the till!
Coffee is cold, the queue was long. Cold soup too.
The till was closed, the coffee good."""
# %%
stop = {"the", "is", "was", "at", "too", "again"}
# %% [markdown]
# Case and punctuation shouldn't matter.
# %%
import re
from collections import Counter

words = re.findall(r"[a-z]+", notes.lower())
len(words)
# %% [markdown] task
# Count the words that aren't stop words and put the three most frequent into `top` as (word, count) pairs, most frequent first and equal counts by the alphabet.
# %% solution
counts = Counter(w for w in words if w not in stop)
top = sorted(counts.items(), key=lambda wc: (-wc[1], wc[0]))[:3]
# %% tests
assert [tuple(pair) for pair in top] == [("queue", 3), ("coffee", 2), ("cold", 2)]
# %% wrong: stop words are counted
top = sorted(Counter(words).items(), key=lambda wc: (-wc[1], wc[0]))[:3]
# %% wrong: equal counts in reverse order
counts = Counter(w for w in words if w not in stop)
top = sorted(counts.items(), key=lambda wc: (wc[1], wc[0]), reverse=True)[:3]
