"""The published asked cells: what was made is what lies there, and `sayso stats` counts it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.apps.cli.main import main
from sayso.core.errors import BadFile, MissingData
from sayso.targets.notebook.asked import stats
from sayso.targets.notebook.asked.sifting import NEAR
from sayso.targets.notebook.asked.stored import CELLS, DIGESTS, FOLDER, digests, load_asked, load_made, store_asked
from sayso.targets.notebook.asked.tried import Tried
from sayso.targets.notebook.asked.written import Ask, Setting

ASKS = (Ask(("count the rows", "how many rows"), "len(hives)"), Ask(("now the sum of kg",), "hives.kg.sum()", 1))
ONE = (Setting("w1:0", "", ("import pandas as pd", "hives = pd.DataFrame()"), ASKS), (Tried("ran"), Tried("ran")))
MADE = {"read": {"settings": 2, "asks": 4, "phrasings": 6}, "dropped": {NEAR: 3}, "near": {"everyday dev": 3}}


def test_what_is_published_is_what_was_made() -> None:
    assert json.loads((FOLDER / DIGESTS).read_text()) == digests(FOLDER)
    found, made = load_asked(), load_made()
    assert len({setting.id for setting, _ in found}) == len(found) <= made["read"]["settings"]
    assert all(one.status == "ran" for _, tried in found for one in tried)
    for setting, tried in found:
        assert len(setting.asks) == len(tried) > 0
        assert all(ask.phrasings and ask.code and ask.follows <= place for place, ask in enumerate(setting.asks))


def test_sayso_stats_counts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stats, "load_asked", lambda folder: [ONE])
    monkeypatch.setattr(stats, "load_made", lambda folder: MADE)
    assert main(["stats", "asked-cells", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["tables"]["cells"]["requests"] == {"n": 3, "share": 0.5}
    assert found["tables"]["library that stands above or in the cell, by asks"]["pandas"]["n"] == 2
    assert found["dropped"] == {NEAR: 3}


def test_a_damaged_or_missing_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="asked-cells"):
        load_asked(tmp_path)
    store_asked([ONE], MADE, tmp_path)
    (tmp_path / CELLS).write_bytes((tmp_path / CELLS).read_bytes()[:-20])
    with pytest.raises(BadFile, match=CELLS):
        load_asked(tmp_path)
