# %% [markdown]
# # Interpreters
# %%
speaks = {"Marek": ["pl", "de"], "Sofia": ["es", "fr", "de"], "Tuan": ["vi", "fr"]}
# %% [markdown]
# Easy to ask what Sofia speaks:
# %%
speaks["Sofia"]
# %% [markdown] task
# Now the other way round: `by_language`, language -> list of people who speak it, names sorted.
# %% solution
by_language = {}
for person in sorted(speaks):
    for language in speaks[person]:
        by_language.setdefault(language, []).append(person)
# %% tests
assert {k: list(v) for k, v in dict(by_language).items()} == {
    "pl": ["Marek"], "de": ["Marek", "Sofia"], "es": ["Sofia"], "fr": ["Sofia", "Tuan"], "vi": ["Tuan"],
}
# %% wrong: one person per language
by_language = {language: [person] for person in speaks for language in speaks[person]}
# %% wrong: only the first language of everybody
by_language = {}
for person in sorted(speaks):
    by_language.setdefault(speaks[person][0], []).append(person)
