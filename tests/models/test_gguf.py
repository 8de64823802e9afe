"""A Llama out of a GGUF file: the same numbers as `transformers` reads, and a tokenizer that cuts as it should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from sayso.core.errors import BadFile, MissingData
from sayso.models.gguf import NAMES, our_name, read_gguf
from sayso.models.int4 import Packed, unpack
from sayso.models.llama import Llama

gguf = pytest.importorskip("gguf")
pytestmark = pytest.mark.torch

WIDTH, HEADS, KEY_HEADS, FEED_FORWARD, LAYERS = 64, 4, 2, 96, 2
TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *"abdefhilnorstĠ0123456789", "fi", "nd", "find"]
SHAPES = {
    "attn_q": (WIDTH, WIDTH),
    "attn_k": (KEY_HEADS * WIDTH // HEADS, WIDTH),
    "attn_v": (KEY_HEADS * WIDTH // HEADS, WIDTH),
    "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (FEED_FORWARD, WIDTH),
    "ffn_up": (FEED_FORWARD, WIDTH),
    "ffn_down": (WIDTH, FEED_FORWARD),
}


def write(path: Path, kind: str = "Q4_1") -> None:
    """A random Llama as llama.cpp would keep it."""
    draw = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_vocab_size(len(TOKENS))
    writer.add_context_length(128)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3] * 3 + [1] * (len(TOKENS) - 3))
    writer.add_token_merges(["f i", "n d", "fi nd"])

    def add(name: str, shape: tuple[int, ...], quantised: str) -> None:
        numbers = draw.normal(size=shape).astype(np.float32)
        if quantised:
            asked = gguf.GGMLQuantizationType[quantised]
            writer.add_tensor(name, gguf.quants.quantize(numbers, asked), raw_dtype=asked)
        else:
            writer.add_tensor(name, numbers)

    add("token_embd.weight", (len(TOKENS), WIDTH), "Q8_0")
    add("output_norm.weight", (WIDTH,), "")
    for layer in range(LAYERS):
        for name in NAMES:
            norm = name.endswith("norm")
            add(f"blk.{layer}.{name}.weight", (WIDTH,) if norm else SHAPES[name], "" if norm else kind)
    for finish in (
        writer.write_header_to_file,
        writer.write_kv_data_to_file,
        writer.write_tensors_to_file,
        writer.close,
    ):
        finish()


@pytest.mark.slow
def test_the_numbers_are_those_that_transformers_reads(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    write(tmp_path / "tiny.gguf")
    source = read_gguf(tmp_path / "tiny.gguf")
    ours = Llama(source.settings).eval()
    ours.load_state_dict(
        {name: unpack(one) if isinstance(one, Packed) else one for name, one in source.weights.items()}
    )
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="tiny.gguf", dtype=torch.float32)
    ids = torch.randint(3, len(TOKENS), (2, 11), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        found = ours.logits(ours.read(ours.embed(ids))[0])
        assert torch.allclose(theirs(ids).logits, found, atol=1e-2, rtol=1e-3)


def test_the_tokenizer_cuts_numbers_into_digits(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    write(tmp_path / "tiny.gguf")
    source = read_gguf(tmp_path / "tiny.gguf")
    assert (source.settings.layers, source.settings.key_heads, source.settings.epsilon) == (LAYERS, KEY_HEADS, 1e-5)
    assert Tokenizer.from_str(source.tokenizer).encode("find 42").tokens == ["find", "Ġ", "4", "2"]
    assert our_name("blk.3.attn_q.weight") == "layers.3.self_attn.q_proj.weight"


def test_what_is_no_llama_in_four_bits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="not there"):
        read_gguf(tmp_path / "none.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"no GGUF at all" * 10)
    with pytest.raises(BadFile, match=r"bad\.gguf"):
        read_gguf(tmp_path / "bad.gguf")
    write(tmp_path / "other.gguf", kind="Q8_0")
    source = read_gguf(tmp_path / "other.gguf")
    assert not any(isinstance(one, Packed) for one in source.weights.values())
