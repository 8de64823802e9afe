"""Learning a grammar from files and renaming the words of a corpus, from the command line."""

from __future__ import annotations

import json
import lzma
from itertools import product
from pathlib import Path

import pytest

from sayso.apps.cli.main import main as sayso
from sayso.experiments.induced import main
from sayso.induction import load_grammar
from sayso.neural.bundle import load_bundle
from sayso.targets.api.corpus.okapi import SCAN_SPLITS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Files in SCAN's form that speak of other things; test joins what train never does."""
    deeds = {word: word.upper() for word in ("sing", "hum", "clap", "drum", "whistle", "tap", "stamp", "ring")}
    ones = [*deeds.items(), *((f"{deed} again", f"{sound} {sound}") for deed, sound in deeds.items())]
    lines = [f"IN: {a} and {b} OUT: {x} {y}" for (a, x), (b, y) in product(ones, ones)]
    lines += [f"IN: {a} OUT: {x}" for a, x in ones]
    test = [line for line in lines if "again and clap again" in line]
    folder = tmp_path / "data"
    (folder / "scan").mkdir(parents=True)
    for split, (part, kept) in product(SCAN_SPLITS, (("train", set(lines) - set(test)), ("test", set(test)))):
        text = "".join(f"{line}\n" for line in sorted(kept))
        (folder / "scan" / f"tasks_{part}_{split}.txt.xz").write_bytes(lzma.compress(text.encode()))
    return folder


def test_a_learned_bundle_is_scored_by_eval(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "grammar"
    assert main(["learn", "api/scan-mcd1", "--data", str(data), "--seed", "1", "--out", str(out)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rules"] == 8 + 2 and said["dev"]["right"] == said["dev"]["n"] > 0
    monkeypatch.setenv("SAYSO_DATA", str(data))
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "results"))
    monkeypatch.chdir(tmp_path)
    assert sayso(["eval", "api/scan-mcd1", "--split", "test", "--system", str(out), "--json"]) == 0
    score = json.loads(capsys.readouterr().out)["scores"][0]
    assert (score["name"], score["value"], score["n"]) == ("exact", 1.0, 8)


def test_renamed_words_give_a_grammar_of_the_same_size(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    assert main(["rename", "--data", str(data), "--seed", "5", "--out", str(other)]) == 0
    before, after = (
        lzma.decompress((folder / "scan" / "tasks_train_mcd2.txt.xz").read_bytes()).decode().split()
        for folder in (data, other)
    )
    assert len(before) == len(after) and set(before) & set(after) == {"IN:", "OUT:"}
    assert len(set(zip(before, after, strict=True))) == len(set(before)) == len(set(after))
    assert main(["learn", "api/scan-mcd2", "--data", str(other), "--out", str(tmp_path / "grammar")]) == 0
    assert len(load_grammar(load_bundle(tmp_path / "grammar")).rules) == 8 + 2


def test_a_corpus_that_is_not_here_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rename", "--data", str(tmp_path), "--out", str(tmp_path / "o")]) != 0
    assert "scan" in capsys.readouterr().err
