# %% [markdown]
# # Settings of the plate reader
# %%
ini = """[lamp]
power = 40
shutter = open

[stage]
speed = 2.5
"""
with open("reader.ini", "w") as f:
    f.write(ini)
# %%
import configparser

cfg = configparser.ConfigParser()
cfg.read("reader.ini")
cfg.sections()
# %% [markdown] task
# Change the lamp power to 55, add a section `camera` with exposure = 120, and write it all back to reader.ini.
# %% solution
cfg["lamp"]["power"] = "55"
cfg["camera"] = {"exposure": "120"}
with open("reader.ini", "w") as f:
    cfg.write(f)
# %% tests
check = configparser.ConfigParser()
check.read("reader.ini")
assert {s: {k: v.strip() for k, v in check[s].items()} for s in check.sections()} == {
    "lamp": {"power": "55", "shutter": "open"},
    "stage": {"speed": "2.5"},
    "camera": {"exposure": "120"},
}
# %% wrong: the file is not written
cfg["lamp"]["power"] = "55"
cfg["camera"] = {"exposure": "120"}
# %% wrong: a new file that forgets the other settings
new = configparser.ConfigParser()
new["lamp"] = {"power": "55"}
new["camera"] = {"exposure": "120"}
with open("reader.ini", "w") as f:
    new.write(f)
