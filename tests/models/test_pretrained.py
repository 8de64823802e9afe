"""Pretrained trunks: tiny random ones, saved here and read back, against what `transformers` itself says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from sayso.core.errors import BadFile, MissingData, MissingPart, UserError
from sayso.english.vocabulary import BOS, EOS, PAD, UNK
from sayso.models import make_network
from sayso.models.batch import Batch
from sayso.models.search import SearchSettings, beam_search

pytestmark = pytest.mark.torch

WORDS = 20
SIZE = WORDS + 4
IDS: dict[str, dict[str, object]] = {
    "trunk-decoder": {"start": 1, "end": 2, "unknown": 0},
    "trunk-encoder-decoder": {"start": 0, "end": 1, "unknown": 2},
    "trunk-encoder": {"start": 0, "end": 1, "unknown": 2, "output_size": SIZE, "width": 16, "heads": 2, "layers": 2},
}
ROWS = [
    ([9, 10, 14, 2], [9, 10, SIZE, 2], [BOS, 14, 9, 11, EOS]),
    ([12, 13, 2], [12, 13, 2], [BOS, 13, EOS]),
    ([15, 8, 8, 9, 21, 2], [15, 8, 8, 9, SIZE, 2], [BOS, 21, 8, 8, UNK, 15, EOS]),
]
Collate = Callable[..., Batch]


class Network(Protocol):
    trunk: nn.Module

    def loss(self, batch: Batch) -> tuple[Tensor, Tensor]: ...
    def start(self, batch: Batch) -> object: ...
    def step(self, state: object, last: Tensor, parents: Tensor) -> tuple[Tensor, object]: ...
    def named_parameters(self) -> list[tuple[str, nn.Parameter]]: ...
    def eval(self) -> Network: ...


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama, a T5 and a BERT of a few thousand weights."""
    transformers = import_module("transformers")
    transformers.utils.logging.disable_progress_bar()
    root = tmp_path_factory.mktemp("trunks")
    torch.manual_seed(0)
    llama = transformers.LlamaConfig(
        vocab_size=WORDS,
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=True,
    )
    transformers.LlamaForCausalLM(llama).save_pretrained(root / "trunk-decoder")
    t5 = transformers.T5Config(
        decoder_start_token_id=0, vocab_size=WORDS, d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4
    )
    transformers.T5ForConditionalGeneration(t5).save_pretrained(root / "trunk-encoder-decoder")
    bert = transformers.BertConfig(
        vocab_size=WORDS, hidden_size=24, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4
    )
    transformers.BertModel(bert).save_pretrained(root / "trunk-encoder")
    return root


@pytest.fixture(params=list(IDS))
def network(request: pytest.FixtureRequest, folders: Path) -> Network:
    return make(folders, request.param)


def make(folders: Path, name: str) -> Network:
    torch.manual_seed(3)
    settings = {"folder": str(folders / name), **IDS[name]}
    return cast("Network", make_network(name, settings).eval())


@pytest.fixture
def batch_of(collate: Collate) -> Callable[..., Batch]:
    def made(rows: list[tuple[list[int], list[int], list[int]]], **more: int) -> Batch:
        return collate(rows, size=SIZE, **more)

    return made


def losses(network: Network, batch: Batch) -> float:
    return network.loss(batch)[0].item()


def walk(network: Network, batch: Batch) -> list[Tensor]:
    state, here = network.start(batch), torch.arange(len(batch))
    steps = []
    for last in batch.inputs.unbind(1):
        log_probs, state = network.step(state, last, here)
        steps.append(log_probs)
    return steps


def test_the_loss_is_a_sum_over_tokens_whatever_the_batch(network: Network, batch_of: Collate) -> None:
    whole, n = network.loss(batch_of(ROWS))
    assert int(n) == sum(len(target) - 1 for _, _, target in ROWS)
    assert losses(network, batch_of(ROWS, more_source=3, more_target=2)) == pytest.approx(whole.item(), rel=1e-4)
    assert sum(losses(network, batch_of([row])) for row in ROWS) == pytest.approx(whole.item(), rel=1e-4)
    padded = [*ROWS, ([PAD], [PAD], [PAD, PAD])]
    assert losses(network, batch_of(padded)) == pytest.approx(whole.item(), rel=1e-4)


def test_steps_say_what_teacher_forcing_says_and_sum_to_one(network: Network, batch_of: Collate) -> None:
    batch, total = batch_of(ROWS), 0.0
    for log_probs, last, wanted in zip(
        walk(network, batch), batch.inputs.unbind(1), batch.labels.unbind(1), strict=True
    ):
        assert log_probs.shape == (len(ROWS), SIZE + batch.extra)
        sums = log_probs.exp().sum(-1)[last != PAD]
        assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)
        chosen = log_probs.gather(1, wanted[:, None])[:, 0]
        total -= torch.where(wanted != PAD, chosen, 0.0).sum().item()
    assert total == pytest.approx(losses(network, batch), rel=1e-4)


def test_parents_reorder_the_state_and_leave_the_old_one_alone(network: Network, batch_of: Collate) -> None:
    state = network.start(batch_of(ROWS[:2]))
    starts, ends = [9, 14, 17], [10, 15, 18]
    _, state = network.step(state, torch.full((6,), BOS), torch.tensor([0, 0, 0, 1, 1, 1]))
    _, state = network.step(state, torch.tensor(starts * 2), torch.arange(6))
    parents = [2, 0, 0, 4, 4, 3]
    first, _ = network.step(state, torch.tensor(ends * 2), torch.tensor(parents))
    again, _ = network.step(state, torch.tensor(ends * 2), torch.tensor(parents))
    assert torch.equal(first, again)
    for row, parent in enumerate(parents):
        source, extended, _ = ROWS[row // 3]
        path = [BOS, starts[parent % 3], ends[row % 3], EOS]
        alone = walk(network, batch_of([(source, extended, path)]))[-1][0]
        assert torch.allclose(first[row, : len(alone)], alone, atol=1e-4)


def test_gradients_reach_every_parameter(network: Network, batch_of: Collate) -> None:
    torch.autograd.backward(network.loss(batch_of(ROWS))[0])
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name


def test_search_finds_the_same_alone_and_in_a_batch(network: Network, batch_of: Collate) -> None:
    wanted = SearchSettings(width=4, n_best=3, longest=8)
    for row, found in zip(ROWS, beam_search(network, batch_of(ROWS), wanted), strict=True):
        [alone] = beam_search(network, batch_of([row]), wanted)
        assert [one.ids for one in alone] == [one.ids for one in found]
        assert [one.log_prob for one in alone] == pytest.approx([one.log_prob for one in found], abs=1e-3)


def test_a_llama_says_what_transformers_says(folders: Path, batch_of: Collate) -> None:
    network = make(folders, "trunk-decoder")
    reference = import_module("transformers").LlamaForCausalLM.from_pretrained(folders / "trunk-decoder").eval()
    # Trunk ids are ours minus 4; BOS, EOS and UNK are 1, 2 and 0. Loss on the answer only.
    ids = torch.tensor([[5, 6, 10, 2, 1, 10, 5, 7, 2]])
    labels = ids.clone()
    labels[:, :5] = -100
    loss = reference(input_ids=ids, labels=labels).loss
    assert losses(network, batch_of(ROWS[:1])) == pytest.approx(loss.item() * 4, rel=1e-4)


def test_a_t5_says_what_transformers_says(folders: Path, batch_of: Collate) -> None:
    network = make(folders, "trunk-encoder-decoder")
    reference = import_module("transformers").T5ForConditionalGeneration
    reference = reference.from_pretrained(folders / "trunk-encoder-decoder").eval()
    # BOS, EOS and UNK are 0, 1 and 2.
    loss = reference(input_ids=torch.tensor([[5, 6, 10, 1]]), labels=torch.tensor([[10, 5, 7, 1]])).loss
    assert losses(network, batch_of(ROWS[:1])) == pytest.approx(loss.item() * 4, rel=1e-4)


def test_a_bert_encoder_copies(folders: Path, batch_of: Collate) -> None:
    network = make(folders, "trunk-encoder")
    own = walk(network, batch_of(ROWS))[0][:, SIZE]
    assert (own > float("-inf")).tolist() == [True, False, True]


def write_gguf(path: Path, weights: dict[str, Tensor]) -> None:
    """The Llama of `folders` as llama.cpp keeps it: its own names, and queries and keys in its own order."""
    from gguf import GGUFWriter

    def turned(weight: Tensor, heads: int) -> Tensor:
        return weight.view(heads, 2, -1, weight.shape[1]).transpose(1, 2).reshape(weight.shape)

    writer = GGUFWriter(str(path), "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(16)
    writer.add_block_count(2)
    writer.add_feed_forward_length(24)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(WORDS)
    names = {
        "input_layernorm": "attn_norm",
        "self_attn.q_proj": "attn_q",
        "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output",
        "post_attention_layernorm": "ffn_norm",
        "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up",
        "mlp.down_proj": "ffn_down",
    }
    writer.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"].numpy())
    writer.add_tensor("output_norm.weight", weights["model.norm.weight"].numpy())
    for layer in range(2):
        for theirs, ours in names.items():
            weight = weights[f"model.layers.{layer}.{theirs}.weight"]
            if ours in ("attn_q", "attn_k"):
                weight = turned(weight, 4 if ours == "attn_q" else 2)
            writer.add_tensor(f"blk.{layer}.{ours}.weight", np.ascontiguousarray(weight.numpy()))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_a_gguf_file_is_the_same_trunk(folders: Path, tmp_path: Path, batch_of: Collate) -> None:
    network = make(folders, "trunk-decoder")
    weights = {name: one.detach() for name, one in network.trunk.state_dict().items()}
    write_gguf(tmp_path / "tiny.gguf", weights)
    settings = {"folder": str(tmp_path), "gguf_file": "tiny.gguf", **IDS["trunk-decoder"]}
    read = cast("Network", make_network("trunk-decoder", settings).eval())
    assert losses(read, batch_of(ROWS)) == pytest.approx(losses(network, batch_of(ROWS)), rel=1e-4)


@pytest.mark.parametrize("part", ["transformers", "gguf", "accelerate"])
def test_a_missing_package_says_what_to_install(part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, part, None)
    with pytest.raises(MissingPart, match=part) as error:
        make_network("trunk-decoder", {"folder": str(tmp_path), "gguf_file": "a.gguf", **IDS["trunk-decoder"]})
    assert "sayso[train]" in error.value.hint


def test_a_folder_without_weights_is_missing_data(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"config\.json"):
        make_network("trunk-decoder", {"folder": str(tmp_path), **IDS["trunk-decoder"]})


def test_a_folder_of_something_else_is_a_bad_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "no such model"}')
    with pytest.raises(BadFile, match="cannot be read as a trunk"):
        make_network("trunk-encoder-decoder", {"folder": str(tmp_path), **IDS["trunk-encoder-decoder"]})
    (tmp_path / "a.gguf").write_bytes(b"GGUF not at all")
    with pytest.raises(BadFile, match=r"a\.gguf"):
        make_network("trunk-decoder", {"folder": str(tmp_path), "gguf_file": "a.gguf", **IDS["trunk-decoder"]})


def test_special_ids_are_three_of_the_trunks(folders: Path) -> None:
    folder = str(folders / "trunk-decoder")
    with pytest.raises(UserError, match="start, end and unknown"):
        make_network("trunk-decoder", {"folder": folder, "start": 1, "end": 1, "unknown": 0})
    with pytest.raises(UserError, match="no id 99"):
        make_network("trunk-decoder", {"folder": folder, "start": 1, "end": 99, "unknown": 0})


def test_a_frozen_encoder_is_read_once_and_stays_as_it_came(folders: Path, batch_of: Collate) -> None:
    torch.manual_seed(3)
    settings = {"folder": str(folders / "trunk-encoder"), **IDS["trunk-encoder"], "trained": 0}
    network = cast("Network", make_network("trunk-encoder", settings))
    torch.autograd.backward(network.loss(batch_of(ROWS))[0])
    trained = {name for name, parameter in network.named_parameters() if parameter.grad is not None}
    assert "bridge.weight" in trained and not any(name.startswith("trunk.") for name in trained)
    calls = []
    network.trunk.register_forward_hook(lambda *_: calls.append(1))
    whole = losses(network.eval(), batch_of(ROWS, more_source=2))
    assert not calls  # known from before, whatever the padding
    losses(network, batch_of([*ROWS, ([9, 9], [9, 9], [BOS, 9, EOS])]))
    assert len(calls) == 1
    assert sum(losses(network, batch_of([row])) for row in ROWS) == pytest.approx(whole, rel=1e-3)


def test_the_last_layers_alone_may_be_trained(folders: Path) -> None:
    settings = {"folder": str(folders / "trunk-encoder"), **IDS["trunk-encoder"], "trained": 1}
    network = cast("Network", make_network("trunk-encoder", settings))
    moving = {name for name, parameter in network.trunk.named_parameters() if parameter.requires_grad}
    assert moving and all(name.startswith("encoder.layer.1.") for name in moving)
