"""`--tiny`: any recipe small enough to go end to end on a laptop in seconds; its numbers mean nothing."""

from __future__ import annotations

from dataclasses import replace

from sayso.core.types import Split
from sayso.experiments.recipe import Recipe, Value

EXAMPLES: dict[Split, int] = {"train": 200, "dev": 20, "test": 20}

RECURRENT: dict[str, Value] = {"embedding": 16, "encoder": 8, "decoder": 16, "layers": 1}
ATTENTIVE: dict[str, Value] = {"width": 16, "heads": 2, "layers": 1, "feed_forward": 32}
MODELS = {
    "gru": RECURRENT,
    "lstm": RECURRENT,
    "copynet": RECURRENT,
    "transformer": ATTENTIVE,
    "transformer-copy": ATTENTIVE,
    "modern": ATTENTIVE,
    "set": ATTENTIVE,
    "trunk-encoder": ATTENTIVE,
    "trunk-encoder-decoder": {},
}


def shrink(recipe: Recipe) -> Recipe:
    """The same system with a few units, trained for two epochs; `EXAMPLES` says of how many examples."""
    return replace(
        recipe,
        model={**recipe.model, **MODELS[recipe.network]},
        encoding=replace(recipe.encoding, source_minimum=1, target_minimum=1, source_longest=60, target_longest=60),
        training=replace(
            recipe.training, epochs=2, steps=0, batch=16, rate=0.01, schedule="constant", warmup=0, evaluate_every=0,
            patience=0, shapes=3,
        ),
        decoding=replace(recipe.decoding, beam=3, k=3, longest=20),
    )  # fmt: skip
