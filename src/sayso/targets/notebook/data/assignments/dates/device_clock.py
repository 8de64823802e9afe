# %% [markdown]
# # Data from a wrist sensor
# Time stamps are milliseconds since 1 January 1970 (UTC).
# %%
import pandas as pd

raw = pd.DataFrame({"ts": [1700000000000, 1700000000250, 1700000060000, 1700000061500], "steps": [0, 1, 85, 86]})
# %%
(raw["ts"].iloc[-1] - raw["ts"].iloc[0]) / 1000
# %% [markdown] task
# add a column `time` with proper timestamps
# %% solution
raw["time"] = pd.to_datetime(raw["ts"], unit="ms")
# %% tests
stamps = [pd.Timestamp(v) for v in raw["time"]]
stamps = [s.tz_convert("UTC").tz_localize(None) if s.tzinfo else s for s in stamps]
assert stamps[0] == pd.Timestamp("2023-11-14 22:13:20")
assert stamps[1] - stamps[0] == pd.Timedelta(milliseconds=250)
assert stamps[3] == pd.Timestamp("2023-11-14 22:14:21.500")
# %% wrong: read as nanoseconds
raw["time"] = pd.to_datetime(raw["ts"])
# %% wrong: loses the milliseconds
raw["time"] = pd.to_datetime(raw["ts"] // 1000, unit="s")
