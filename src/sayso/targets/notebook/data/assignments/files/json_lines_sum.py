# %% [markdown]
# # Meter readings
# The gateway appends one JSON object per line.
# %%
import json

with open("meters.jsonl", "w") as f:
    for meter, kwh in [("m1", 3.5), ("m2", 1.25), ("m1", 4.0), ("m3", None), ("m2", 2.0)]:
        f.write(json.dumps({"meter": meter, "kwh": kwh}) + "\n")
    f.write("\n")
# %%
print(open("meters.jsonl").read()[:40])
# %% [markdown]
# `null` is a reading that failed. There may be empty lines.
# %% [markdown] task
# Read the file and sum up the kWh for each meter in a dict `usage`. A meter with failed readings only should show up with 0.
# %% solution
usage = {}
with open("meters.jsonl") as f:
    for line in f:
        if line.strip():
            record = json.loads(line)
            usage[record["meter"]] = usage.get(record["meter"], 0) + (record["kwh"] or 0)
# %% tests
assert {k: float(v) for k, v in dict(usage).items()} == {"m1": 7.5, "m2": 3.25, "m3": 0.0}
# %% wrong: the last reading wins
usage = {}
for line in open("meters.jsonl"):
    if line.strip():
        record = json.loads(line)
        usage[record["meter"]] = record["kwh"] or 0
# %% wrong: meters without a good reading are missing
usage = {}
for line in open("meters.jsonl"):
    if line.strip():
        record = json.loads(line)
        if record["kwh"]:
            usage[record["meter"]] = usage.get(record["meter"], 0) + record["kwh"]
