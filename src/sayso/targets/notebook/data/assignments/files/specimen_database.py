# %% [markdown]
# # Moths in a database file
# %%
import sqlite3

con = sqlite3.connect("moths.db")
con.execute("drop table if exists moth")
con.execute("create table moth (species text, trap integer, wingspan real)")
con.executemany(
    "insert into moth values (?, ?, ?)",
    [("hawk", 1, 61.0), ("emerald", 1, 30.5), ("hawk", 2, 66.0), ("footman", 2, 28.0), ("hawk", 2, 65.0), ("emerald", 3, 31.5)],
)
con.commit()
# %%
con.execute("select count(*) from moth").fetchone()
# %% [markdown] task
# Query the mean wingspan per species, but only for species caught at least twice, the largest first. Keep the rows in `spans` as (species, mean).
# %% solution
spans = con.execute(
    "select species, avg(wingspan) from moth group by species having count(*) >= 2 order by avg(wingspan) desc"
).fetchall()
# %% tests
assert [(s, round(float(m), 6)) for s, m in spans] == [("hawk", 64.0), ("emerald", 31.0)]
# %% wrong: species caught once are in
spans = con.execute("select species, avg(wingspan) from moth group by species order by avg(wingspan) desc").fetchall()
# %% wrong: more than twice
spans = con.execute("select species, avg(wingspan) from moth group by species having count(*) > 2 order by 2 desc").fetchall()
