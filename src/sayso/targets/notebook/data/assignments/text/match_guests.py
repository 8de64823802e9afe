# %% [markdown]
# # Guest list against door list
# %%
invited = ["José Álvarez", "Zoë Quinn", "Ole Bull", "Renée  Faure"]
at_door = ["jose alvarez", "OLE BULL ", "renee faure", "Max Roe"]
# %% [markdown]
# The door list was typed on a phone without accents.
# %%
set(invited) & set(at_door)
# %% [markdown] task
# Compare the names without regard to accents, capitals and extra blanks. Which of the invited guests came? List them in `came`, written as in `invited` and in that order.
# %% solution
import unicodedata

def plain(name):
    letters = unicodedata.normalize("NFKD", name)
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(letters.lower().split())

door = {plain(name) for name in at_door}
came = [name for name in invited if plain(name) in door]
# %% tests
assert list(came) == ["José Álvarez", "Ole Bull", "Renée  Faure"]
# %% wrong: accents still count
door = {" ".join(n.lower().split()) for n in at_door}
came = [n for n in invited if " ".join(n.lower().split()) in door]
# %% wrong: blanks still count
import unicodedata
def plain(name):
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).lower()
door = {plain(n) for n in at_door}
came = [n for n in invited if plain(n) in door]
