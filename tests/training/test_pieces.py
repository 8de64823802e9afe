"""Results cut into pieces come back whole, or as one clear line; no torch needed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.training.pieces import LIMITS, Limits, Outbox, join_pieces

SMALL = Limits(files=8, piece=10, total=(1 << 20) + 70)


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=25), max_size=6), st.booleans())
def test_whatever_went_out_comes_back(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], reopened: bool
) -> None:
    folder = tmp_path_factory.mktemp("out")
    limits = Limits(files=100, piece=10, total=1 << 30)
    box = Outbox(folder, limits)
    for number, content in enumerate(contents):
        box = Outbox(folder, limits) if reopened else box
        assert box.put(f"job/{number}", content)
        assert join_pieces(folder) == {f"job/{n}": one for n, one in enumerate(contents[: number + 1])}
    sizes = [path.stat().st_size for path in folder.glob("piece-*")]
    assert all(size <= 10 for size in sizes) and sum(sizes) == sum(map(len, contents))


def test_what_does_not_fit_is_named_and_the_rest_goes_out(tmp_path: Path) -> None:
    box = Outbox(tmp_path, SMALL)
    assert box.put("a/dev.npz", b"x" * 30)
    assert not box.put("a/weights", b"y" * 41)
    assert not box.put("a/other", b"y" * 35, reserve=6)
    assert box.put("b/dev.npz", b"z" * 40)
    assert list(join_pieces(tmp_path)) == ["a/dev.npz", "b/dev.npz"]
    assert json.loads((tmp_path / "pieces.json").read_text())["left_out"] == {"a/weights": 41, "a/other": 35}
    assert len(list(tmp_path.iterdir())) == 8


def test_the_limits_are_those_of_the_machine_that_is_lent() -> None:
    assert (LIMITS.files, LIMITS.piece, LIMITS.total) == (8, 16 * 2**20, 64 * 2**20)
    assert LIMITS.most < LIMITS.total


def test_a_name_goes_out_once(tmp_path: Path) -> None:
    Outbox(tmp_path).put("a", b"1")
    with pytest.raises(BadFile, match="a is already among the results"):
        Outbox(tmp_path).put("a", b"2")


def flip(path: Path) -> None:
    path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:])


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a byte": (lambda folder: flip(folder / "piece-01.bin"), "first in .* was altered"),
    "cut": (lambda folder: os.truncate(folder / "piece-00.bin", 4), r"piece-00\.bin is cut short"),
    "gone": (lambda folder: (folder / "piece-01.bin").unlink(), r"piece-01\.bin cannot be read"),
    "no index": (lambda folder: (folder / "pieces.json").unlink(), "holds no results"),
    "half an index": (lambda folder: os.truncate(folder / "pieces.json", 30), "does not list results"),
    "a list": (lambda folder: (folder / "pieces.json").write_text("[]"), "does not list results"),
    "a gap": (
        lambda folder: (folder / "pieces.json").write_text(
            (folder / "pieces.json").read_text().replace('"start": 12', '"start": 13')
        ),
        "overlap or leave gaps",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_one_clear_line(tmp_path: Path, damage: str) -> None:
    box = Outbox(tmp_path, SMALL)
    box.put("first", b"a" * 12)
    box.put("second", b"b" * 7)
    harm, message = DAMAGES[damage]
    harm(tmp_path)
    with pytest.raises(BadFile, match=message) as caught:
        join_pieces(tmp_path)
    assert "\n" not in caught.value.message and caught.value.hint
