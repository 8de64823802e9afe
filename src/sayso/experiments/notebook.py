"""JuICe §6–7 (tables 6 and 7, figure 3): LSTM and Transformer over K cells of a notebook, to code or to API calls.

Printed: one vocabulary of 10,000 byte pairs, cells cut at 75 tokens; LSTM of 2 layers, 1024, dropout .5, Adam at 1e-3,
40 epochs, beam 5; Transformer of 6 layers, 4 heads, 512/1024, 5e-4 after 2,000 steps, 200 epochs, the best on dev.
Not printed: batches (256 here), the Transformer's schedule and dropout (Vaswani et al.'s), label smoothing
(none), whether what is read and what is said share embeddings (here they do), and how answers of different lengths are
ranked (by a length normalisation that dev chooses). Ours: attention after the recurrence, and early stopping on dev.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

TABLES, BY_CELLS, BY_DATA = "tables 6 and 7", "figure 3 (c, d)", "figure 3 (a, b)"
STORED = 4
"""Cells of context in the encoded data: the paper looks at up to five with the request's own."""
ALPHAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)
"""Without any, half of what these networks have to say is never said: a beam of sums of logarithms ends early."""


def encoding(cells: int) -> Encoding:
    """JuICe's K counts the request's own cell, which is not cut."""
    return Encoding(
        shared=True, words="plain", merges=10_000, stored=STORED, context=cells - 1, source_longest=700,
        target_longest=320,
    )  # fmt: skip


LSTM_K1 = Recipe(
    name="lstm-k1",
    paper="JuICe",
    table=TABLES,
    task="notebook/code",
    also=("notebook/apis",),
    also_judge="f1",
    what="LSTM with Luong attention, the cell above alone",
    network="lstm",
    model={"shared": True},
    encoding=encoding(1),
    training=Training(
        rate=1e-3, batch=256, tokens=98_304, epochs=40, clip=5.0, shapes=24, patience=8, judge="bleu", ship="none",
        save_every=1_000_000, speed="eager",
    ),
    decoding=Decoding(beam=5, k=5, longest=160, batch=160, alphas=ALPHAS, recorded=False),
)  # fmt: skip
LSTM_K3 = replace(
    LSTM_K1, name="lstm-k3", what="the same over three cells, the paper's best", encoding=encoding(3),
    training=replace(LSTM_K1.training, ship="int8"),
)  # fmt: skip


def over(cells: int, share: float) -> Recipe:
    """A point of figure 3: the paper's by cells are of 200,000 of 1.5 million examples, ours of 30 % of train.

    Batches are smaller where there is less, so that there are updates enough.
    """
    percent = round(100 * share)
    return replace(
        LSTM_K1, name=f"lstm-k{cells}-n{percent}", table=BY_CELLS if percent == 30 else BY_DATA, also=(),
        what=f"LSTM over {cells} cells, {percent} % of train", encoding=encoding(cells),
        training=replace(LSTM_K1.training, share=share, batch=256 if share > 0.2 else 128),
    )  # fmt: skip


LSTM_K3_N10 = over(3, 0.1)
LSTM_K1_N30, LSTM_K2_N30, LSTM_K3_N30, LSTM_K5_N30 = (over(cells, 0.3) for cells in (1, 2, 3, 5))

TRANSFORMER_K1 = replace(
    LSTM_K1,
    name="transformer-k1",
    table="table 6",
    what="Transformer, the cell above alone",
    network="transformer",
    training=replace(
        LSTM_K1.training, rate=5e-4, schedule="inverse-sqrt", warmup=2_000, epochs=200, patience=12, speed="auto"
    ),
)  # fmt: skip
TRANSFORMER_K3 = replace(
    TRANSFORMER_K1, name="transformer-k3", what="Transformer over three cells", encoding=encoding(3)
)
