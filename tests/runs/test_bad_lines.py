"""Files of lines that would take all memory, or are no lines: one error with file, line and limit."""

from __future__ import annotations

import json
import lzma
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.core.packed import read_packed_lines, unpack_xz
from sayso.runs import lines
from sayso.runs.journal import journal_header, open_journal
from sayso.runs.ledger import Ledger
from sayso.runs.lines import read_lines, read_objects
from sayso.runs.predictions import Origin, origin_path, read_origin, read_predictions, save

zstandard = pytest.importorskip("zstandard")

MIB = 1 << 20


def packed(content: bytes, times: int, path: Path) -> Path:
    """`times` the content in one frame, a few kilobytes whatever it unpacks to."""
    packer = zstandard.ZstdCompressor(level=3).compressobj()
    with path.open("wb") as file:
        for _ in range(times):
            file.write(packer.compress(content))
        file.write(packer.flush())
    return path


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"0" * MIB, r":1: a line of more than 4,194,304 bytes"),
        (b"\n" * MIB, r":\d+: more than 1,073,741,824 bytes"),
        (b'{"id": "1", "candidates": []}\n' * 1000, r":\d+: more than 1,073,741,824 bytes"),
    ],
    ids=["one line", "blank lines", "predictions"],
)
def test_a_small_file_that_unpacks_to_gigabytes_ends_in_one_line(
    content: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "1,073" in says:  # a lower limit, which is as true and quicker
        monkeypatch.setattr(lines, "MOST_UNPACKED", MIB)
        says = says.replace("1,073,741,824", "1,048,576")
    path = packed(content, 192 * MIB // len(content), tmp_path / "p.jsonl.zst")
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    with pytest.raises(BadFile, match=says):
        for _ in read_lines(path):
            pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * MIB


def test_a_frame_that_asks_for_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00\xa0" + b"\x01\x00\x00")  # a window of 2 GiB in the header alone
    with pytest.raises(BadFile, match="is not a zstd file"):
        list(read_lines(path))


def test_a_packed_corpus_that_unpacks_to_gigabytes_ends_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "c.xz"
    path.write_bytes(lzma.compress(b"\0" * (32 * MIB), preset=0))
    tracemalloc.start()
    with pytest.raises(BadFile, match="unpacks to more than 1,000,000 bytes"):
        unpack_xz(path, 1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MIB


@given(texts=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), min_size=1))
def test_packed_lines_come_back_in_streams_of_any_number(
    texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("c") / "c.xz"
    halves = texts[: len(texts) // 2], texts[len(texts) // 2 :]
    path.write_bytes(b"".join(lzma.compress("".join(f"{one}\n" for one in half).encode()) for half in halves))
    assert read_packed_lines(path, "odd", "") == texts


ODD = {
    "NaN": b'{"id": "1", "candidates": [{"text": "ls", "score": NaN}]}',
    "infinite": b'{"id": "1", "candidates": [{"text": "ls", "score": -Infinity}]}',
    "too large": b'{"id": "1", "candidates": [{"text": "ls", "score": 1e999}]}',
    "endless": b'{"id": "1", "candidates": [{"text": "ls", "score": ' + b"9" * 400 + b"}]}",
    "nested": b'{"id": "1", "candidates": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "not UTF-8": b'{"id": "\xff", "candidates": []}',
    "a list": b"[]",
    "a number as id": b'{"id": 1, "candidates": []}',
    "a word as candidates": b'{"id": "1", "candidates": "ls"}',
    "a number as abstained": b'{"id": "1", "candidates": [], "abstained": 1}',
    "a null as score": b'{"id": "1", "candidates": [{"text": "ls", "score": null}]}',
}


@pytest.mark.parametrize("what", ODD)
def test_a_line_that_is_no_prediction_names_its_place(what: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"id": "0", "candidates": []}\n' + ODD[what] + b"\n")
    with pytest.raises(BadFile, match=r"p\.jsonl:2: ") as caught:
        list(read_predictions(path))
    assert len(caught.value.message) < 500


def test_nan_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(b'{"x": NaN}\n')
    with pytest.raises(BadFile, match="NaN is not a number in JSON"):
        list(read_objects(tmp_path / "p.jsonl"))


ORIGINS: dict[str, Callable[[Path], object]] = {
    "text as n": lambda path: path.write_text('{"task": "a", "split": "b", "system": "c", "k": 1, "n": "many"}'),
    "a list": lambda path: path.write_text("[]"),
    "nested": lambda path: path.write_text("[" * 100_000),
    "infinite": lambda path: path.write_text('{"task": "a", "split": "b", "system": "c", "k": Infinity}'),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("what", [one for one in ORIGINS if one != "a folder"])
def test_an_origin_of_another_shape_is_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    save(path, Origin("a", "b", "c", 1), [])
    ORIGINS[what](origin_path(path))
    with pytest.raises(BadFile, match=r"x\.json does not describe predictions"):
        read_origin(path)


@pytest.mark.parametrize("line", [b"[" * 100_000, b"[1]", b"{}", b'[{"id": 1}]', b'[{"id": NaN}]', b"\xff", b"7"])
def test_a_journal_that_another_wrote_on_goes_on_before_it(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with open_journal(path, {"run": 1}) as journal:
        kept = journal.path
    with kept.open("ab") as file:
        file.write(line + b"\n")
    with open_journal(path, {"run": 1}) as journal:
        assert journal.done == ()
    kept.write_bytes(b"[" * 100_000)
    assert journal_header(kept) is None


LEDGER = {"kind": "eval", "task": "a", "system": "b"}


@pytest.mark.parametrize(
    "change", [{"kind": "x"}, {"task": 5}, {"scores": 3}, {"scores": [{}]}, {"settings": []}, {"wall_seconds": "1"}]
)
def test_a_ledger_line_of_another_shape_is_skipped_with_a_note(change: dict[str, object], tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl")
    deep = "[" * 100_000
    ledger.path.write_text(f"{json.dumps(LEDGER)}\n{json.dumps({**LEDGER, **change})}\n{deep}\n")
    entries, notes = ledger.read()
    assert len(entries) == 1
    assert [note.split(": ")[0] for note in notes] == [f"{ledger.path}:2", f"{ledger.path}:3"]
