"""A stack of networks says what each of its networks says: losses, and log-probabilities step by step."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from sayso.models import make_network  # noqa: E402
from sayso.models.batch import Batch  # noqa: E402
from sayso.models.stacked import Rows, make_drop, no_drop, stack  # noqa: E402
from sayso.models.stacked_copynet import StackedCopyNet  # noqa: E402
from sayso.models.stacked_transformer import StackedTransformer  # noqa: E402

pytestmark = pytest.mark.torch

ATTENTIVE = {"width": 16, "heads": 2, "layers": 2, "feed_forward": 32, "dropout": 0.0}
KINDS: dict[str, dict[str, Any]] = {
    "transformer-copy": ATTENTIVE,
    "modern": {**ATTENTIVE, "positions": "relative", "shared": True},
    "copynet": {
        "cell": "lstm", "embedding": 8, "encoder": 6, "decoder": 10, "layers": 2, "dropout": 0.0,
        "variational": False, "attention": "general",
    },
}  # fmt: skip
SIZES, LARGEST, EXTRA = (20, 25), 25, 3


def make_rows(kind: str, size: int) -> tuple[Any, Any, Any]:
    """Source, extended source and target of four rows; every label is in the vocabulary or in the source."""
    source = torch.randint(4, 20, (4, 7))
    source[0, 5:] = 0
    if kind == "modern":
        target = torch.randint(4, size, (4, 6))
        extended = source
    else:
        extended = torch.where(source == 0, 0, torch.randint(4, size + EXTRA, (4, 7)))
        target = extended[:, torch.tensor([0, 2, 4, 1, 3, 0])].clone()
    target[:, 0] = 1
    target[1, 4:] = 0
    return source, extended, target


def moved(ids: Any, size: int) -> Any:
    """Extended ids behind the largest vocabulary."""
    return torch.where(ids >= size, ids - size + LARGEST, ids)


def make_stack(kind: str) -> tuple[Any, Any, Any, list[Any], list[Any]]:
    torch.manual_seed(3)
    sizes = [{"source_size": size if kind == "modern" else 22, "output_size": size} for size in SIZES]
    networks: list[Any] = [make_network(kind, {**KINDS[kind], **one}).eval() for one in sizes]
    raw = [make_rows(kind, size) for size in SIZES]
    settings = networks[0].settings
    model: Any = (
        StackedCopyNet(settings, torch.tensor(SIZES))
        if kind == "copynet"
        else StackedTransformer(settings.shape, torch.tensor(SIZES), settings.shared, settings.copies)
    )
    parts = [
        torch.stack([moved(row[part], size) if part else row[part] for row, size in zip(raw, SIZES, strict=True)])
        for part in range(3)
    ]
    return model, stack(networks), Rows(parts[0], parts[1], parts[2], EXTRA), networks, raw


@pytest.mark.parametrize("kind", KINDS)
def test_losses_are_those_of_each_network(kind: str) -> None:
    model, parameters, rows, networks, raw = make_stack(kind)
    batches = [Batch(source, extended, target, EXTRA) for source, extended, target in raw]
    alone = [float(one.loss(batch)[0].detach()) for one, batch in zip(networks, batches, strict=True)]
    assert model.losses(parameters, rows, no_drop).sum((1, 2)).tolist() == pytest.approx(alone, rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_steps_say_what_the_whole_says(kind: str) -> None:
    model, parameters, rows, _, _ = make_stack(kind)
    labels = rows.target[:, :, 1:]
    state = model.start(parameters, rows)
    steps = [model.step(parameters, state, rows, rows.target[:, :, at]) for at in range(labels.shape[2])]
    found = -torch.stack(steps, 2).gather(-1, labels[..., None])[..., 0]
    whole = model.losses(parameters, rows, no_drop)
    assert torch.allclose(found[labels != 0], whole[labels != 0], atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_no_network_learns_from_another(kind: str) -> None:
    model, parameters, rows, _, _ = make_stack(kind)
    leaves = {name: one.clone().requires_grad_() for name, one in parameters.items()}
    first = model.losses(leaves, rows, no_drop)[0].sum()
    for gradient in torch.autograd.grad(first, list(leaves.values())):
        assert torch.isfinite(gradient).all() and not gradient[1].any()


def test_each_network_drops_at_its_own_rate() -> None:
    torch.manual_seed(0)
    dropped = make_drop(torch.tensor([0.0, 0.5]))(torch.ones(2, 4_000))
    assert (dropped[0] == 1).all()
    assert set(dropped[1].tolist()) == {0.0, 2.0} and abs(dropped[1].mean().item() - 1) < 0.1
