# %% [markdown]
# # Programme leaflet
# The leaflet has a narrow column, 30 characters at most.
# %%
blurb = "The quartet plays three short pieces for strings, followed by an unfinished sketch that was found in an attic."
width = 30
# %%
len(blurb), max(len(w) for w in blurb.split())
# %% [markdown] task
# Break the blurb into lines of at most `width` characters without cutting any word, as few lines as possible. Store the list of lines in `lines`.
# %% solution
import textwrap

lines = textwrap.wrap(blurb, width)
# %% tests
assert all(isinstance(line, str) and len(line.rstrip()) <= 30 for line in lines)
assert " ".join(" ".join(lines).split()) == blurb
assert len(lines) == 4
assert all(line.strip() for line in lines)
# %% wrong: cuts words
lines = [blurb[i : i + width] for i in range(0, len(blurb), width)]
# %% wrong: five words a line, whatever their length
ws = blurb.split()
lines = [" ".join(ws[i : i + 5]) for i in range(0, len(ws), 5)]
