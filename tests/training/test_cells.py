"""Stored cells: every cell once, any number of them read, several tasks answered from one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile, RunFailed, UserError
from sayso.core.types import Example, Piece, Request
from sayso.english.merges import put_together
from sayso.english.vocabulary import BOS, EOS
from sayso.training.arrays import encoded, some_of
from sayso.training.cells import NOTHING, load_cells, pack_cells
from sayso.training.encode_cells import encode_cells, encode_some, say
from sayso.training.settings import Encoding, Training

ENCODING = Encoding(shared=True, words="plain", merges=50, stored=2, context=2, context_longest=4, target_longest=9)


def example(name: str, text: str, reference: str, *context: Piece) -> Example:
    return Example(name, Request(text, context), (reference,))


CODE = (
    example("1", "sort it", "rows.sort ( )"),
    example("2", "sort it again now", "rows.sort ( )", Piece("text", "sort it"), Piece("code", "rows = load ( path )")),
    example("3", "show rows", "show", *(Piece("code", f"a{n} = {n}") for n in range(3))),
)
APIS = tuple(replace(one, references=("sort",)) for one in CODE)
SPLITS = {name: {"code": CODE, "apis": APIS} for name in ("train", "dev", "test")}


def spelt(ids: list[int], words: tuple[str, ...]) -> list[str]:
    """Cells as words, marks as they are."""
    found: list[str] = []
    pieces: list[str] = []
    for one in ids:
        word = words[one - 4]
        if word.startswith("CELL_"):
            found += [*put_together(pieces), word]
            pieces = []
        else:
            pieces.append(word)
    return [*found, *put_together(pieces)]


def test_cells_are_cut_marked_and_shared() -> None:
    words, cells, dropped = encode_cells(SPLITS, str.split, ENCODING)
    whole = cells["train"].read(ENCODING, "code")
    read = spelt(whole.source[1].tolist(), words.source.words)
    near = ["CELL_CODE", "rows", "=", "load", "("]
    assert read == ["CELL_TEXT", "sort", "it", *near, "CELL_TEXT", "sort", "it", "again", "now"]
    assert say(whole.target[1].tolist(), words) == ["rows.sort", "(", ")"]
    assert say(cells["train"].read(ENCODING, "apis").target[1].tolist(), words) == ["sort"]
    # The request of the first is context of the second.
    assert cells["train"].rows[0].tolist() == [NOTHING, NOTHING, cells["train"].rows[1, 0]]
    assert dropped == {"code": {}, "apis": {}}
    assert not cells["test"].read(ENCODING, "code").target.lengths.any()


@pytest.mark.parametrize("k", [0, 1, 2])
def test_any_number_of_cells_is_read_from_one_file(k: int) -> None:
    words, cells, _ = encode_cells(SPLITS, str.split, ENCODING)
    few = replace(ENCODING, context=k)
    assert few.key == ENCODING.key
    read = cells["dev"].read(few, "code")
    said = [spelt(read.source[row].tolist(), words.source.words) for row in range(3)]
    assert [one.count("CELL_TEXT") + one.count("CELL_CODE") for one in said] == [1, k + 1, k + 1]
    again = encode_some([one.request for one in CODE], words, few, str.split)
    assert [again.source[row].tolist() for row in range(3)] == [read.source[row].tolist() for row in range(3)]


def test_what_is_too_long_loses_its_farthest_cells_and_never_its_own() -> None:
    cells = pack_cells([[5, 6, 7], [8, 9], [10, 11, 12, 13]], [[0, 1, 2], [NOTHING, 0, 1]], {})
    assert [cells.sources(2, most).lengths.tolist() for most in (9, 8, 6, 5, 2)] == [
        [9, 5], [6, 5], [6, 5], [4, 5], [4, 2]
    ]  # fmt: skip


def test_long_references_are_left_out_of_train_and_cut_in_dev() -> None:
    words, cells, dropped = encode_cells(SPLITS, str.split, replace(ENCODING, merges=1, target_longest=4))
    del words
    assert dropped["code"] == {"reference too long": 2}
    assert cells["train"].read(ENCODING, "code").target.lengths.tolist() == [6]
    assert cells["dev"].read(ENCODING, "code").target.lengths.tolist() == [6, 6, 6]


def test_tasks_of_one_folder_have_the_same_requests() -> None:
    other = (*APIS[:2], replace(APIS[2], request=Request("something else")))
    with pytest.raises(RunFailed, match="same requests"):
        encode_cells({"train": {"code": CODE, "apis": other}}, str.split, ENCODING)


def test_a_file_comes_back_and_an_altered_one_is_refused(tmp_path: Path) -> None:
    _, cells, _ = encode_cells(SPLITS, str.split, ENCODING)
    path = tmp_path / "train.npz"
    cells["train"].save(path)
    again = load_cells(path, cells["train"].digest)
    assert again.digest == cells["train"].digest and set(again.targets) == {"code", "apis"}
    with pytest.raises(BadFile, match="altered"):
        load_cells(path, cells["dev"].digest[::-1])
    pack_cells([[5]], [[3]], {}).save(path)
    with pytest.raises(BadFile, match="cells that are not there"):
        load_cells(path)
    path.write_bytes(b"PK")
    with pytest.raises(BadFile, match="does not hold encoded cells"):
        load_cells(path)


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(UserError, match="at least as many"):
        Encoding(stored=2, context=3, merges=10)
    with pytest.raises(UserError, match="needs merges"):
        Encoding(stored=2)
    with pytest.raises(UserError, match=r"training\.share"):
        Training(share=0)


@given(st.integers(1, 60), st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_smaller_share_lies_in_a_larger_one(n: int, one: float, other: float) -> None:
    whole = encoded([[4 + row] for row in range(n)], None, [[BOS, 4 + row, EOS] for row in range(n)], [0] * n)
    small, large = (some_of(whole, share) for share in sorted((one, other)))
    assert set(small.source.flat.tolist()) <= set(large.source.flat.tolist())
    assert len(small) == max(1, round(min(one, other) * n))
    assert (np.diff(small.source.flat) > 0).all() and small.target.flat[1::3].tolist() == small.source.flat.tolist()
