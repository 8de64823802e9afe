"""Rows that begin alike cost what is new in each, and are learnt as if they stood alone."""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.training.trees import Row, batches, fitting, forest, grow, read_rows

ids = st.integers(20, 24)
"""Few words, so that rows often begin alike."""
some_rows = st.lists(
    st.builds(
        Row,
        st.integers(0, 2),
        st.lists(ids, min_size=1, max_size=6).map(tuple),
        st.lists(ids, min_size=1, max_size=4).map(tuple),
    ),
    min_size=1,
    max_size=8,
)


def test_rows_part_where_they_differ() -> None:
    tree = grow([Row(0, (1, 2), (5, 6)), Row(0, (1, 3), (5,))])
    assert tree.ids.tolist() == [1, 2, 5, 3]
    assert tree.places.tolist() == [0, 1, 2, 1]
    assert tree.said.tolist() == [[1, 5], [2, 6], [3, 5]]
    assert tree.seen[3].tolist() == [True, False, False, True]


@given(some_rows)
def test_the_way_to_every_lesson_is_a_row(rows: list[Row]) -> None:
    tree = grow(rows)
    told = sorted((tuple(tree.ids[tree.seen[node]].tolist()), said) for node, said in tree.said.tolist())
    line = [((*row.prompt, *row.answer), len(row.prompt)) for row in rows]
    assert told == sorted((ids[:end], ids[end]) for ids, prompt in line for end in range(prompt, len(ids)))


@given(some_rows, st.integers(1, 20))
def test_a_forest_loses_no_lesson_and_keeps_settings_apart(rows: list[Row], most: int) -> None:
    trees = forest(rows, most, random.Random(3))
    assert sum(len(tree.said) for tree in trees) == sum(len(row.answer) for row in rows)
    longest = max(len(row.prompt) + len(row.answer) - 1 for row in rows)
    assert all(len(tree.ids) <= max(most, longest) for tree in trees)
    assert len(trees) >= len({row.setting for row in rows})
    packed = [*batches(trees, 2 * most)]
    assert [tree for batch in packed for tree in batch] == trees


def test_one_row_is_taken_however_long_it_is() -> None:
    assert fitting([Row(0, (1,) * 50, (2,))], 10) == 1


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.xz"
    good = {"setting": 1, "prompt": [1], "answer": [2], "held": False}
    path.write_bytes(lzma.compress((json.dumps(good) + "\n" + json.dumps(good | {"answer": []}) + "\n").encode()))
    with pytest.raises(BadFile, match=r"rows\.jsonl\.xz:2 has no prompt or no answer"):
        read_rows(path)
    path.write_bytes(lzma.compress(b'{"setting": 1}\n'))
    with pytest.raises(BadFile, match=r":1 is not a row"):
        read_rows(path)


@pytest.fixture(scope="module")
def network() -> Any:
    torch = pytest.importorskip("torch")
    from sayso.models.llama import Llama, LlamaSettings

    torch.manual_seed(5)
    return Llama(LlamaSettings(32, 32, width=32, heads=2, key_heads=1, layers=2, feed_forward=64, dropout=0.0))


@pytest.mark.torch
@settings(max_examples=20, deadline=None)
@given(rows=some_rows)
def test_a_tree_has_the_loss_of_its_rows(network: Any, rows: list[Row]) -> None:
    import torch

    from sayso.training.trunk_trees import lessons

    apart = 0.0
    with torch.no_grad():
        for row in rows:
            line = torch.tensor([[*row.prompt, *row.answer]])
            hidden, _ = network.read(network.embed(line[:, :-1]))
            said = network.logits(hidden)[0].log_softmax(-1)
            apart -= float(said[range(len(row.prompt) - 1, line.shape[1] - 1), line[0, len(row.prompt) :]].sum())
        lost, n = lessons(network, forest(rows, 12, random.Random(1)))
    assert n == sum(len(row.answer) for row in rows)
    assert float(lost) == pytest.approx(apart, rel=0.02)  # bfloat16 against floats


@pytest.mark.torch
def test_what_is_asked_is_learnt_and_comes_home(network: Any, tmp_path: Path) -> None:
    """Three answers to one notebook: the loss falls, and the weights lie in four bits beside their floats."""
    pytest.importorskip("torch")
    from sayso.training.trunk_trees import FLOATS, Plan, fit

    told = [
        {"setting": n, "prompt": [20, 21, 22 + n % 2], "answer": [25 + n % 2, 26, 2], "held": n == 2} for n in (0, 1, 2)
    ] * 4
    rows = tmp_path / "rows.jsonl.xz"
    rows.write_bytes(lzma.compress("\n".join(map(json.dumps, told)).encode()))
    facts = fit(network, rows, Plan(rate=1e-2, nodes=64, tree=32, threads=1), 1.0, tmp_path)
    assert facts["rows"] == 8 and facts["steps"] > 5
    assert facts["held_loss"] < 1
    assert (tmp_path / FLOATS).is_file()
