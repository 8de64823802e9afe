"""Okapi §5 (table 7): an LSTM with attention and copying, Transformer+Copy and T5, on every split of Okapi and SCAN.

Printed: T5-Base fine-tuned at 3e-4, batches of 32, up to 200,000 steps, stopped on dev; figures are means of 5 runs.
Not printed (a supplement that the paper names is not to be had): sizes and the rest. From nothing, and on 1,300 to
5,000 pairs, small networks do: 256 wide, 3 layers. Dropout is chosen on dev.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

PAPER, TABLE = "Okapi", "table 7"
SPLITS = ("length", "program")
TASKS = (
    *(f"api/{split}-{domain}" for split in SPLITS for domain in ("document", "email", "calendar")),
    *(f"api/scan-{split}" for split in ("length", "mcd1", "mcd2", "mcd3")),
)

# A word that train has once is unknown, so that copying is learnt.
COPIED = Encoding("token", source_minimum=2, copies=True, words="plain", view="folded")
TRAINING = Training(
    rate=3e-4,
    batch=32,
    steps=1_500,
    epochs=1_000,
    schedule="cosine",
    warmup=200,
    clip=1.0,
    evaluate_every=250,
    judge="match",
    speed="auto",
)
DECODING = Decoding(beam=1, k=1, longest=60)

SIZES = {"width": 256, "heads": 4, "layers": 3, "feed_forward": 512, "dropout": 0.1}

LSTM_ATTENTION = Recipe(
    name="lstm-attention",
    paper=PAPER,
    table=TABLE,
    task=TASKS[0],
    also=TASKS[1:],
    what="LSTM+Attention: attentive LSTM that copies values (2 layers of 256)",
    network="copynet",
    model={
        "cell": "lstm", "embedding": 256, "encoder": 128, "decoder": 256, "layers": 2, "dropout": 0.1,
        "variational": False, "attention": "general",
    },
    encoding=COPIED,
    training=replace(TRAINING, rate=1e-3, batch=64),
    decoding=DECODING,
)  # fmt: skip

TRANSFORMER_COPY_SCRATCH = replace(
    LSTM_ATTENTION,
    name="transformer-copy-scratch",
    what="Transformer+Copy with an encoder that starts from nothing (3 layers of 256)",
    network="transformer-copy",
    model=SIZES,
    training=replace(TRAINING, rate=5e-4),
)

T5_SCRATCH = replace(
    LSTM_ATTENTION,
    name="t5-scratch",
    what="the T5 shape from nothing: relative positions, one vocabulary of pieces, no copying (3 layers of 256)",
    network="modern",
    model={**SIZES, "positions": "relative", "shared": True},
    encoding=Encoding("token", shared=True, words="plain", view="pieces"),
    training=replace(TRAINING, rate=5e-4),
)

WEIGHTS = "a folder of {} weights (--set model.folder=DIR)"
AS_PRINTED = replace(TRAINING, steps=200_000, schedule="constant", warmup=0, evaluate_every=1_000, patience=20)

TRANSFORMER_COPY = replace(
    TRANSFORMER_COPY_SCRATCH,
    name="transformer-copy",
    what="Transformer+Copy: a pretrained BERT encoder under a Transformer decoder that copies",
    network="trunk-encoder",
    model={},
    needs=WEIGHTS.format("BERT"),
)

# Frozen, and under the decoder of `transformer-copy-scratch`: what a CPU can do, not what the paper did.
TRANSFORMER_COPY_MINILM = replace(
    TRANSFORMER_COPY,
    name="transformer-copy-minilm",
    what="Transformer+Copy over a frozen MiniLM encoder, read at three depths (decoder: 3 layers of 256)",
    model={**SIZES, "trained": 0},
    training=replace(TRAINING, rate=5e-4, steps=800, warmup=100, evaluate_every=160, speed="eager"),
    needs=WEIGHTS.format("MiniLM"),
)

# As the paper does with BERT: the whole encoder is trained along.
TRANSFORMER_COPY_MINILM_TUNED = replace(
    TRANSFORMER_COPY,
    name="transformer-copy-minilm-tuned",
    what="Transformer+Copy with a fine-tuned MiniLM encoder (decoder: 3 layers of 256)",
    model=SIZES,
    training=replace(TRAINING, rate=2e-4, steps=4_000),
    needs=WEIGHTS.format("MiniLM"),
)

T5 = replace(
    T5_SCRATCH,
    name="t5",
    what="T5-Base, fine-tuned",
    network="trunk-encoder-decoder",
    model={},
    encoding=Encoding("token", shared=True, words="plain", view="folded"),
    training=AS_PRINTED,
    needs=WEIGHTS.format("T5-Base"),
)
