# %% [markdown]
# # Primer candidates
# Sequences in FASTA: a `>` line with the name (then a remark), followed by one or more lines of bases.
# %%
fasta = """>p1 forward, batch 3
ATGCC
GTA
>p2 reverse
TTGACA

>p3
GGC
CCA
T
"""
# %%
complement = str.maketrans("ACGT", "TGCA")
"ATGC".translate(complement)[::-1]
# %% [markdown] task
# Read this into a dict `seqs`: name (just the first word after `>`) -> the complete sequence.
# %% solution
seqs = {}
for line in fasta.splitlines():
    if line.startswith(">"):
        name = line[1:].split()[0]
        seqs[name] = ""
    elif line.strip():
        seqs[name] += line.strip()
# %% tests
assert dict(seqs) == {"p1": "ATGCCGTA", "p2": "TTGACA", "p3": "GGCCCAT"}
# %% wrong: only the last line of every sequence
seqs = {}
for line in fasta.splitlines():
    if line.startswith(">"):
        name = line[1:].split()[0]
    elif line:
        seqs[name] = line
# %% wrong: the remark is part of the name
seqs = {}
for line in fasta.splitlines():
    if line.startswith(">"):
        name = line[1:]
        seqs[name] = ""
    else:
        seqs[name] += line
