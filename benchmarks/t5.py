"""Our `modern` network as the T5 of `transformers`: the same function of the same weights, so that only speed differs.

T5 does not scale attention and keeps its embedding scaled up; both are folded into the weights.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from sayso.english.vocabulary import BOS, EOS, PAD
from sayso.models.batch import Batch
from sayso.models.modern import ModernSettings
from sayso.models.transformer import Transformer

IGNORED = -100  # what transformers takes for "no label here"


def same_shape(
    words: int, *, width: int = 512, heads: int = 8, layers: int = 6, feed_forward: int = 1024
) -> Transformer:
    """The 6 + 6 layers of 512 of the promise, over one vocabulary."""
    torch.manual_seed(0)
    return Transformer(
        ModernSettings(
            source_size=words, output_size=words, width=width, heads=heads, layers=layers, feed_forward=feed_forward,
            positions="relative", shared=True,
        )
    )  # fmt: skip


def as_t5(ours: Transformer) -> Any:
    """`transformers.T5ForConditionalGeneration` with our weights, on our device, with the same dropout."""
    from transformers import T5Config, T5ForConditionalGeneration

    settings: Any = ours.settings
    config = T5Config(  # type: ignore[call-arg]
        vocab_size=settings.output_size, d_model=settings.width, d_kv=settings.width // settings.heads,
        num_heads=settings.heads, d_ff=settings.feed_forward, num_layers=settings.layers,
        num_decoder_layers=settings.layers, feed_forward_proj="gated-silu", dropout_rate=settings.dropout,
        tie_word_embeddings=True, pad_token_id=PAD, eos_token_id=EOS, decoder_start_token_id=BOS,
    )  # fmt: skip
    theirs: Any = T5ForConditionalGeneration(config)
    missing, unknown = theirs.load_state_dict(renamed(ours), strict=False)
    tied = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"}
    if unknown or set(missing) - tied:
        raise RuntimeError(f"transformers' T5 has other weights: {unknown} {set(missing) - tied}")
    return theirs.to(next(ours.parameters()).device)


def renamed(ours: Transformer) -> dict[str, Tensor]:
    """Our weights under T5's names."""
    settings: Any = ours.settings
    head = settings.width // settings.heads
    found: dict[str, Tensor] = {"shared.weight": ours.body.decoder.embedding.weight.detach() * settings.width**0.5}
    for side, stack in (("encoder", ours.body.encoder), ("decoder", ours.body.decoder.decoder)):
        assert isinstance(stack.norm, nn.RMSNorm) and stack.relative is not None
        found[f"{side}.final_layer_norm.weight"] = stack.norm.weight
        bias = f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        found[bias] = stack.relative.bias.weight
        for number, block in enumerate(stack.blocks):
            parts: Any = block
            place = f"{side}.block.{number}.layer"
            query, key, value = parts.attention.project.weight.chunk(3)
            attention = {"q": query / head**0.5, "k": key, "v": value, "o": parts.attention.output.weight}
            found |= {f"{place}.0.SelfAttention.{name}.weight": one for name, one in attention.items()}
            found[f"{place}.0.layer_norm.weight"] = parts.around_attention.norm.weight
            last = 1
            if side == "decoder":
                last = 2
                key, value = parts.cross.of_memory.weight.chunk(2)
                cross = {"q": parts.cross.query.weight / head**0.5, "k": key, "v": value}
                cross["o"] = parts.cross.output.weight
                found |= {f"{place}.1.EncDecAttention.{name}.weight": one for name, one in cross.items()}
                found[f"{place}.1.layer_norm.weight"] = parts.around_cross.norm.weight
            gate, entered = parts.feed_forward.enter.weight.chunk(2)
            inner = {"wi_0": gate, "wi_1": entered, "wo": parts.feed_forward.leave.weight}
            found |= {f"{place}.{last}.DenseReluDense.{name}.weight": one for name, one in inner.items()}
            found[f"{place}.{last}.layer_norm.weight"] = parts.around_feed_forward.norm.weight
    return {name: one.detach().clone() for name, one in found.items()}


def t5_inputs(batch: Batch) -> dict[str, Tensor]:
    """What T5's `forward` reads, labels included."""
    return {
        "input_ids": batch.source,
        "attention_mask": batch.source_mask.long(),
        "decoder_input_ids": batch.inputs,
        "labels": batch.labels.masked_fill(batch.labels == PAD, IGNORED),
    }
