"""Seeds of one recipe as one network: each says what it says alone, and each has its own rows, weights and answers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from sayso.core.types import Example, Request  # noqa: E402
from sayso.models.batch import Batch  # noqa: E402
from sayso.targets.api.tasks import API  # noqa: E402
from sayso.training.decode import unpack_answers  # noqa: E402
from sayso.training.jobs import Job, read_jobs, write_folder  # noqa: E402
from sayso.training.pieces import join_pieces  # noqa: E402
from sayso.training.runner import Workplace  # noqa: E402
from sayso.training.seeds import Seeds, main  # noqa: E402
from sayso.training.settings import Decoding, Encoding, Judge, Training  # noqa: E402

pytestmark = pytest.mark.torch

ALMOST_NONE = 1e-12  # of dropout: masks are drawn, and change nothing
MODEL = {"embedding": 6, "encoder": 5, "decoder": 7, "variational": True, "dropout": ALMOST_NONE}
WORDS = tuple(f"{colour} {fruit}" for colour in ("red", "green", "blue") for fruit in ("pear", "plum", "kiwi"))


def write(folder: Path, network: str, judge: Judge = "match") -> list[Workplace]:
    copies = network == "copynet"
    training = Training(schedule="timed", steps=4, batch=2, shapes=2, speed="auto", clip=5.0, rate=0.01, judge=judge)
    job = Job(
        "toy", "toy", "api/toy", "api", network, MODEL, Encoding("token", copies=copies, words="plain"), training,
        Decoding(beam=2, k=2, longest=6),
    )  # fmt: skip
    rows = [Example(str(at), Request(text), (text.upper(),)) for at, text in enumerate(WORDS)]
    jobs = [replace(job, name=f"toy.seed{seed}", seed=seed) for seed in (0, 1)]
    write_folder(folder, jobs, API, {"train": rows, "dev": rows, "test": rows}, lambda rows: "")
    return [Workplace(folder, one, folder / "work" / one.name, torch.device("cpu")) for one in read_jobs(folder)]


@pytest.mark.parametrize("network", ["gru", "copynet"])
def test_each_seed_has_the_loss_and_the_gradient_that_it_has_alone(tmp_path: Path, network: str) -> None:
    places = write(tmp_path, network)
    made = Seeds(places)
    batch = next(made.batches())
    losses, counts = made.losses(batch.source, batch.source_extended, batch.target, batch.extra)
    together = torch.autograd.grad(losses.sum(), list(made.weights.values()))
    assert not torch.equal(batch.source[0], batch.source[1]), "each has its own rows"
    for at, place in enumerate(places):
        alone = place.network.train()
        loss, count = alone.loss(  # type: ignore[operator]
            Batch(batch.source[at], batch.source_extended[at], batch.target[at], batch.extra)
        )
        assert count == counts[at]
        torch.testing.assert_close(losses[at], loss)
        wanted = torch.autograd.grad(loss, list(alone.parameters()))
        torch.testing.assert_close([one[at] for one in together], list(wanted))


def test_every_seed_answers_with_its_own_best_weights(tmp_path: Path) -> None:
    write(tmp_path, "gru")
    told = ["--plan", '{"toy": 1}', "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    assert main([str(tmp_path), *told, "--seconds", "60", "--answering", "1", "--device", "cpu"]) == 0
    found = join_pieces(tmp_path / "out")
    results = [json.loads(found[f"toy.seed{seed}/result.json"]) for seed in (0, 1)]
    assert [(one["step"], one["together"], one["job"]["seed"]) for one in results] == [(4, 2, 0), (4, 2, 1)]
    answers = [unpack_answers(found[f"toy.seed{seed}/test.npz"], "") for seed in (0, 1)]
    assert [len(one) for one in answers] == [9, 9] and answers[0] != answers[1]


@pytest.mark.parametrize("name", ["loss", "bleu"])
def test_weights_are_chosen_by_what_the_recipe_is_judged_by(tmp_path: Path, name: Judge) -> None:
    places = write(tmp_path, "gru", name)
    made = Seeds(places)
    made.fit(60)
    for curve, best, step in zip(made.curves, made.best, made.best_step, strict=True):
        wanted = max(curve, key=lambda one: (one["score"], -one["loss"]))
        assert step == wanted["step"] and best == (wanted["score"], -wanted["loss"])
        assert all((one["score"] == -one["loss"]) == (name == "loss") for one in curve)


def test_what_cannot_be_recorded_is_trained_without_and_what_is_out_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "gru")
    honest, tried = Seeds.fit, []

    def fit(self: Seeds, seconds: float, records: bool = True) -> None:
        tried.append(records)
        if records:
            raise RuntimeError("operation not permitted when stream is capturing")
        honest(self, seconds, records)

    monkeypatch.setattr(Seeds, "fit", fit)
    told = ["--plan", '{"toy": 1}', "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    told += ["--seconds", "60", "--answering", "1", "--device", "cpu"]
    for _ in range(2):
        assert main([str(tmp_path), *told]) == 0
    assert tried == [True, False], "the second time nothing is left to do"
    assert "again without recorded steps" in capsys.readouterr().out
    assert {name for name in join_pieces(tmp_path / "out") if name.endswith("result.json")} == {
        "toy.seed0/result.json",
        "toy.seed1/result.json",
    }


@pytest.mark.parametrize("network", ["gru", "copynet"])
def test_masks_of_dropout_differ_by_seed_as_a_gpu_draws_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: str
) -> None:
    """A GPU draws a mask by one kernel, whose rule under vmap trusts that what it is given has an axis of seeds."""
    places = write(tmp_path, network)
    shapes = []

    def fused(inputs: Tensor, rate: float, training: bool = True) -> Tensor:
        assert torch._C._functorch.is_batchedtensor(inputs)
        mask: Tensor = torch.native_dropout(inputs, 0.5, training)[0]
        assert mask.shape == inputs.shape
        shapes.append(tuple(mask.shape))
        return mask

    made = Seeds(places)
    batch = next(made.batches())
    source, copied, target = (one[:1].expand_as(one) for one in (batch.source, batch.source_extended, batch.target))
    for weight in made.weights.values():
        weight.data.copy_(weight.data[:1].expand_as(weight))
    monkeypatch.setattr("sayso.models.layers.F.dropout", fused)
    losses, _ = made.losses(source, copied, target, batch.extra)
    assert shapes and losses[0] != losses[1], "one network and one batch, and masks of their own"
