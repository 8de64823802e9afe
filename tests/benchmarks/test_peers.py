"""What the peer benchmarks compare is one function: the same loss and the same answers as `transformers` T5."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("transformers")

import torch
from benchmarks.__main__ import table
from benchmarks.nl2bash_ids import Ids
from benchmarks.t5 import as_t5, same_shape, t5_inputs

from benchmarks import Row, decoding, figures
from sayso.english.vocabulary import BOS, EOS
from sayso.models.transformer import Transformer
from sayso.training.arrays import encoded
from sayso.training.batches import CPU, Batches
from sayso.training.loop import fit
from sayso.training.settings import Training

pytestmark = pytest.mark.torch

SIZE = 12
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def ids() -> Ids:
    draw = random.Random(5)
    rows = [[draw.randrange(4, SIZE) for _ in range(draw.randint(1, 6))] for _ in range(12)]
    whole = encoded(rows, None, [[BOS, *row[::-1], EOS] for row in rows], [0] * len(rows))
    return Ids(whole, whole, SIZE)


@pytest.fixture
def ours(ids: Ids) -> Transformer:
    """Trained a little, so that answers end and nothing but words is likely."""
    torch.set_num_threads(1)
    network = same_shape(SIZE, width=16, heads=2, layers=1, feed_forward=24)
    settings = Training(steps=80, epochs=80, rate=0.01, batch=12, shapes=1)
    assert list(fit(network, Batches(ids.train, 12, shapes=1), settings))
    return network.eval()


def test_both_have_the_same_loss(ours: Transformer, ids: Ids) -> None:
    theirs = as_t5(ours).eval()
    (batch,) = Batches(ids.dev, 12, shapes=1).in_order()
    loss, n = ours.loss(batch)
    assert (loss / n).item() == pytest.approx(theirs(**t5_inputs(batch)).loss.item(), abs=1e-5)
    assert sum(map(torch.numel, ours.parameters())) == sum(map(torch.numel, theirs.parameters()))


def test_both_find_the_same_answers(ours: Transformer, ids: Ids) -> None:
    setting = decoding.Setting(requests=12, longest=10, batches=(12,), updates=1)
    batches = decoding.make_batches(ids, CPU, 12, 12)
    found = decoding.timed(decoding.our_decoder(ours, setting, CPU), batches, CPU)
    peer = decoding.timed(decoding.their_decoder(as_t5(ours).eval(), setting), batches, CPU)
    assert found.ids == peer.ids
    assert 0 < min(map(len, found.ids)) < 9  # answers end of themselves


def test_a_ratio_below_its_aim_is_called_missed() -> None:
    rows = [Row("a", 1.0, "steps/s", 3, 2.5, "peer", at_least=3.0), Row("b", 1.0, "s", 3, 4.0, "peer", at_least=3.0)]
    _, slow, fast = table(rows)
    assert slow.endswith("at least 3 ×: MISSED") and fast.endswith("at least 3 ×")


def test_the_page_shows_the_last_figures_of_a_gpu() -> None:
    page = (DOCS / "concepts" / "models.md").read_text(encoding="utf-8")
    for line in figures.table() if figures.last_figures() else ():
        assert line in page
    for figure in figures.last_figures():
        assert figure.card in page and figure.date in page
