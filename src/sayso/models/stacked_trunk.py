"""A pretrained BERT-like encoder under many decoders at once: each network has its own copy of it, and trains it.

`cut_trunk` packs what a stack needs of a folder of weights into one file: half precision, and of the word pieces only
those that the data has (another piece would never be read, so never learnt). A test holds it beside `EncoderTrunk`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from sayso.core.errors import BadFile
from sayso.english.vocabulary import PAD, SPECIALS
from sayso.models.blocks import Shape
from sayso.models.encoder_decoder import AttentiveDecoder
from sayso.models.stacked import Parameters, embed, linear

WORDS, PLACES = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
LONGEST = 128
PREFIX = "trunk."


@dataclass(frozen=True)
class StackedTrunk:
    """BERT's layers (Devlin et al., 2019) over stacked parameters, then a bridge to the decoder's width."""

    heads: int
    layers: int
    epsilon: float

    def __call__(self, p: Parameters, ids: Tensor, hidden: Tensor, drop: Callable[[Tensor], Tensor]) -> Tensor:
        """(networks, rows, places) ids and what is added to scores -> (networks, rows * places, width)"""
        n, time = ids.shape[1:]
        words = embed((ids - len(SPECIALS)).clamp(min=0), p[PREFIX + WORDS])
        placed = p[PREFIX + PLACES][:, None, :time] + p[f"{PREFIX}embeddings.token_type_embeddings.weight"][:, None, :1]
        x = drop(self._norm(p, f"{PREFIX}embeddings.LayerNorm", (words + placed).flatten(1, 2)))
        for layer in range(self.layers):
            name = f"{PREFIX}encoder.layer.{layer}"
            query, key, value = (
                self._heads(linear(x, p, f"{name}.attention.self.{part}"), n) for part in ("query", "key", "value")
            )
            scores = ((query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)).float() + hidden
            read = (drop(scores.softmax(-1).to(value.dtype)) @ value).transpose(2, 3).flatten(3).flatten(1, 2)
            read = drop(linear(read, p, f"{name}.attention.output.dense"))
            x = self._norm(p, f"{name}.attention.output.LayerNorm", x + read)
            inner = linear(F.gelu(linear(x, p, f"{name}.intermediate.dense")), p, f"{name}.output.dense")
            x = self._norm(p, f"{name}.output.LayerNorm", x + drop(inner))
        return linear(x, p, "bridge")

    def _norm(self, p: Parameters, name: str, x: Tensor) -> Tensor:
        read = F.layer_norm(x, (x.shape[-1],), eps=self.epsilon)
        return read * p[f"{name}.weight"][:, None] + p[f"{name}.bias"][:, None]

    def _heads(self, x: Tensor, n: int) -> Tensor:
        return x.view(x.shape[0], n, -1, self.heads, x.shape[-1] // self.heads).transpose(2, 3)


@dataclass(frozen=True)
class CutTrunk:
    """What `cut_trunk` packed: one encoder's weights, and which of the folder's pieces it still has."""

    model: StackedTrunk
    weights: Mapping[str, Tensor]
    pieces: NDArray[np.int64]

    def renumber(self, ids: Tensor) -> Tensor:
        """Our ids of the whole folder's pieces -> our ids of those that are left; padding stays."""
        table = np.full(int(self.pieces.max()) + 1, -1)
        table[self.pieces] = np.arange(len(self.pieces))
        found = torch.from_numpy(table).to(ids.device)[(ids - len(SPECIALS)).clamp(min=0)]
        if bool(((found < 0) & (ids != PAD)).any()):
            raise BadFile("the data has pieces that were cut off the encoder", "write the folder again")
        return torch.where(ids == PAD, PAD, found + len(SPECIALS))

    def copies(self, networks: int) -> Parameters:
        """The same weights for every network."""
        return {PREFIX + name: one.float().expand(networks, *one.shape).clone() for name, one in self.weights.items()}


def make_head(model: Mapping[str, Any], trunk: CutTrunk, output_size: int) -> nn.Module:
    """What is not pretrained, by the settings of `trunk-encoder` and as that network makes it."""
    sizes = {name: model[name] for name in ("width", "heads", "layers", "feed_forward", "dropout")}
    shape = Shape(**sizes, norm="post", positions="sinusoidal", gated=False)
    bridge = nn.Linear(trunk.weights[WORDS].shape[1], shape.width)
    decoder = AttentiveDecoder(shape, output_size, copies=model.get("copies", True))
    return nn.ModuleDict({"bridge": bridge, "body": nn.ModuleDict({"decoder": decoder})})


def head_shape(head: nn.Module) -> Shape:
    """As StackedTransformer wants it."""
    shape: Shape = head.body.decoder.decoder.shape  # type: ignore[union-attr, assignment]
    return shape


def cut_trunk(folder: Path, pieces: Sequence[int]) -> bytes:
    """The encoder of a folder (`config.json`, `model.safetensors`) with these of its pieces."""
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_bytes())
    weights = load_file(folder / "model.safetensors")
    kept = {
        name.removeprefix("bert."): one for name, one in weights.items() if ".layer." in name or "embeddings" in name
    }
    kept = {name: one.astype(np.float16) for name, one in kept.items() if one.dtype.kind == "f"}
    ids = np.unique(np.asarray(pieces, np.int64))
    kept[WORDS], kept[PLACES] = kept[WORDS][ids], kept[PLACES][:LONGEST]
    facts = [config["num_attention_heads"], config["num_hidden_layers"], config["layer_norm_eps"]]
    buffer = io.BytesIO()
    np.savez(buffer, pieces=ids, facts=np.asarray(facts, np.float64), **kept)  # type: ignore[arg-type]
    return buffer.getvalue()


def read_trunk(path: Path) -> CutTrunk:
    """What `cut_trunk` packed."""
    with np.load(path, allow_pickle=False) as file:
        weights = {name: torch.from_numpy(file[name]) for name in file.files if name not in ("pieces", "facts")}
        heads, layers, epsilon = file["facts"].tolist()
        return CutTrunk(StackedTrunk(int(heads), int(layers), epsilon), weights, file["pieces"])
