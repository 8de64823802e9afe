# %% [markdown]
# # Hand-in
# %%
import os
import zipfile

os.makedirs("handin", exist_ok=True)
for name in ["report.txt", "code.py", "cache.tmp", "data.csv", "plot.tmp"]:
    with open(os.path.join("handin", name), "w") as f:
        f.write("content of " + name)
# %% [markdown]
# Temporary files (.tmp) must not be handed in.
# %%
print(len(os.listdir("handin")), "files in the folder")
# %% [markdown] task
# pack the rest into handin.zip. Inside the archive the files shouldn't be in a folder.
# %% solution
with zipfile.ZipFile("handin.zip", "w") as z:
    for name in os.listdir("handin"):
        if not name.endswith(".tmp"):
            z.write(os.path.join("handin", name), arcname=name)
# %% tests
with zipfile.ZipFile("handin.zip") as z:
    inside = {n: z.read(n).decode() for n in z.namelist()}
assert inside == {n: "content of " + n for n in ["report.txt", "code.py", "data.csv"]}
# %% wrong: names keep their folder
with zipfile.ZipFile("handin.zip", "w") as z:
    for name in os.listdir("handin"):
        if not name.endswith(".tmp"):
            z.write(os.path.join("handin", name))
# %% wrong: everything is packed
with zipfile.ZipFile("handin.zip", "w") as z:
    for name in os.listdir("handin"):
        z.write(os.path.join("handin", name), arcname=name)
