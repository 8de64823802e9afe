"""Our Llama: the numbers of `transformers`, joined rows, adapters, four bits, and the folder that holds it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from sayso.core.errors import BadFile, MissingData, UserError
from sayso.models.batch import Batch
from sayso.models.int4 import GROUP, Packed, pack, rounded, unpack
from sayso.models.llama import Llama, LlamaSettings, Roomy, join, least_needed
from sayso.models.lora import add_adapter, matrices, merge_adapter, round_matrices
from sayso.models.search import SearchSettings, beam_search
from sayso.models.trunk_folder import (
    load_trunk_adapter,
    load_trunk_folder,
    save_adapter,
    save_trunk,
)

pytestmark = pytest.mark.torch
SHAPE = LlamaSettings(
    40, 40, width=32, heads=4, key_heads=2, layers=3, feed_forward=64, theta=10_000.0, epsilon=1e-5, dropout=0.0
)


@pytest.fixture
def llama() -> Llama:
    torch.manual_seed(3)
    network = Llama(SHAPE).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return network


def batch() -> Batch:
    source = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]])
    target = torch.tensor([[1, 10, 11, 2], [1, 12, 2, 0]])
    return Batch(source, source, target, 0)


def logits(network: Llama, ids: Tensor) -> Tensor:
    with torch.no_grad():
        return network.logits(network.read(network.embed(ids))[0])


@pytest.mark.slow
def test_it_computes_what_transformers_computes(llama: Llama, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    save_trunk(tmp_path, SHAPE, llama.state_dict(), "{}")
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    ours = load_trunk_folder(tmp_path).eval()
    ids = torch.randint(4, 40, (2, 19), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        assert torch.allclose(theirs(ids).logits, logits(ours, ids), atol=1e-4)


def test_rows_are_joined_without_a_gap() -> None:
    found = join(torch.tensor([[4, 5, 0], [6, 0, 0]]), torch.tensor([[1, 7], [1, 8]]), torch.tensor([[2], [1]]))
    assert found.tolist() == [[4, 5, 1, 7, 0], [6, 1, 8, 0, 0]]


def test_room_for_a_whole_answer_changes_no_answer(llama: Llama) -> None:
    wanted = SearchSettings(width=3, n_best=3, longest=25)
    plain, roomy = beam_search(llama, batch(), wanted), beam_search(Roomy(llama, 25), batch(), wanted)
    assert [[one.ids for one in row] for row in plain] == [[one.ids for one in row] for row in roomy]


def test_the_layers_that_do_least_are_found(llama: Llama) -> None:
    deep = Llama(replace(SHAPE, layers=7)).eval()
    for layer in (3, 4):
        for name, parameter in deep.layers[layer].named_parameters():
            if "proj" in name:
                torch.nn.init.zeros_(parameter)
    assert least_needed(deep, torch.arange(4, 24).view(2, 10), 2) == [3, 4]


def test_an_adapter_starts_as_nothing_and_merges_into_what_it_was(llama: Llama) -> None:
    ids = torch.arange(4, 20)[None]
    before = logits(llama, ids)
    add_adapter(llama, rank=4, alpha=8)
    assert {name.rsplit(".", 1)[1] for name, one in llama.named_parameters() if one.requires_grad} == {"a", "b"}
    assert torch.allclose(logits(llama, ids), before, atol=1e-6)
    for _, matrix in matrices(llama):
        torch.nn.init.normal_(matrix.b, std=0.1)
    adapted = logits(llama, ids)
    assert not torch.allclose(adapted, before, atol=1e-2)
    merge_adapter(llama)
    assert torch.allclose(logits(llama, ids), adapted, atol=1e-4)
    assert all(matrix.a is None for _, matrix in matrices(llama))


def test_an_adapter_survives_its_folder(llama: Llama, tmp_path: Path) -> None:
    save_trunk(tmp_path, SHAPE, llama.state_dict(), "{}")
    network = load_trunk_folder(tmp_path)
    add_adapter(network, rank=2, alpha=6)
    for _, matrix in matrices(network):
        torch.nn.init.normal_(matrix.b, std=0.1)
    save_adapter(tmp_path / "adapters" / "bash", network, 2, 6, {"target": "bash"})
    other = load_trunk_folder(tmp_path).eval()
    load_trunk_adapter(other, tmp_path / "adapters" / "bash")
    ids = torch.arange(4, 20)[None]
    assert torch.allclose(logits(other, ids), logits(network.eval(), ids), atol=2e-2)
    narrow = Llama(replace(SHAPE, layers=2))
    with pytest.raises(BadFile, match="no matrix"):
        load_trunk_adapter(narrow, tmp_path / "adapters" / "bash")
    with pytest.raises(BadFile, match="does not fit"):
        load_trunk_adapter(Llama(replace(SHAPE, feed_forward=32)), tmp_path / "adapters" / "bash")


def test_a_folder_keeps_four_bits_as_they_are(llama: Llama, tmp_path: Path) -> None:
    packed = {f"{name}.weight": pack(matrix.weight.detach()) for name, matrix in matrices(llama)}
    save_trunk(tmp_path, SHAPE, {**llama.state_dict(), **packed}, "{}")
    found = load_trunk_folder(tmp_path)
    round_matrices(llama, is_rounded=True)
    ids = torch.arange(4, 30)[None]
    assert torch.allclose(logits(found, ids), logits(llama, ids), atol=1e-2)
    for name, matrix in matrices(found):
        assert torch.equal(matrix.weight, unpack(packed[f"{name}.weight"]))


def test_a_bad_folder_is_one_clear_line(llama: Llama, tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"config\.json"):
        load_trunk_folder(tmp_path)
    save_trunk(tmp_path, SHAPE, llama.state_dict(), "{}")
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "intermediate_size": 96}))
    with pytest.raises(BadFile, match="does not fit"):
        load_trunk_folder(tmp_path)
    del config["vocab_size"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(BadFile, match="vocab_size"):
        load_trunk_folder(tmp_path)


@pytest.mark.parametrize(("field", "value"), [("heads", 5), ("key_heads", 3), ("output_size", 41), ("theta", 0.5)])
def test_settings_that_make_no_llama_are_named(field: str, value: float) -> None:
    with pytest.raises(UserError, match=field):
        LlamaSettings(**{**vars(SHAPE), field: value})


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 1e-4, 1.0, 300.0]))
def test_rounding_is_what_packing_leaves_and_changes_nothing_twice(seed: int, scale: float) -> None:
    weight = scale * torch.randn(3, 2 * GROUP, generator=torch.Generator().manual_seed(seed))
    packed = pack(weight)
    assert torch.allclose(rounded(weight), unpack(packed), atol=scale * 1e-6)
    assert torch.equal(pack(unpack(packed)).q, packed.q) or scale == 0
    largest = weight.view(3, 2, GROUP).abs().amax(-1)
    error = (unpack(packed) - weight).view(3, 2, GROUP).abs().amax(-1)
    assert bool((error <= largest / 8 * 1.01 + 1e-6).all())


def test_gradients_go_through_rounding() -> None:
    weight = torch.randn(2, GROUP, requires_grad=True)
    rounded(weight).sum().backward()  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert torch.equal(weight.grad, torch.ones_like(weight))


def test_a_stored_minimum_is_used() -> None:
    q = torch.zeros(1, GROUP // 2, dtype=torch.uint8) + (15 << 4)
    found = unpack(Packed(q, torch.tensor([[0.5]]).half(), torch.tensor([[-2.0]]).half()))
    assert found[0].tolist() == [-2.0] * 16 + [5.5] * 16
