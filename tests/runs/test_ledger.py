"""The ledger: append-only, locked, readable after a crash."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
from pathlib import Path

import pytest

from sayso.core.errors import MachineError
from sayso.core.types import Score
from sayso.runs import provenance
from sayso.runs.ledger import Ledger, entry, read_score, score_row


def test_an_entry_comes_back_as_it_was(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "new" / "ledger.jsonl")
    score = Score("hit@1", 0.5, 10, {"late": 2}, "hit|v:1", 0.4, 0.6)
    written = entry("eval", "t", "s", split="test", settings={"k": 3}, seed=7, scores=[score_row(score)])
    ledger.append(written)
    (read,), notes = ledger.read()
    assert (read, notes) == (written, [])
    assert read_score(read.scores[0]) == score
    assert read.whole


def test_no_ledger_is_an_empty_one(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "ledger.jsonl").read() == ([], [])


@pytest.mark.parametrize("torn", [b'{"kind": "eval", "ta', b"\x00\x00\x00", b"[]", b'{"kind": "eval"}'])
def test_a_torn_last_line_is_noted_and_the_rest_survives(tmp_path: Path, torn: bytes) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.append(entry("eval", "t", "s", split="test"))
    with ledger.path.open("ab") as file:
        file.write(torn)
    entries, notes = ledger.read()
    assert len(entries) == 1
    assert len(notes) == 1
    assert notes[0].startswith(f"{ledger.path}:2: skipped")
    ledger.append(entry("eval", "t", "s", split="test"))
    assert ledger.test_runs("t", "s") == 2
    assert len(ledger.read()[1]) == 1


def append_many(path: Path, count: int) -> None:
    for number in range(count):
        Ledger(path).append(entry("eval", "t", "s", split="test", settings={"filler": "x" * 3000, "number": number}))


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=append_many, args=(path, 20)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    entries, notes = Ledger(path).read()
    assert (len(entries), notes) == (60, [])


def test_a_newer_ledger_with_more_fields_is_still_read(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.path.write_text(
        json.dumps({"kind": "eval", "task": "t", "system": "s", "split": "test", "planet": "x"}) + "\n"
    )
    assert ledger.test_runs("t", "s") == 1


def test_a_full_disk_is_one_clear_line() -> None:
    with pytest.raises(MachineError, match="cannot write /dev/full: No space left on device") as caught:
        Ledger(Path("/dev/full")).append(entry("train", "t", "s"))
    assert "free some disk space" in caught.value.hint


def test_the_commit_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    provenance.commit.cache_clear()
    inside = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=provenance.PACKAGE, capture_output=True, text=True, check=False
    )
    assert provenance.commit()[0] == inside.stdout.strip()
    # A package that lies untracked inside a checkout of something else has no commit.
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "__init__.py").touch()
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path)
    provenance.commit.cache_clear()
    assert provenance.commit() == ("", False)
    provenance.commit.cache_clear()
