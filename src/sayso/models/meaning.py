"""The sentence encoder as a torch network, to be trained: BERT's shape (MiniLM-L6), mean over time, unit length.

It reads a folder of the published encoder, and gives the weights that `translate.meaning.Encoder` runs without torch.
Texts of a batch are filled up with zeros, which `lengths` hides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sayso.core.errors import BadFile, MissingData
from sayso.neural.meaning import MATRICES, MeaningShape, rounded
from sayso.neural.weights import numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

HINT = "get it with `sayso data get minilm`"
PARTS = {
    "qkv": ("attention.self.query", "attention.self.key", "attention.self.value"),
    "out": ("attention.output.dense",),
    "up": ("intermediate.dense",),
    "down": ("output.dense",),
}
NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each followed by a norm."""

    def __init__(self, shape: MeaningShape) -> None:
        super().__init__()
        self.heads = shape.heads
        for name in MATRICES:
            outputs, inputs = shape.matrix(name)
            self.add_module(name, nn.Linear(inputs, outputs))
        self.norm1 = nn.LayerNorm(shape.width, shape.epsilon)
        self.norm2 = nn.LayerNorm(shape.width, shape.epsilon)

    def forward(self, x: Tensor, seen: Tensor) -> Tensor:
        rows, time, width = x.shape
        qkv = self.get_submodule("qkv")(x).view(rows, time, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], attn_mask=seen[:, None, None, :])
        x = self.norm1(x + self.get_submodule("out")(mixed.transpose(1, 2).reshape(rows, time, width)))
        up = F.gelu(self.get_submodule("up")(x), approximate="tanh")
        output: Tensor = self.norm2(x + self.get_submodule("down")(up))
        return output


class SentenceEncoder(nn.Module):
    """Ids (row, time) and lengths (row) to unit vectors (row, width)."""

    def __init__(self, shape: MeaningShape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.places = nn.Parameter(torch.zeros(shape.places, shape.width))
        self.norm = nn.LayerNorm(shape.width, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        seen = torch.arange(ids.shape[1]) < lengths[:, None]  # (row, time)
        x = self.norm(self.words(ids) + self.places[: ids.shape[1]])
        for layer in self.layers:
            x = layer(x, seen)
        mean = (x * seen[..., None]).sum(1) / lengths[:, None]
        return F.normalize(mean, dim=1)


def read_minilm(folder: Path, kept: Sequence[str] | None = None, places: int = 48) -> tuple[SentenceEncoder, list[str]]:
    """The published encoder of a folder and its vocabulary, cut to `kept` where that is given."""
    from safetensors.torch import load

    try:
        config = json.loads((folder / "config.json").read_bytes())
        pieces = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[: config["vocab_size"]]
        found = load((folder / "model.safetensors").read_bytes())
    except FileNotFoundError as error:
        raise MissingData(f"{folder} holds no {Path(error.filename).name}", HINT) from error
    kept = list(kept) if kept is not None else pieces
    at = {piece: number for number, piece in enumerate(pieces)}
    shape = MeaningShape(
        vocabulary=len(kept),
        width=config["hidden_size"],
        heads=config["num_attention_heads"],
        layers=config["num_hidden_layers"],
        feed_forward=config["intermediate_size"],
        places=places,
        epsilon=config["layer_norm_eps"],
    )
    encoder = SentenceEncoder(shape)
    try:
        encoder.load_state_dict(state_from(found, [at[piece] for piece in kept], shape))
    except (KeyError, IndexError, RuntimeError) as error:
        raise BadFile(f"{folder} holds no BERT that this sayso reads: {error}", HINT) from error
    return encoder, kept


def state_from(found: Mapping[str, Tensor], rows: Sequence[int], shape: MeaningShape) -> dict[str, Tensor]:
    """Our names for theirs; a request is all of one segment, so that segment's vector is put into the places."""
    table = "embeddings.{}_embeddings.weight"
    state = {
        "words.weight": found[table.format("word")][list(rows)],
        "places": found[table.format("position")][: shape.places] + found[table.format("token_type")][0],
    }
    for end in ("weight", "bias"):
        state[f"norm.{end}"] = found[f"embeddings.LayerNorm.{end}"]
        for layer in range(shape.layers):
            theirs, ours = f"encoder.layer.{layer}", f"layers.{layer}"
            for name, parts in PARTS.items():
                state[f"{ours}.{name}.{end}"] = torch.cat([found[f"{theirs}.{part}.{end}"] for part in parts])
            for name, part in NORMS.items():
                state[f"{ours}.{name}.{end}"] = found[f"{theirs}.{part}.{end}"]
    return state


def stored_weights(encoder: SentenceEncoder) -> dict[str, Array]:
    """What `translate.meaning.Encoder` reads: matrices and words in eight bits, the rest in float32."""
    made: dict[str, Array] = {}
    for name, value in encoder.state_dict().items():
        weight = value.detach().cpu().numpy()
        stem, _, end = name.rpartition(".")
        if name == "words.weight":
            made["words.q"], made["words.d"] = rounded(weight)
        elif end == "weight" and stem.rsplit(".", 1)[-1] in MATRICES:
            made[stem + ".q"], made[stem + ".d"] = numbers(weight, encoder.shape.bits, encoder.shape.group)
        else:
            made[name] = weight
    return made
