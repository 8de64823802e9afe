# %% [markdown]
# # Why was the server slow on Tuesday?
# %%
raw = """\
10:00:01 INFO  [web] GET /home took 31ms
10:00:04 ERROR [db] timeout after 5000ms
10:00:09 WARN  [web] GET /cart took 912ms
garbage from the watchdog
10:01:00 INFO  [db] vacuum took 77ms
"""
# %%
import re

lines = raw.splitlines()
len(lines)
# %% [markdown]
# Every proper line has a time, a level, a part in brackets and a message.
# %% [markdown] task
# Parse the lines into a list of dicts called `events` with the keys time, level, part and ms (the milliseconds as an int). Skip lines that don't fit.
# %% solution
pattern = re.compile(r"(\S+)\s+(\w+)\s+\[(\w+)\].*?(\d+)ms$")
events = []
for line in lines:
    m = pattern.match(line)
    if m:
        time, level, part, ms = m.groups()
        events.append({"time": time, "level": level, "part": part, "ms": int(ms)})
# %% tests
assert [dict(e) for e in events] == [
    {"time": "10:00:01", "level": "INFO", "part": "web", "ms": 31},
    {"time": "10:00:04", "level": "ERROR", "part": "db", "ms": 5000},
    {"time": "10:00:09", "level": "WARN", "part": "web", "ms": 912},
    {"time": "10:01:00", "level": "INFO", "part": "db", "ms": 77},
]
# %% wrong: milliseconds stay text
events = []
for line in lines:
    m = re.match(r"(\S+)\s+(\w+)\s+\[(\w+)\].*?(\d+)ms$", line)
    if m:
        events.append(dict(zip(["time", "level", "part", "ms"], m.groups())))
# %% wrong: greedy, only the last digit of the number is left
events = []
for line in lines:
    m = re.match(r"(\S+)\s+(\w+)\s+\[(\w+)\].*(\d+)ms$", line)
    if m:
        time, level, part, ms = m.groups()
        events.append({"time": time, "level": level, "part": part, "ms": int(ms)})
