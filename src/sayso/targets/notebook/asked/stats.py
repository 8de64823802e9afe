"""The tables of the asked cells: counted on what is published, beside what was dropped when it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

from sayso.core.counted import Cell, CountedCorpus, shares
from sayso.english.near_words import near_each_other
from sayso.targets.notebook.asked.sifting import GROUNDS
from sayso.targets.notebook.asked.stored import FOLDER, NAME, Asked, load_asked, load_made
from sayso.targets.notebook.asked.tried import named_in
from sayso.targets.notebook.syntax import api_sequence

TOP = 40


def asked_stats(folder: Path = FOLDER) -> CountedCorpus:
    found, made = load_asked(folder), load_made(folder)
    asks = [ask for setting, _ in found for ask in setting.asks]
    calls: Counter[str] = Counter()
    libraries: Counter[str] = Counter()
    for setting, _ in found:
        above = "\n".join(setting.shown)
        for ask in setting.asks:
            calls.update(set(api_sequence(ask.code)))
            libraries.update(named_in(f"{above}\n{ask.code}") or ["the standard library alone"])
    common = dict(calls.most_common(TOP))
    tables = {
        "cells": overview(found, made),
        "writer, by asks": shares(Counter(one.id.partition(":")[0] for one, _ in found for _ in one.asks)),
        "library that stands above or in the cell, by asks": shares(dict(libraries.most_common()), len(asks)),
        "asks that stand below others": shares(Counter(str(ask.follows) for ask in asks)),
        "phrasings to an ask": shares(Counter(str(len(ask.phrasings)) for ask in asks)),
        f"call, the {TOP} commonest of {len(calls)}, by asks": shares(common, len(asks)),
        "near what cells are measured by, dropped": shares(made.get("near", {})),
    }
    kept = {title: rows for title, rows in tables.items() if rows}
    return CountedCorpus(NAME, kept, made["dropped"], GROUNDS, {"calls": common})


def overview(found: Sequence[Asked], made: Mapping[str, Mapping[str, int]]) -> dict[str, Cell]:
    asks = [ask for setting, _ in found for ask in setting.asks]
    phrasings = [one for ask in asks for one in ask.phrasings]
    total = len(phrasings) or 1
    near = near_each_other(phrasings)
    read = made["read"]
    rows: dict[str, tuple[float, float | None]] = {
        "settings read": (read["settings"], None),
        "settings": (len(found), round(len(found) / max(1, read["settings"]), 4)),
        "asks read": (read["asks"], None),
        "asks": (len(asks), round(len(asks) / max(1, read["asks"]), 4)),
        "requests read": (read["phrasings"], None),
        "requests": (len(phrasings), round(len(phrasings) / max(1, read["phrasings"]), 4)),
        "words in a request": (round(fmean([len(one.split()) for one in phrasings] or [0]), 1), None),
        "lines in a cell, the middle one": (median([len(ask.code.splitlines()) for ask in asks] or [0]), None),
        "cells that differ": (len({ask.code for ask in asks}), None),
        "requests near another, four fifths of the words in common": (near, round(near / total, 4)),
        "requests that none may be near": (float(str(made.get("held out", 0))), None),
    }
    return {row: {"n": n, "share": share} for row, (n, share) in rows.items()}
