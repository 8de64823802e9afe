# %% [markdown]
# # Tidy up the export
# The lab software uses three ways of writing names in one and the same table.
# %%
columns = ["sampleId", "Start Time", "peakHeight2", "pH", "Operator"]
# %% [markdown]
# House rule: lower case, words joined with underscores.
# %%
"Start Time".lower().replace(" ", "_")
# %% [markdown]
# That works for some, but not for `sampleId`.
# %% [markdown] task
# Write a function `snake(name)`: spaces become underscores, an underscore goes before a capital that follows a lower-case letter, and everything ends up in lower case. So "sampleId" -> "sample_id", "pH" -> "p_h", "Start Time" -> "start_time".
# %% solution
import re


def snake(name):
    name = name.strip().replace(" ", "_")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
# %% tests
assert [snake(c) for c in columns] == ["sample_id", "start_time", "peak_height2", "p_h", "operator"]
assert snake("maxFlowRate") == "max_flow_rate"
assert snake("ID") == "id"
# %% wrong: an underscore before every capital
import re
def snake(name):
    return re.sub(r"([A-Z])", r"_\1", name.replace(" ", "_")).lower().lstrip("_")
# %% wrong: only joins, does not split at capitals
def snake(name):
    return name.replace(" ", "_").lower()
