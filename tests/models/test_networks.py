"""The contract of every network: sums of losses, steps that agree with them, rows that keep to themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
import torch
from torch import Tensor, nn

from sayso.core.errors import UnknownName, UserError
from sayso.english.vocabulary import BOS, EOS, PAD, UNK
from sayso.models import NETWORKS, make_network
from sayso.models.batch import Batch
from sayso.models.search import SearchSettings, beam_search
from sayso.models.slots import Slot

pytestmark = pytest.mark.torch

SIZE = 12
COPYING = ("copynet", "copynet-lstm", "transformer-copy", "modern-copy", "set")
Rows = list[tuple[list[int], list[int], list[int]]]
Maker = Callable[..., "Network"]
Collate = Callable[..., Batch]


class Network(Protocol):
    """What every network answers, with its state left opaque, and what it has of a module."""

    settings: object

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]: ...
    def start(self, batch: Batch) -> object: ...
    def step(self, state: object, last: Tensor, parents: Tensor) -> tuple[Tensor, object]: ...
    def parameters(self) -> Iterator[nn.Parameter]: ...
    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]: ...
    def state_dict(self) -> dict[str, Tensor]: ...
    def load_state_dict(self, state: dict[str, Tensor]) -> object: ...
    def eval(self) -> Network: ...
    def train(self) -> Network: ...


@pytest.fixture
def network(network_name: str, make_tiny: Maker) -> Network:
    return make_tiny(network_name).eval()


@pytest.fixture
def rows(network_name: str, rows_for: Callable[[str], Rows]) -> Rows:
    return rows_for(network_name)


def losses(network: Network, batch: Batch) -> float:
    return network.loss(batch)[0].item()


def walk(network: Network, batch: Batch) -> list[Tensor]:
    """Log-probabilities (batch, vocabulary + extra) after each id of the target."""
    state, here = network.start(batch), torch.arange(len(batch))
    steps = []
    for last in batch.inputs.unbind(1):
        log_probs, state = network.step(state, last, here)
        steps.append(log_probs)
    return steps


def test_every_network_is_under_contract(tiny_names: set[str]) -> None:
    assert tiny_names == set(NETWORKS)


def test_the_loss_is_a_sum_over_tokens_whatever_the_batch(network: Network, rows: Rows, collate: Collate) -> None:
    whole, n = network.loss(collate(rows))
    assert int(n) == sum(len(target) - 1 for _, _, target in rows)
    assert losses(network, collate(rows, more_source=3, more_target=2)) == pytest.approx(whole.item(), rel=1e-5)
    alone = sum(losses(network, collate([row])) for row in rows)
    assert alone == pytest.approx(whole.item(), rel=1e-5)
    assert losses(network, collate(rows[::-1])) == pytest.approx(whole.item(), rel=1e-5)


def test_a_row_of_padding_costs_nothing_and_harms_nothing(network: Network, rows: Rows, collate: Collate) -> None:
    loss, _ = network.loss(collate([*rows, ([PAD], [PAD], [PAD, PAD])]))
    assert loss.item() == pytest.approx(losses(network, collate(rows)), rel=1e-5)
    torch.autograd.backward(loss)
    assert all(bool(one.grad.isfinite().all()) for one in network.parameters() if one.grad is not None)


def test_steps_say_what_teacher_forcing_says(network: Network, rows: Rows, collate: Collate) -> None:
    batch = collate(rows)
    total = 0.0
    for log_probs, wanted in zip(walk(network, batch), batch.labels.unbind(1), strict=True):
        chosen = log_probs.gather(1, wanted[:, None])[:, 0]
        total -= torch.where(wanted != PAD, chosen, 0.0).sum().item()
    assert total == pytest.approx(losses(network, batch), rel=1e-5)


def test_probabilities_sum_to_one_over_vocabulary_and_extra(network: Network, rows: Rows, collate: Collate) -> None:
    batch = collate(rows)
    for log_probs, wanted in zip(walk(network, batch), batch.inputs.unbind(1), strict=True):
        assert log_probs.shape == (len(rows), SIZE + batch.extra)
        sums = log_probs.exp().sum(-1)[wanted != PAD]
        assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)


def test_only_copying_networks_say_a_requests_own_words(
    network: Network, network_name: str, rows: Rows, collate: Collate
) -> None:
    batch = collate(rows)
    own = torch.zeros(len(rows), batch.extra, dtype=torch.bool)
    for row, (_, extended, _) in enumerate(rows):
        own[row, [one - SIZE for one in extended if one >= SIZE]] = True
    ever = torch.zeros_like(own)
    for log_probs, last in zip(walk(network, batch), batch.inputs.unbind(1), strict=True):
        ever |= (log_probs[:, SIZE:] > float("-inf")) & (last != PAD)[:, None]
    if network_name not in COPYING:
        assert not ever.any()
    elif network_name == "set":  # copies where a slot takes a value
        assert (ever & ~own).sum() == 0
        assert ever[0].any()
        assert not ever[2].any()
    else:
        assert torch.equal(ever, own)


def test_parents_reorder_the_state(network: Network, network_name: str, rows: Rows, collate: Collate) -> None:
    batch = collate(rows[:2])
    starts, ends = ([5, 6, 4], [4, 7, 4]) if network_name == "set" else ([5, 9, UNK], [7, 5, 8])
    state = network.start(batch)
    _, state = network.step(state, torch.full((6,), BOS), torch.tensor([0, 0, 0, 1, 1, 1]))
    _, state = network.step(state, torch.tensor(starts * 2), torch.tensor([0, 1, 2, 3, 4, 5]))
    parents = [2, 0, 0, 4, 4, 3]
    log_probs, state = network.step(state, torch.tensor(ends * 2), torch.tensor(parents))
    for row, parent in enumerate(parents):
        request, path = row // 3, [BOS, starts[parent % 3], ends[row % 3], EOS]
        source, extended, _ = rows[request]
        alone = walk(network, collate([(source, extended, path)]))[-1][0]
        width = min(len(alone), log_probs.shape[1])
        assert torch.allclose(log_probs[row, :width], alone[:width], atol=1e-5)
        assert bool((log_probs[row, width:] == float("-inf")).all())


def test_a_state_can_be_stepped_from_twice(network: Network, network_name: str, rows: Rows, collate: Collate) -> None:
    batch, here = collate(rows), torch.arange(len(rows))
    first, second = (5, 4) if network_name == "set" else (6, 7)
    _, state = network.step(network.start(batch), torch.full((len(rows),), BOS), here)
    wanted, _ = network.step(state, torch.full((len(rows),), first), here)
    other, _ = network.step(state, torch.full((len(rows),), second), here)
    again, _ = network.step(state, torch.full((len(rows),), first), here)
    assert torch.equal(wanted, again)
    assert network_name == "set" or not torch.equal(wanted, other)


def test_evaluation_is_deterministic_and_training_drops_out(network: Network, rows: Rows, collate: Collate) -> None:
    batch = collate(rows)
    assert losses(network, batch) == losses(network, batch)
    network.train()
    assert losses(network, batch) != losses(network, batch)


def test_gradients_reach_every_parameter(network: Network, rows: Rows, collate: Collate) -> None:
    torch.autograd.backward(network.loss(collate(rows))[0])
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert bool(parameter.grad.isfinite().all()), name
        assert float(parameter.grad.abs().sum()) > 0, name


def test_weights_survive_a_round_trip(
    network: Network, network_name: str, make_tiny: Maker, rows: Rows, collate: Collate
) -> None:
    batch, other = collate(rows), make_tiny(network_name).eval()
    for parameter in other.parameters():
        nn.init.normal_(parameter)
    assert losses(other, batch) != losses(network, batch)
    other.load_state_dict(network.state_dict())
    assert losses(other, batch) == losses(network, batch)
    # What safetensors writes: no two names for one tensor.
    assert len({one.data_ptr() for one in network.state_dict().values()}) == len(network.state_dict())


def test_one_word_and_nothing_extra_is_a_batch(network: Network, network_name: str, collate: Collate) -> None:
    target = [1, 5, 4, 4, 2] if network_name == "set" else [1, 4, 2]
    batch = collate([([4], [4], target)])
    assert batch.extra == 0
    assert losses(network, batch) > 0
    assert all(one.shape == (1, SIZE) for one in walk(network, batch))


def test_search_finds_the_same_alone_and_in_a_batch(network: Network, rows: Rows, collate: Collate) -> None:
    wanted = SearchSettings(width=4, n_best=3, longest=12)
    together = beam_search(network, collate(rows), wanted)
    for row, found in zip(rows, together, strict=True):
        [alone] = beam_search(network, collate([row]), wanted)
        assert [one.ids for one in alone] == [one.ids for one in found]
        assert [one.log_prob for one in alone] == pytest.approx([one.log_prob for one in found], abs=1e-4)


def test_a_found_answer_has_the_log_probability_of_its_loss(network: Network, rows: Rows, collate: Collate) -> None:
    found = beam_search(network, collate(rows), SearchSettings(width=3, n_best=2, longest=12))
    for (source, extended, _), answers in zip(rows, found, strict=True):
        for one in answers:
            target = [BOS, *one.ids, EOS]
            assert losses(network, collate([(source, extended, target)])) == pytest.approx(-one.log_prob, abs=1e-4)


@pytest.mark.parametrize("name", ["copynet", "transformer-copy"])
def test_a_word_that_cannot_be_said_counts_as_unknown(name: str, make_tiny: Maker, collate: Collate) -> None:
    network, known = make_tiny(name).eval(), collate([([5, 6, 2], [5, 6, 2], [1, UNK, 2])])
    unsayable = replace(known, target=torch.tensor([[1, 14, 2]]), extra=3)
    assert losses(network, unsayable) == pytest.approx(losses(network, known))


@pytest.mark.parametrize("name", ["transformer", "modern", "modern-copy"])
def test_steps_agree_when_the_cache_has_grown(name: str, make_tiny: Maker, collate: Collate) -> None:
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(4, SIZE, (70,), generator=generator).tolist()
    batch = collate([([5, 6, 2], [5, 6, 2], [BOS, *ids, EOS]), ([7], [7], [BOS, EOS])])
    network = make_tiny(name).eval()
    steps = torch.stack(walk(network, batch), 1)
    chosen = steps.gather(-1, batch.labels[..., None])[..., 0]
    total = -torch.where(batch.labels != PAD, chosen, 0.0).sum().item()
    assert total == pytest.approx(losses(network, batch), rel=1e-5)


def test_every_size_is_checked_and_named(network_name: str, make_tiny: Maker) -> None:
    settings = vars(make_tiny(network_name).settings)
    sizes = [field for field, value in settings.items() if isinstance(value, int) and not isinstance(value, bool)]
    assert {"source_size", "output_size", "layers"} < set(sizes)
    for field in sizes:
        with pytest.raises(UserError, match=field):
            make_tiny(network_name, **{field: 0})
    with pytest.raises(UserError, match="dropout"):
        make_tiny(network_name, dropout=1.0)


@pytest.mark.parametrize(
    ("name", "changed", "field"),
    [
        ("gru", {"attention": "hard"}, "attention"),
        ("gru", {"variational": 1}, "variational"),
        ("copynet", {"cell": "rnn"}, "cell"),
        ("transformer", {"heads": 3}, "heads"),
        ("transformer", {"norm": "both"}, "norm"),
        ("transformer", {"shared": True, "source_size": 30}, "shared"),
        ("modern", {"positions": "absolute"}, "positions"),
        ("modern", {"heads": 16}, "heads"),
        ("set", {"slots": ()}, "slots"),
        ("set", {"slots": ({"name": "a", "labels": [99]},)}, "slots"),
        ("set", {"slots": ({"name": "a", "labels": [5], "spans": [6]},)}, "slots"),
    ],
)
def test_settings_that_make_no_network_name_the_field(
    name: str, changed: dict[str, object], field: str, make_tiny: Maker
) -> None:
    with pytest.raises(UserError, match=field):
        make_tiny(name, **changed)


def test_unknown_networks_and_settings_are_answered_with_near_misses() -> None:
    with pytest.raises(UnknownName) as error:
        make_network("transfomer", {})
    assert "transformer" in error.value.near
    with pytest.raises(UnknownName) as error:
        make_network("gru", {"source_size": 9, "output_size": 9, "embeding": 3})
    assert error.value.near == ("embedding",)
    with pytest.raises(UserError, match="output_size"):
        make_network("gru", {"source_size": 9})


def test_the_page_counts_every_networks_parameters() -> None:
    page = (Path(__file__).parents[2] / "docs/concepts/models.md").read_text()
    for name in NETWORKS:
        sizes: dict[str, object] = {"source_size": 5000, "output_size": 5000}
        if name == "set":
            sizes["slots"] = [Slot(str(i), (4, 5), (5,)) for i in range(30)]
        with torch.device("meta"):
            network = make_network(name, sizes)
        n = sum(one.numel() for one in network.parameters())
        [line] = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert line.endswith(f"| {n:,} |")
