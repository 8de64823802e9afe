# %% [markdown]
# # Greenhouse loggers
# Whenever a logger reconnects it sends its last readings again, sometimes corrected.
# Rows are in the order in which they arrived.
# %%
import pandas as pd
# %%
log = pd.DataFrame(
    {
        "sensor": ["g1", "g2", "g1", "g1", "g2", "g1", "g2"],
        "minute": [0, 0, 5, 0, 5, 5, 5],
        "humidity": [61, 58, 63, 60, 57, 63, 55],
    }
)
# %%
print(len(log), "rows,", log.duplicated().sum(), "exact repeats")
# %% [markdown] task
# For every sensor and minute keep only what arrived last -> `clean`. Leave `log` alone.
# %% solution
clean = log.drop_duplicates(subset=["sensor", "minute"], keep="last")
# %% tests
got = {(r["sensor"], r["minute"]): r["humidity"] for r in clean.reset_index().to_dict("records")}
assert got == {("g1", 0): 60, ("g2", 0): 58, ("g1", 5): 63, ("g2", 5): 55}
assert len(clean) == 4
assert len(log) == 7 and list(log["humidity"]) == [61, 58, 63, 60, 57, 63, 55]
# %% wrong: keeps what arrived first
clean = log.drop_duplicates(subset=["sensor", "minute"])
# %% wrong: only rows that are equal in every column are dropped
clean = log.drop_duplicates(keep="last")
