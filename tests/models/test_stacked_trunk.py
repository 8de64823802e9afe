"""A stack over a pretrained encoder says what `trunk-encoder` says alone, and has only the pieces that it needs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from sayso.core.errors import BadFile  # noqa: E402
from sayso.models import make_network  # noqa: E402
from sayso.models.batch import Batch  # noqa: E402
from sayso.models.blocks import Shape  # noqa: E402
from sayso.models.stacked import Rows, no_drop, stack  # noqa: E402
from sayso.models.stacked_transformer import StackedTransformer  # noqa: E402
from sayso.models.stacked_trunk import cut_trunk, head_shape, make_head, read_trunk  # noqa: E402

pytestmark = pytest.mark.torch

WORDS, EXTRA = 30, 2
SIZES = (18, 21)
KEPT = (3, 5, 8, 9, 14, 20)
MODEL = {"width": 16, "heads": 2, "layers": 2, "feed_forward": 32, "dropout": 0.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of a few thousand weights, none of which half precision changes."""
    transformers = import_module("transformers")
    transformers.utils.logging.disable_progress_bar()
    config = transformers.BertConfig(
        vocab_size=WORDS, hidden_size=24, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4
    )
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("bert")
    transformers.BertModel(config).half().float().save_pretrained(path)
    return path


@pytest.fixture
def trunk(folder: Path, tmp_path: Path) -> Any:
    (tmp_path / "trunk.npz").write_bytes(cut_trunk(folder, KEPT))
    return read_trunk(tmp_path / "trunk.npz")


def make_rows() -> Any:
    """Source in ids of the whole folder, extended source, target: (networks, rows, time)."""
    torch.manual_seed(2)
    source = 4 + torch.tensor(KEPT)[torch.randint(0, len(KEPT), (2, 3, 6))]
    source[0, 1, 4:] = 0
    extended = torch.where(source == 0, 0, torch.randint(4, 18, source.shape))
    target = torch.cat([torch.ones(2, 3, 1, dtype=torch.long), extended[:, :, [0, 2, 1]]], 2)
    return source, extended, target


def test_losses_are_those_of_each_network(folder: Path, trunk: Any) -> None:
    named = {**MODEL, "folder": str(folder), "start": 0, "end": 1, "unknown": 2}
    torch.manual_seed(3)
    alone: list[Any] = [make_network("trunk-encoder", {**named, "output_size": size}).eval() for size in SIZES]
    source, extended, target = make_rows()
    batches = [Batch(source[at], extended[at], target[at], EXTRA) for at in range(2)]
    wanted = [float(one.loss(batch)[0].detach()) for one, batch in zip(alone, batches, strict=True)]
    parameters = {
        f"body.{name}" if name.startswith("decoder.") else name: one
        for name, one in stack(
            [torch.nn.ModuleDict({"bridge": one.bridge, "decoder": one.decoder}) for one in alone]
        ).items()
    } | trunk.copies(2)
    model = StackedTransformer(alone[0].decoder.decoder.shape, torch.tensor(SIZES), False, True, trunk.model)
    rows = Rows(trunk.renumber(source), extended, target, EXTRA)
    assert model.losses(parameters, rows, no_drop).sum((1, 2)).tolist() == pytest.approx(wanted, rel=1e-5)
    state = model.start(parameters, rows)
    said = torch.stack([model.step(parameters, state, rows, target[:, :, at]) for at in range(3)], 2)
    steps = -said.gather(-1, target[:, :, 1:, None]).sum((1, 2, 3))
    assert steps.tolist() == pytest.approx(wanted, rel=1e-4)


def test_a_head_has_what_a_stack_asks_for(trunk: Any) -> None:
    parameters = stack([make_head(MODEL, trunk, size) for size in SIZES]) | trunk.copies(2)
    source, extended, target = make_rows()
    head = make_head(MODEL, trunk, SIZES[0])
    assert head_shape(head) == Shape(**MODEL, norm="post", positions="sinusoidal", gated=False)  # type: ignore[arg-type]
    model = StackedTransformer(head_shape(head), torch.tensor(SIZES), False, True, trunk.model)
    leaves = {name: one.clone().requires_grad_() for name, one in parameters.items()}
    losses = model.losses(leaves, Rows(trunk.renumber(source), extended, target, 0), no_drop)
    for name, gradient in zip(leaves, torch.autograd.grad(losses[0].sum(), list(leaves.values())), strict=True):
        assert torch.isfinite(gradient).all() and not gradient[1].any(), name
        assert gradient[0].any() or "key.bias" in name, name


def test_a_piece_that_was_cut_off_is_no_other_piece(trunk: Any) -> None:
    assert trunk.renumber(torch.tensor([4 + 3, 4 + 20, 0])).tolist() == [4, 9, 0]
    with pytest.raises(BadFile, match="cut off"):
        trunk.renumber(torch.tensor([4 + 4]))
