# %% [markdown]
# # Survey among the interns
# They could tick several hobbies; the form glues them together with semicolons.
# %%
import pandas as pd

survey = pd.DataFrame({"who": ["r1", "r2", "r3", "r4", "r5"], "hobbies": ["chess; music", "music", None, "climbing;chess ;music", "music; climbing"]})
# %%
survey["hobbies"].value_counts()
# %% [markdown]
# Useless like this: every combination is counted by itself.
# %% [markdown] task
# What percentage of those who answered has each hobby? One Series `percent`, hobby -> percentage, most popular first.
# %% solution
answered = survey.dropna(subset=["hobbies"])
single = answered["hobbies"].str.split(";").explode().str.strip()
counts = single.value_counts()
percent = 100 * counts / len(answered)
# %% tests
assert {str(k): round(float(v), 6) for k, v in percent.items()} == {"music": 100.0, "chess": 50.0, "climbing": 50.0}
assert str(percent.index[0]) == "music"
# %% wrong: blanks around the names make new hobbies
answered = survey.dropna(subset=["hobbies"])
percent = 100 * answered["hobbies"].str.split(";").explode().value_counts() / len(answered)
# %% wrong: percentage of all, also of those without an answer
single = survey["hobbies"].str.split(";").explode().str.strip()
percent = 100 * single.value_counts() / len(survey)
