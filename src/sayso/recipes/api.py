"""Okapi §5 (table 7): an LSTM with attention and copying, Transformer+Copy and T5, on every split of Okapi and SCAN.

Printed: T5-Base fine-tuned at 3e-4, batches of 32, up to 200,000 steps, stopped on dev; figures are means of 5 runs.
Not printed (a supplement that the paper names is not to be had): sizes, which are JuICe's here, and the rest.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.recipes.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

PAPER, TABLE = "Okapi", "table 7"
SPLITS = ("length", "program")
TASKS = (
    *(f"api/{split}-{domain}" for split in SPLITS for domain in ("document", "email", "calendar")),
    *(f"api/scan-{split}" for split in ("length", "mcd1", "mcd2", "mcd3")),
)

# A word that train has once is unknown, so that copying is learnt.
COPIED = Encoding("token", source_minimum=2, copies=True, words="plain")
TRAINING = Training(
    rate=3e-4,
    batch=32,
    steps=200_000,
    epochs=1_000,
    clip=1.0,
    evaluate_every=500,
    patience=20,
    judge="match",
    speed="auto",
)
DECODING = Decoding(beam=5, k=5, longest=120)

LSTM_ATTENTION = Recipe(
    name="lstm-attention",
    paper=PAPER,
    table=TABLE,
    task=TASKS[0],
    also=TASKS[1:],
    what="LSTM+Attention: attentive LSTM that copies values (sizes: JuICe's)",
    network="copynet",
    model={
        "cell": "lstm", "embedding": 1024, "encoder": 512, "decoder": 1024, "layers": 2, "dropout": 0.5,
        "variational": False, "attention": "general",
    },
    encoding=COPIED,
    training=replace(TRAINING, rate=1e-3),
    decoding=DECODING,
)  # fmt: skip

TRANSFORMER_COPY_SCRATCH = replace(
    LSTM_ATTENTION,
    name="transformer-copy-scratch",
    what="Transformer+Copy with an encoder that starts from nothing (sizes: JuICe's)",
    network="transformer-copy",
    model={},
    training=replace(TRAINING, schedule="inverse-sqrt", warmup=2_000),
)

T5_SCRATCH = replace(
    LSTM_ATTENTION,
    name="t5-scratch",
    what="the T5 shape from nothing: relative positions, one vocabulary, no copying (6 layers of 512)",
    network="modern",
    model={"positions": "relative", "shared": True},
    encoding=Encoding("token", shared=True, words="plain"),
    training=replace(TRAINING, warmup=500),
)

WEIGHTS = "a folder of {} weights and the word pieces they were trained with"

TRANSFORMER_COPY = replace(
    TRANSFORMER_COPY_SCRATCH,
    name="transformer-copy",
    what="Transformer+Copy: a pretrained BERT encoder under a Transformer decoder that copies",
    network="trunk-encoder",
    needs=WEIGHTS.format("BERT"),
)

T5 = replace(
    T5_SCRATCH,
    name="t5",
    what="T5-Base, fine-tuned",
    network="trunk-encoder-decoder",
    model={},
    training=replace(TRAINING, evaluate_every=1_000),
    needs=WEIGHTS.format("T5-Base"),
)
