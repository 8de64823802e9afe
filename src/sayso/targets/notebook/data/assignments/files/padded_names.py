# %% [markdown]
# # Scanned pages
# The scanner names its files scan1.png, scan2.png, … which sort badly.
# %%
import os

os.makedirs("scans", exist_ok=True)
for i in [1, 2, 10, 11, 100]:
    with open(f"scans/scan{i}.png", "w") as f:
        f.write(f"page {i}")
# %%
sorted(os.listdir("scans"))
# %% [markdown]
# See? 10 comes before 2.
# %% [markdown] task
# Please rename the files so that the number always has three digits (scan001.png and so on).
# %% solution
for name in os.listdir("scans"):
    number = int(name.removeprefix("scan").removesuffix(".png"))
    os.rename(f"scans/{name}", f"scans/scan{number:03d}.png")
# %% tests
assert sorted(os.listdir("scans")) == ["scan001.png", "scan002.png", "scan010.png", "scan011.png", "scan100.png"]
assert [open(f"scans/scan{i:03d}.png").read() for i in (1, 2, 10, 11, 100)] == ["page 1", "page 2", "page 10", "page 11", "page 100"]
# %% wrong: two zeros in front of every number
for name in os.listdir("scans"):
    os.rename(f"scans/{name}", f"scans/{name.replace('scan', 'scan00')}")
# %% wrong: copies, the old files stay
import shutil
for name in os.listdir("scans"):
    number = int(name[4:-4])
    if number < 100:
        shutil.copy(f"scans/{name}", f"scans/scan{number:03d}.png")
