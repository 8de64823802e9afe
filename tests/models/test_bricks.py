"""The bricks against what defines them: torch's own layers, the papers' formulas, and sums written out."""

from __future__ import annotations

import math
from importlib import import_module

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from sayso.english.vocabulary import PAD
from sayso.models.attention import attend
from sayso.models.batch import Batch
from sayso.models.blocks import DecoderBlock, EncoderBlock, Shape
from sayso.models.copying import copying_log_probs, copying_loss, matching
from sayso.models.copynet import CopyNet, CopyNetSettings
from sayso.models.heads import projected_loss
from sayso.models.layers import Attention, VariationalDropout
from sayso.models.positions import RelativeBias, rotate, rotation, sinusoids
from sayso.models.rnn import Cell, Recurrence, run_masked, turn

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_the_written_recurrence_is_torchs(cell: Cell) -> None:
    torch.manual_seed(0)
    layer = Recurrence(cell, 5, 4)
    inputs, state = torch.randn(3, 6, 5), torch.randn(3, layer.state_width)
    fused = layer(inputs, state)
    walked = layer(inputs, state, torch.ones(3, 4))
    assert torch.allclose(fused, walked, atol=1e-6)
    for step in range(6):
        state = layer.advance(inputs[:, step], state)
    assert torch.allclose(state[:, :4], fused[:, -1], atol=1e-6)


def test_masked_recurrences_side_by_side_have_the_gradient_of_steps() -> None:
    torch.manual_seed(0)
    layers = [Recurrence("gru", 5, 4).double() for _ in range(2)]
    inputs, state = torch.randn(2, 3, 6, 5, dtype=torch.float64), torch.randn(2, 3, 4, dtype=torch.float64)
    kept = torch.tensor([0.0, 1.5, 1.5, 0.0, 1.5, 1.5] * 4, dtype=torch.float64).view(2, 3, 4)
    learnt = [inputs.requires_grad_(), state.requires_grad_(), *layers[0].parameters(), *layers[1].parameters()]

    def walk(at: int) -> torch.Tensor:
        states = [state[at]]
        for step in range(6):
            states.append(layers[at].advance(inputs[at, :, step], states[-1], kept[at]))
        return torch.stack(states[1:], 1)

    together = run_masked(torch.stack([layers[at].project(inputs[at]) for at in (0, 1)]), state, layers, kept)
    walked = torch.stack([walk(0), walk(1)])
    torch.testing.assert_close(together, walked)
    weights = torch.randn_like(walked)
    found, wanted = (torch.autograd.grad((one * weights).sum(), learnt) for one in (together, walked))
    torch.testing.assert_close(found, wanted)


def test_a_loss_in_parts_is_the_loss() -> None:
    torch.manual_seed(0)
    output, labels = nn.Linear(3, 7), torch.tensor([[4, 5, PAD], [6, PAD, PAD]])
    results = []
    for part in (0, 2, 4):
        states = torch.linspace(-1, 1, 18).view(2, 3, 3).requires_grad_()
        output.zero_grad()
        loss, tokens = projected_loss(states, output, labels, part)
        loss.backward()  # type: ignore[no-untyped-call]
        assert states.grad is not None and output.weight.grad is not None
        results.append((loss.detach(), tokens, states.grad, output.weight.grad.clone()))
    for other in results[1:]:
        for one, whole in zip(other, results[0], strict=True):
            torch.testing.assert_close(one, whole)


def test_a_gradient_takes_the_way_back_that_its_rows_came() -> None:
    rows = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    places = torch.tensor([2, 1, 0, 4, 3, 5])  # its own inverse: the last row of the second stays
    assert torch.equal(turn(rows, places)[:, :2].flatten(0, 1), rows.flatten(0, 1)[[2, 1, 4, 3]])
    assert torch.autograd.gradcheck(lambda one: turn(one, places), (rows,))


def test_variational_dropout_drops_the_same_units_at_every_step() -> None:
    torch.manual_seed(0)
    dropped = VariationalDropout(0.5)(torch.ones(50, 7, 40))
    assert bool((dropped == dropped[:, :1]).all())
    assert not bool((dropped[0, 0] == dropped[1, 0]).all())
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert dropped.mean().item() == pytest.approx(1.0, abs=0.1)


def test_attention_is_luongs_and_bahdanaus() -> None:
    torch.manual_seed(0)
    query, memory = torch.randn(1, 1, 3), torch.randn(1, 4, 5)
    mask = torch.tensor([[True, True, True, False]])
    general, additive = Attention("general", 3, 5), Attention("additive", 3, 5)
    scores = torch.stack([query[0, 0] @ general.of_memory.weight @ memory[0, place] for place in range(3)])
    wanted = scores.softmax(0) @ memory[0, :3]
    assert torch.allclose(general(query, general.keys(memory), memory, mask)[0, 0], wanted, atol=1e-6)
    summed = [additive.of_query(query[0, 0]) + additive.of_memory(memory[0, place]) for place in range(3)]
    scores = torch.cat([additive.energy(torch.tanh(one)) for one in summed])
    wanted = scores.softmax(0) @ memory[0, :3]
    assert torch.allclose(additive(query, additive.keys(memory), memory, mask)[0, 0], wanted, atol=1e-6)


SHAPE = Shape(
    width=8, heads=2, layers=1, feed_forward=12, dropout=0.0, norm="post", positions="sinusoidal", gated=False
)


def test_an_encoder_block_is_torchs() -> None:
    torch.manual_seed(0)
    theirs = nn.TransformerEncoderLayer(8, 2, 12, 0.0, batch_first=True)
    ours = EncoderBlock(SHAPE)
    ours.attention.project.load_state_dict(
        {"weight": theirs.self_attn.in_proj_weight, "bias": theirs.self_attn.in_proj_bias}
    )
    ours.attention.output.load_state_dict(theirs.self_attn.out_proj.state_dict())
    ours.feed_forward.enter.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.leave.load_state_dict(theirs.linear2.state_dict())
    x = torch.randn(2, 5, 8)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    wanted = theirs(x, src_key_padding_mask=~mask)
    assert torch.allclose(ours(x, mask[:, None, None], None)[mask], wanted[mask], atol=1e-5)


def test_a_decoder_block_is_torchs() -> None:
    torch.manual_seed(0)
    theirs = nn.TransformerDecoderLayer(8, 2, 12, 0.0, batch_first=True)
    ours = DecoderBlock(SHAPE)
    ours.attention.project.load_state_dict(
        {"weight": theirs.self_attn.in_proj_weight, "bias": theirs.self_attn.in_proj_bias}
    )
    ours.attention.output.load_state_dict(theirs.self_attn.out_proj.state_dict())
    weight, bias = theirs.multihead_attn.in_proj_weight, theirs.multihead_attn.in_proj_bias
    ours.cross.query.load_state_dict({"weight": weight[:8], "bias": bias[:8]})
    ours.cross.of_memory.load_state_dict({"weight": weight[8:], "bias": bias[8:]})
    ours.cross.output.load_state_dict(theirs.multihead_attn.out_proj.state_dict())
    ours.feed_forward.enter.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.leave.load_state_dict(theirs.linear2.state_dict())
    x, memory = torch.randn(2, 4, 8), torch.randn(2, 5, 8)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    later = nn.Transformer.generate_square_subsequent_mask(4)
    wanted = theirs(x, memory, tgt_mask=later, memory_key_padding_mask=~mask)
    source = (*ours.cross.keys_values(memory), mask[:, None, None])
    assert torch.allclose(ours(x, None, None, source), wanted, atol=1e-5)


def test_a_bias_and_causality_go_together() -> None:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 1, 2, 4, 6).unbind(0)
    wanted = attend(query, key, value, None, causal=True)
    assert torch.allclose(attend(query, key, value, torch.zeros(1, 2, 4, 4), causal=True), wanted, atol=1e-6)
    assert torch.allclose(attend(query, key, value, torch.ones(1, 1, 1, 4).bool(), causal=True), wanted, atol=1e-6)
    assert not torch.allclose(attend(query, key, value, None), wanted, atol=1e-3)


@settings(max_examples=20)
@given(near=st.integers(0, 300), far=st.integers(0, 300), by=st.integers(0, 200))
def test_turned_vectors_meet_by_distance_alone(near: int, far: int, by: int) -> None:
    generator = torch.Generator().manual_seed(1)
    left, right = torch.randn(2, 1, 8, generator=generator, dtype=torch.float64).unbind(0)

    def product(a: int, b: int) -> float:
        turned = [rotate(one, rotation(torch.tensor([at]), 8)) for one, at in ((left.float(), a), (right.float(), b))]
        return (turned[0] * turned[1]).sum().item()

    assert product(near, far) == pytest.approx(product(near + by, far + by), abs=1e-3)


def test_sinusoids_are_the_papers() -> None:
    table = sinusoids(torch.arange(7), 6)
    for position in range(7):
        for pair in range(3):
            angle = position / 10_000 ** (2 * pair / 6)
            assert table[position, pair].item() == pytest.approx(math.sin(angle), abs=1e-5)
            assert table[position, 3 + pair].item() == pytest.approx(math.cos(angle), abs=1e-5)


@pytest.mark.parametrize("both_ways", [True, False])
def test_buckets_of_distance_are_t5s(both_ways: bool) -> None:
    theirs = import_module("transformers.models.t5.modeling_t5").T5Attention._relative_position_bucket
    distance = torch.arange(-300, 301)[None]
    wanted = theirs(distance, bidirectional=both_ways, num_buckets=32, max_distance=128)
    bias = RelativeBias(1, both_ways=both_ways)
    nn.init.zeros_(bias.bias.weight)
    bias.bias.weight.data[:, 0] = torch.arange(32.0)
    ours = bias(torch.tensor([300]), torch.arange(601))[0, 0]
    assert torch.equal(ours.long(), wanted)


def test_what_leads_to_a_word_is_summed() -> None:
    # Two words of vocabulary 6, source places that say 4, 7 (own), 4; numbers by hand.
    generated = torch.tensor([[[0.1, 0.0, 0.1, 0.0, 0.2, 0.1]]]).log()
    copied = torch.tensor([[[0.2, 0.2, 0.1]]]).log()
    words = torch.tensor([[4, 7, 4]])
    log_probs = copying_log_probs(generated, copied, words, 2)
    assert log_probs.exp().tolist()[0] == pytest.approx([0.1, 0.0, 0.1, 0.0, 0.5, 0.1, 0.0, 0.2])
    for label, probability in ((4, 0.5), (7, 0.2), (5, 0.1)):
        labels = torch.tensor([[label]])
        loss, n = copying_loss(generated, copied, labels, matching(labels, words, torch.ones(1, 3).bool()))
        assert loss.item() == pytest.approx(-math.log(probability), abs=1e-5)
        assert n.item() == 1


def test_copynet_reads_back_the_place_it_copied_from() -> None:
    torch.manual_seed(0)
    network = CopyNet(CopyNetSettings(8, 8, embedding=4, encoder=3, decoder=5)).eval()
    source = torch.tensor([[5, 3, 6, 3, 2]])
    batch = Batch(source, torch.tensor([[5, 8, 6, 8, 2]]), torch.zeros(1, 0, dtype=torch.long), 1)
    state = network.start(batch)
    seen = []
    advance = Recurrence.advance

    def watch(self: Recurrence, inputs: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        seen.append(inputs[0, 4:10])  # after the embedding, the selective read of width 6
        return advance(self, inputs, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recurrence, "advance", watch)
        _, state = network.step(state, torch.tensor([1]), torch.tensor([0]))
        network.step(state, torch.tensor([8]), torch.tensor([0]))
    assert torch.equal(seen[0], torch.zeros(6))
    shares = state.scores[0, [1, 3]].softmax(0)
    wanted = shares[0] * state.source.memory[0, 1] + shares[1] * state.source.memory[0, 3]
    assert torch.allclose(seen[1], wanted, atol=1e-6)


def test_a_batch_goes_to_a_device_and_hides_its_padding() -> None:
    source = torch.tensor([[5, 6, PAD], [PAD, PAD, PAD]])
    batch = Batch(source, source, torch.zeros(2, 0, dtype=torch.long), 2).to("cpu")
    assert len(batch) == 2
    assert batch.extra == 2
    assert batch.source_mask.tolist() == [[True, True, False], [True, False, False]]
