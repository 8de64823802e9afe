"""The loop: it learns, it stops when told, and nothing but seed, data and settings decides what comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("torch")

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.core.errors import RunFailed, UserError
from sayso.english.vocabulary import PAD
from sayso.models.batch import Batch
from sayso.training import speed
from sayso.training.arrays import encoded
from sayso.training.batches import Batches
from sayso.training.checkpoint import Checkpoints
from sayso.training.loop import Evaluated, Event, Run, Saved, Step, Stopped, fit, mean_loss, total_steps
from sayso.training.schedule import rate_at
from sayso.training.settings import Training
from sayso.training.speed import precision_of

pytestmark = pytest.mark.torch

Rows = list[tuple[list[int], list[int]]]
Kind = TypeVar("Kind")
QUICK = Training(epochs=3, batch=8, rate=0.01, shapes=2)


class Counting(nn.Module):
    """Guesses every label from the sum of the request's embeddings and the label before it."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.read, self.say = nn.Embedding(12, 16), nn.Embedding(12, 16)
        self.drop, self.out = nn.Dropout(dropout), nn.Linear(16, 12)

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        told = (self.read(batch.source) * batch.source_mask[..., None]).sum(1, keepdim=True)
        logits = self.out(self.drop(torch.tanh(told + self.say(batch.inputs))))
        loss = F.cross_entropy(logits.flatten(0, 1), batch.labels.flatten(), ignore_index=PAD, reduction="sum")
        return loss, (batch.labels != PAD).sum()


@pytest.fixture
def batches(reversals: Callable[..., Rows]) -> Callable[..., Batches]:
    """batches(40, batch=8): rows of reversals in batches."""

    def make(n: int = 40, batch: int = 8, seed: int = 1, shapes: int = 2) -> Batches:
        rows = reversals(n, longest=3, seed=seed)
        whole = encoded([row[0] for row in rows], None, [row[1] for row in rows], [0] * n)
        return Batches(whole, batch, shapes=shapes)

    return make


def weights(network: nn.Module) -> Tensor:
    return torch.cat([one.detach().reshape(-1) for one in network.parameters()])


def of_kind(kind: type[Kind], events: Iterable[Event]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def test_it_learns_and_says_how_it_went(batches: Callable[..., Batches]) -> None:
    network, train = Counting(), batches()
    before = mean_loss(network, train, QUICK)
    events = list(fit(network, train, replace(QUICK, epochs=30), dev=train, run=Run(report_every=5)))
    assert mean_loss(network, train, QUICK) < before / 2
    steps = of_kind(Step, events)
    assert steps[-1].loss < steps[0].loss and steps[-1].tokens_per_second > 0 and steps[-1].norm > 0
    looks = of_kind(Evaluated, events)
    assert len(looks) == 30 and looks[0].better and looks[-1].score == -looks[-1].loss
    last = events[-1]
    assert isinstance(last, Stopped) and last.reason == "epochs"
    assert last.step == total_steps(replace(QUICK, epochs=30), train) == 30 * train.per_epoch
    assert last.best_step == max(looks, key=lambda look: look.score).step


def test_the_same_seed_gives_the_same_weights_and_another_others(batches: Callable[..., Batches]) -> None:
    def train(seed: int) -> Tensor:
        network = Counting(dropout=0.3)
        list(fit(network, batches(), QUICK, run=Run(seed=seed)))
        return weights(network)

    assert torch.equal(train(1), train(1))
    assert not torch.equal(train(1), train(2))


def test_looking_at_dev_changes_nothing(batches: Callable[..., Batches]) -> None:
    def train(every: int) -> Tensor:
        network = Counting(dropout=0.3)
        list(fit(network, batches(), replace(QUICK, evaluate_every=every), dev=batches(seed=2)))
        return weights(network)

    assert torch.equal(train(1), train(7))


def test_accumulated_batches_are_one_large_batch(batches: Callable[..., Batches]) -> None:
    def train(batch: int, accumulate: int) -> Tensor:
        network = Counting()
        settings = Training(epochs=4, batch=batch, accumulate=accumulate, rate=0.01)
        events = list(fit(network, batches(batch=batch, shapes=1), settings))
        assert events[-1] == Stopped(4, "epochs", 0)
        return weights(network)

    torch.testing.assert_close(train(8, 5), train(40, 1))


def test_steps_stop_in_the_middle_of_an_epoch(batches: Callable[..., Batches]) -> None:
    settings = replace(QUICK, epochs=50, steps=7)
    events = list(fit(Counting(), batches(), settings, dev=batches(seed=2)))
    assert events[-1] == Stopped(7, "steps", 7)
    assert of_kind(Evaluated, events)[-1].step == 7
    assert total_steps(settings, batches()) == 7


def test_patience_counts_looks_without_a_better_score(batches: Callable[..., Batches]) -> None:
    scores = iter([0.1, 0.5, 0.4, 0.3, 0.9])
    kept: list[int] = []
    run = Run(score=lambda network: next(scores), keep_best=kept.append)
    settings = replace(QUICK, epochs=50, evaluate_every=2, patience=2)
    events = list(fit(Counting(), batches(), settings, dev=batches(seed=2), run=run))
    assert [(look.score, look.better) for look in of_kind(Evaluated, events)] == [
        (0.1, True), (0.5, True), (0.4, False), (0.3, False)
    ]  # fmt: skip
    assert events[-1] == Stopped(8, "patience", 4)
    assert kept == [2, 4]


def test_of_equal_scores_the_lower_loss_is_better(batches: Callable[..., Batches]) -> None:
    run = Run(score=lambda network: 0.0)
    looks = of_kind(Evaluated, fit(Counting(), batches(), QUICK, dev=batches(), run=run))
    losses = [look.loss for look in looks]
    assert losses == sorted(losses, reverse=True) and all(look.better for look in looks)


def test_the_score_is_asked_of_a_network_without_dropout(batches: Callable[..., Batches]) -> None:
    modes: list[bool] = []

    def score(network: nn.Module) -> float:
        modes.append(network.training or torch.is_grad_enabled())
        return 0.0

    network = Counting()
    list(fit(network, batches(), QUICK, dev=batches(), run=Run(score=score)))
    assert modes and not any(modes) and network.training


def test_time_stops_it_after_a_whole_update(batches: Callable[..., Batches]) -> None:
    events = list(fit(Counting(), batches(), replace(QUICK, epochs=1000), dev=batches(), run=Run(seconds=0.05)))
    last = events[-1]
    assert isinstance(last, Stopped) and last.reason == "time" and 0 < last.step < 1000 * batches().per_epoch


class Exploding(Counting):
    """Its loss is no number from the sixth batch on."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        loss, tokens = super().loss(batch)
        self.seen += 1
        return (loss * math.nan if self.seen >= 6 else loss), tokens


def test_a_loss_that_is_no_number_names_its_step_and_is_never_saved(
    tmp_path: Path, batches: Callable[..., Batches]
) -> None:
    run = Run(checkpoints=Checkpoints(tmp_path))
    with pytest.raises(RunFailed, match="step 6: the loss is nan") as caught:
        list(fit(Exploding(), batches(), replace(QUICK, save_every=4), run=run))
    assert "training.rate" in caught.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-00000004"]


class Greedy(Counting):
    """Wants more memory than there is."""

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        torch.empty(1 << 60)
        return super().loss(batch)


def test_a_batch_that_does_not_fit_names_its_size_and_the_cure(batches: Callable[..., Batches]) -> None:
    with pytest.raises(RunFailed, match=r"out of memory at step 1: a batch of \d+ examples of 4 \+ \d+") as caught:
        list(fit(Greedy(), batches(), QUICK))
    assert "--set batch=4 --set accumulate=2" in caught.value.hint


def test_a_batch_that_does_not_fit_is_trained_in_halves(batches: Callable[..., Batches]) -> None:
    class Small(Counting):
        def loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
            found = super().loss(batch)
            if len(batch) > 2:
                found[0].backward()  # type: ignore[no-untyped-call]  # what was added before it failed is forgotten
                raise torch.OutOfMemoryError("CUDA out of memory")
            return found

    roomy, small = Counting(), Small()
    small.load_state_dict(roomy.state_dict())
    for network in (roomy, small):
        list(fit(network, batches(), replace(QUICK, steps=2, epsilon=1e-3)))
    torch.testing.assert_close(weights(small), weights(roomy))


def test_another_error_of_the_network_is_not_called_out_of_memory(batches: Callable[..., Batches]) -> None:
    network = Counting()
    network.out = nn.Linear(15, 12)
    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        list(fit(network, batches(), QUICK))


def test_a_gradient_is_cut_to_its_largest_norm(batches: Callable[..., Batches]) -> None:
    def moved(clip: float) -> Tensor:
        network = Counting()
        before = weights(network)
        # Adam's first step is rate × sign(gradient) unless epsilon is large: then it is in proportion to the gradient.
        settings = replace(QUICK, steps=1, clip=clip, epsilon=1e6, rate=1e6)
        list(fit(network, batches(), settings))
        return (weights(network) - before).square().sum().sqrt()

    assert moved(0) > 0.1
    torch.testing.assert_close(moved(0.01), torch.tensor(0.01), rtol=1e-2, atol=0)
    torch.testing.assert_close(moved(1e9), moved(0))


def test_a_cpu_computes_in_bf16_only_where_it_is_asked_to_and_can(
    batches: Callable[..., Batches], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It died of an illegal instruction on one machine, which no message survives."""
    cpu = torch.device("cpu")
    lower = replace(QUICK, precision="bf16")
    monkeypatch.setattr(speed, "multiplies_bf16", lambda: True)
    with precision_of(QUICK, cpu):
        assert not torch.is_autocast_enabled("cpu")
    with precision_of(lower, cpu):
        assert torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") == torch.bfloat16
    monkeypatch.setattr(speed, "multiplies_bf16", lambda: False)
    with pytest.raises(UserError, match=r"training\.precision=bf16 needs a GPU, or a CPU") as refused:
        list(fit(Counting(), batches(), lower))
    assert "fp32" in refused.value.hint


def test_graphs_need_a_gpu(batches: Callable[..., Batches]) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(UserError, match="graphs needs a GPU"):
        next(fit(Counting(), batches(), replace(QUICK, speed="graphs")))


def test_a_run_taken_up_again_ends_where_one_left_alone_ends(tmp_path: Path, batches: Callable[..., Batches]) -> None:
    def train(folder: Path, *stops: int) -> tuple[Tensor, list[Event]]:
        for stop in stops:  # each in a new network, as a new process would
            network = Counting(dropout=0.3)
            run = Run(seed=4, checkpoints=Checkpoints(folder), report_every=1)
            settings = replace(QUICK, epochs=50, steps=stop, accumulate=2, evaluate_every=4, warmup=5)
            events = list(fit(network, batches(), settings, dev=batches(seed=2), run=run))
        return weights(network), events

    alone, whole = train(tmp_path / "alone", 23)
    resumed, rest = train(tmp_path / "resumed", 5, 16, 23)
    assert torch.equal(alone, resumed)
    steps = {event.step: event.loss for event in of_kind(Step, whole)}
    assert of_kind(Step, rest) and all(steps[event.step] == event.loss for event in of_kind(Step, rest))
    assert of_kind(Saved, rest)[-1].step == 23 and rest[-1] == whole[-1]


def test_a_finished_run_taken_up_again_does_nothing(tmp_path: Path, batches: Callable[..., Batches]) -> None:
    run = Run(checkpoints=Checkpoints(tmp_path))
    last = list(fit(Counting(), batches(), QUICK, run=run))[-1]
    assert list(fit(Counting(), batches(), QUICK, run=run)) == [last]


@pytest.mark.parametrize(
    ("settings", "step", "rate"),
    [
        (Training(rate=0.1), 1, 0.1),
        (Training(rate=0.1), 10_000, 0.1),
        (Training(rate=0.1, warmup=4), 1, 0.025),
        (Training(rate=0.1, warmup=4), 4, 0.1),
        (Training(rate=0.1, schedule="inverse-sqrt", warmup=100), 50, 0.05),
        (Training(rate=0.1, schedule="inverse-sqrt", warmup=100), 100, 0.1),
        (Training(rate=0.1, schedule="inverse-sqrt", warmup=100), 400, 0.05),
        (Training(rate=0.1, schedule="cosine", steps=100), 50, 0.05),
        (Training(rate=0.1, schedule="cosine", steps=110, warmup=10), 110, 0.0),
    ],
)
def test_rates(settings: Training, step: int, rate: float) -> None:
    assert rate_at(settings, step) == pytest.approx(rate)


def test_a_timed_rate_falls_with_the_time_or_the_steps_whichever_ends_first() -> None:
    timed = Training(rate=0.1, schedule="timed", steps=100)
    assert [rate_at(timed, 10, elapsed) for elapsed in (0.5, 1.0)] == pytest.approx([0.05, 0.0])
    assert rate_at(timed, 50, 0.1) == pytest.approx(0.05)


def test_a_timed_rate_needs_a_time(batches: Callable[..., Batches]) -> None:
    with pytest.raises(UserError, match="timed needs a time"):
        next(fit(Counting(), batches(), Training(schedule="timed")))
