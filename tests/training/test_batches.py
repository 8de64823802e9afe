"""Batches: few shapes, little padding, the same order from (seed, epoch), and processes that share one batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, RunFailed
from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.training.arrays import Encoded, encoded, load_encoded
from sayso.training.batches import Batches, decoding_batches, make_buckets

pytestmark = pytest.mark.torch

Rows = list[tuple[list[int], list[int]]]


def of(rows: Rows) -> Encoded:
    return encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * len(rows))


def pairs(batch: Batch) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """What a batch holds, padding and rows without a target left out."""
    found = []
    for source, target in zip(batch.source.tolist(), batch.target.tolist(), strict=True):
        if any(target):
            found.append((tuple(i for i in source if i != PAD), tuple(i for i in target if i != PAD)))
    return found


ids = st.lists(st.integers(4, 30), min_size=1, max_size=20)
rows_of_ids = st.lists(st.tuples(ids, ids), min_size=1, max_size=30)


@settings(max_examples=30)
@given(rows_of_ids, st.integers(1, 9), st.integers(0, 200), st.integers(1, 4), st.booleans())
def test_an_epoch_holds_every_row_once(rows: Rows, batch: int, tokens: int, shapes: int, fixed: bool) -> None:
    made = Batches(of(rows), batch, tokens, shapes, seed=3, fixed=fixed)
    batches = list(made.epoch(2))
    assert len(batches) == made.per_epoch
    wanted = Counter((tuple(source), tuple(target)) for source, target in rows)
    assert Counter(pair for one in batches for pair in pairs(one)) == wanted
    assert Counter(pair for one in made.in_order() for pair in pairs(one)) == wanted


@settings(max_examples=30)
@given(rows_of_ids, st.integers(1, 5), st.integers(1, 4))
def test_no_more_shapes_than_asked_for(rows: Rows, batch: int, shapes: int) -> None:
    made = Batches(of(rows), batch, shapes=shapes, fixed=True)
    found = {(one.source.shape, one.target.shape) for epoch in range(3) for one in made.epoch(epoch)}
    assert len(found) <= shapes


@settings(max_examples=30)
@given(rows_of_ids, st.integers(1, 5), st.integers(0, 300), st.booleans())
def test_two_processes_see_what_one_with_twice_the_batch_sees(rows: Rows, batch: int, tokens: int, fixed: bool) -> None:
    one = Batches(of(rows), 2 * batch, 2 * tokens, seed=5)
    two = [Batches(of(rows), batch, tokens, seed=5, rank=rank, world=2, fixed=fixed) for rank in (0, 1)]
    for whole, left, right in zip(one.epoch(1), two[0].epoch(1), two[1].epoch(1), strict=True):
        assert Counter(pairs(whole)) == Counter(pairs(left) + pairs(right))
        assert len(left) >= 1 and len(right) >= 1


def test_a_resume_goes_on_at_the_next_batch(reversals: Callable[..., Rows]) -> None:
    made = Batches(of(reversals(90)), 7, seed=1)
    whole = [pairs(one) for one in made.epoch(4)]
    assert [pairs(one) for one in made.epoch(4, 5)] == whole[5:]
    assert list(made.epoch(4, made.per_epoch)) == []


def test_the_order_depends_on_seed_and_epoch(reversals: Callable[..., Rows]) -> None:
    def order(seed: int, epoch: int) -> list[list[tuple[tuple[int, ...], tuple[int, ...]]]]:
        return [pairs(one) for one in Batches(of(reversals(90)), 7, seed=seed).epoch(epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_tokens_limit_a_batch() -> None:
    rows = [([4] * 8, [5] * 8)] * 20 + [([4] * 80, [5] * 80)] * 5
    sizes = [one.source.numel() + one.target.numel() for one in Batches(of(rows), 1000, tokens=160).epoch(0)]
    assert max(sizes) <= 160
    assert len(sizes) == 2 + 5


def test_buckets_are_cut_where_it_pays() -> None:
    # 90 short rows and 10 long ones: one bucket pads 90 × (40 + 40), two pad nothing.
    rows = [([4] * 4, [5] * 4)] * 90 + [([4] * 40, [5] * 40)] * 10
    two = make_buckets(of(rows), 2)
    assert [(len(one.rows), one.source_width, one.target_width) for one in two] == [(90, 4, 4), (10, 40, 40)]
    assert Batches(of(rows), 10, shapes=2).padding == 0
    assert Batches(of(rows), 10, shapes=1).padding == pytest.approx(1 - (90 * 8 + 10 * 80) / (100 * 80))


def test_buckets_are_cut_along_either_side() -> None:
    # Equal in sum: only a cut that looks at one side tells them apart.
    rows = [([4] * 4, [5] * 40)] * 50 + [([4] * 40, [5] * 4)] * 50
    assert Batches(of(rows), 10, shapes=2).padding == 0


@settings(max_examples=30)
@given(rows_of_ids)
def test_more_shapes_never_mean_more_padding(rows: Rows) -> None:
    shares = [Batches(of(rows), 4, shapes=shapes).padding for shapes in range(1, 8)]
    assert shares == sorted(shares, reverse=True)
    for bucket in make_buckets(of(rows), 5):
        assert max(len(rows[row][0]) for row in bucket.rows) <= bucket.source_width
        assert max(len(rows[row][1]) for row in bucket.rows) <= bucket.target_width


def test_extended_ids_and_their_number_travel_with_the_batch() -> None:
    whole = encoded([[4, 3], [4, 3, 3]], [[4, 9], [4, 9, 10]], [[1, 9, 2], [1, 10, 9, 2]], [1, 2])
    (batch,) = Batches(whole, 8, shapes=1).epoch(0)
    assert batch.extra == 2
    assert sorted(map(tuple, batch.source_extended.tolist())) == [(4, 9, 0, 0), (4, 9, 10, 0)]
    assert Batches(whole, 1, shapes=1).per_epoch == 2
    assert sorted(one.extra for one in Batches(whole, 1, shapes=1).epoch(0)) == [1, 2]
    assert [one.extra for one in Batches(whole, 1, shapes=1, fixed=True).epoch(0)] == [2, 2]


def test_requests_are_decoded_in_groups_of_like_length(reversals: Callable[..., Rows]) -> None:
    rows: Rows = [(source, []) for source, _ in reversals(23)]
    found = list(decoding_batches(of(rows), 5, torch.device("cpu")))
    assert sorted(row for numbers, _ in found for row in numbers) == list(range(23))
    for numbers, batch in found:
        assert batch.target.shape == (len(numbers), 0)
        for number, ids in zip(numbers, batch.source.tolist(), strict=True):
            assert [i for i in ids if i != PAD] == rows[number][0]
    for (numbers, batch), (others, wider) in zip(
        found, decoding_batches(of(rows), 5, torch.device("cpu"), step=8), strict=True
    ):
        assert numbers == others and wider.source.shape[1] == -(-batch.source.shape[1] // 8) * 8
        assert torch.equal(wider.source[:, : batch.source.shape[1]], batch.source)


def test_no_rows_are_refused() -> None:
    with pytest.raises(RunFailed, match="no encoded examples"):
        Batches(of([]), 4)


@settings(max_examples=30)
@given(rows_of_ids)
def test_arrays_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, rows: Rows) -> None:
    path = tmp_path_factory.mktemp("arrays") / "train.npz"
    whole = of(rows)
    whole.save(path)
    back = load_encoded(path, whole.digest)
    assert back.source_extended is back.source
    assert [(back.source[i].tolist(), back.target[i].tolist()) for i in range(len(back))] == rows


@pytest.mark.parametrize("harm", ["cut", "text", "gone", "shifted", "other"])
def test_damaged_arrays_are_one_clear_line(tmp_path: Path, reversals: Callable[..., Rows], harm: str) -> None:
    path = tmp_path / "train.npz"
    whole = of(reversals(30))
    whole.save(path)
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif harm == "text":
        path.write_text("not an archive")
    elif harm == "gone":
        path.unlink()
    elif harm == "shifted":
        arrays = whole.arrays()
        np.savez(path, **{**arrays, "source_offsets": arrays["source_offsets"] + 1})  # type: ignore[arg-type]
    else:
        of(reversals(30, seed=2)).save(path)
    with pytest.raises(BadFile, match=r"train\.npz") as caught:
        load_encoded(path, whole.digest)
    assert "\n" not in caught.value.message and "sayso encode" in caught.value.hint
