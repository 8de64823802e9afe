"""A trunk that ships as a folder again, so that training can go on from it: its four-bit numbers as whole matrices.

The words are taken from the folder that its vocabulary was cut in (`trunk cut --like`): a bundle rounds them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from sayso.core.errors import BadFile
from sayso.models.trunk_folder import CONFIG, TOKENIZER, WEIGHTS, load_weights, read_json, save_trunk, settings_of
from sayso.neural.bundle import load_bundle
from sayso.neural.weights import FUSED, TrunkShape, part_sizes, read_tensors, whole
from sayso.training.export import NORMS

WORDS = "embed_tokens.weight"


def open_again(bundle: Path, words: Path, out: Path) -> None:
    """Write the folder; raises where bundle and words do not have one vocabulary."""
    shipped = load_bundle(bundle)
    shape = TrunkShape(**shipped.settings["shape"])
    tokenizer = (words / TOKENIZER).read_bytes()
    if tokenizer != (bundle / TOKENIZER).read_bytes():
        raise BadFile(f"{words} was not cut as {bundle.name} was", "use `trunk cut --like` with its tokenizer.json")
    settings = replace(settings_of(read_json(words / CONFIG), words / CONFIG), layers=shape.layers)
    weights = {WORDS: load_weights(words / WEIGHTS)[WORDS], **matrices_of(bundle, shape)}
    save_trunk(out, settings, weights, tokenizer.decode())


def matrices_of(bundle: Path, shape: TrunkShape) -> dict[str, torch.Tensor]:
    """Everything but the words, by the trunk's own names, in float32."""
    stored = {
        name: one
        for path in sorted(bundle.glob("weights-*.safetensors"))
        for name, one in read_tensors(path.read_bytes(), path.name).items()
    }
    found = {"norm.weight": torch.from_numpy(stored["norm"].astype(np.float32))}
    for layer in range(shape.layers):
        for theirs, ours in NORMS.items():
            norm = stored[f"layers.{layer}.{ours}"].astype(np.float32)
            found[f"layers.{layer}.{theirs}.weight"] = torch.from_numpy(norm)
        for fused, parts in FUSED.items():
            name = f"layers.{layer}.{fused}"
            outputs, inputs = shape.matrix(fused)
            matrix = np.asarray(whole(stored[f"{name}.q"], stored[f"{name}.d"], 4), np.float32).reshape(outputs, inputs)
            for part, rows in zip(parts, torch.split(torch.from_numpy(matrix), part_sizes(fused, shape)), strict=True):
                found[f"layers.{layer}.{part}.weight"] = rows.contiguous()
    return found
