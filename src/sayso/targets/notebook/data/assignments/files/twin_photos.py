# %% [markdown]
# # Duplicates in the photo folder
# Uncle Frank copied his camera card three times, under different names.
# %%
from pathlib import Path

photos = Path("photos")
photos.mkdir(exist_ok=True)
contents = {"a.jpg": b"beach", "b.jpg": b"dog", "copy of a.jpg": b"beach", "c.jpg": b"cake", "IMG_9.jpg": b"beach", "d.jpg": b"dogs"}
for name, data in contents.items():
    (photos / name).write_bytes(data)
# %%
sizes = {p.name: p.stat().st_size for p in photos.iterdir()}
sizes
# %% [markdown]
# Same size does not mean same picture: `b.jpg` is 3 bytes, `c.jpg` and `d.jpg` are 4 bytes each but different.
# %% [markdown] task
# Find the groups of files with the very same content. `twins` should be a list with one list of names (sorted) per group; files without a twin are left out.
# %% solution
groups = {}
for path in photos.iterdir():
    groups.setdefault(path.read_bytes(), []).append(path.name)
twins = [sorted(names) for names in groups.values() if len(names) > 1]
# %% tests
assert [sorted(g) for g in twins] == [["IMG_9.jpg", "a.jpg", "copy of a.jpg"]]
# %% wrong: compares sizes
groups = {}
for path in photos.iterdir():
    groups.setdefault(path.stat().st_size, []).append(path.name)
twins = [sorted(names) for names in groups.values() if len(names) > 1]
# %% wrong: files without a twin are groups as well
groups = {}
for path in photos.iterdir():
    groups.setdefault(path.read_bytes(), []).append(path.name)
twins = [sorted(names) for names in groups.values()]
