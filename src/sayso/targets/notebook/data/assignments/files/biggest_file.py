# %% [markdown]
# # The disk is full again
# A stand-in for the real project folder:
# %%
from pathlib import Path

root = Path("project")
for name, size in {"data/raw.bin": 4000, "data/old/backup.bin": 9500, "figures/plot.svg": 7200, "readme.txt": 120}.items():
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"0" * size)
# %%
[p.name for p in root.iterdir()]
# %% [markdown] task
# Which file is the largest anywhere below `root`? Save its path in `biggest` and its size in bytes in `size`.
# %% solution
biggest = max((p for p in root.rglob("*") if p.is_file()), key=lambda p: p.stat().st_size)
size = biggest.stat().st_size
# %% tests
assert Path(biggest).resolve() == Path("project/data/old/backup.bin").resolve()
assert size == 9500
# %% wrong: looks one folder deep only
biggest = max((p for p in root.glob("*/*") if p.is_file()), key=lambda p: p.stat().st_size)
size = biggest.stat().st_size
# %% wrong: the smallest file
biggest = min((p for p in root.rglob("*") if p.is_file()), key=lambda p: p.stat().st_size)
size = biggest.stat().st_size
