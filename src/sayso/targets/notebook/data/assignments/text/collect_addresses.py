# %% [markdown]
# # Sign-up sheet
# Typed from paper by three different people.
# %%
sheet = """
Mara (mara.k@uni.example), Tom <TOM@club.example>; see also
tom@club.example or the office: info@club.example.
Noor has no mail. @noor on the chat. Mail Eli at eli_1@post.example!
"""
# %% [markdown]
# Domains we know:
# %%
known = ["uni.example", "club.example", "post.example"]
# %% [markdown] task
# Pull out all e-mail addresses, in lower case, each one once, sorted alphabetically: `addresses` (a list).
# %% solution
import re

addresses = sorted({m.lower() for m in re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", sheet)})
# %% tests
assert list(addresses) == ["eli_1@post.example", "info@club.example", "mara.k@uni.example", "tom@club.example"]
# %% wrong: one address twice because of its capitals
import re
addresses = sorted(set(re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", sheet)))
# %% wrong: splits at blanks and keeps the punctuation
addresses = sorted({w.lower() for w in sheet.split() if "@" in w})
