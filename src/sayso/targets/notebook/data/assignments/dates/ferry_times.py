# %% [markdown]
# # Ferry timetable, for guests from abroad
# Departures are in local time, which is UTC+9 all year round.
# %%
from datetime import datetime, timedelta, timezone

local = timezone(timedelta(hours=9))
departures = ["2024-07-01 06:30", "2024-07-01 18:15"]
# %%
crossing = timedelta(hours=3, minutes=40)
# %% [markdown] task
# When do these ferries *arrive*, in UTC? List `arrivals`, as text "YYYY-MM-DD HH:MM".
# %% solution
arrivals = []
for text in departures:
    leaves = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=local)
    lands = (leaves + crossing).astimezone(timezone.utc)
    arrivals.append(lands.strftime("%Y-%m-%d %H:%M"))
# %% tests
assert [str(a) for a in arrivals] == ["2024-07-01 01:10", "2024-07-01 12:55"]
# %% wrong: nine hours in the wrong direction
arrivals = [(datetime.strptime(t, "%Y-%m-%d %H:%M") + crossing + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M") for t in departures]
# %% wrong: time of departure in UTC
arrivals = [datetime.strptime(t, "%Y-%m-%d %H:%M").replace(tzinfo=local).astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M") for t in departures]
