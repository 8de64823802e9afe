# %% [markdown]
# # How long are my sentences?
# My supervisor says: too long.
# %%
draft = "We measured twice. Why? Because the first probe, which was old, had drifted by 0.4 degrees. It was replaced!"
# %%
len(draft.split())
# %% [markdown]
# A sentence ends with `.`, `?` or `!` followed by a blank or the end of the text (so 0.4 doesn't end one).
# %% [markdown] task
# number of words in every sentence, in order -> `lengths`
# %% solution
import re

lengths = [len(s.split()) for s in re.split(r"(?<=[.?!])\s+", draft.strip())]
# %% tests
assert list(lengths) == [3, 1, 12, 3]
# %% wrong: splits inside of 0.4
import re
lengths = [len(s.split()) for s in re.split(r"[.?!]", draft) if s.strip()]
# %% wrong: full stops only
lengths = [len(s.split()) for s in draft.split(". ")]
