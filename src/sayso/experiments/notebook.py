"""JuICe §6–7 (tables 6 and 7, figure 3): LSTM and Transformer over K cells of a notebook, to code or to API calls.

Printed: one vocabulary of 10,000 byte pairs, cells cut at 75 tokens; LSTM of 2 layers, 1024, dropout .5, Adam at 1e-3,
40 epochs, beam 5; Transformer of 6 layers, 4 heads, 512/1024, 5e-4 after 2,000 steps, 200 epochs, the best on dev.
Not printed: batches (64 here), the Transformer's schedule and dropout (Vaswani et al.'s), and label smoothing (none).
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

TABLES, FIGURE = "tables 6 and 7", "figure 3 (c, d)"


def encoding(cells: int) -> Encoding:
    """JuICe's K counts the request's own cell, which is not cut."""
    return Encoding("subtoken", shared=True, words="plain", context=cells - 1, source_longest=600, target_longest=400)


LSTM_K1 = Recipe(
    name="lstm-k1",
    paper="JuICe",
    table=TABLES,
    task="notebook/code",
    also=("notebook/apis",),
    what="LSTM with Luong attention, the cell above alone",
    network="lstm",
    encoding=encoding(1),
    training=Training(rate=1e-3, batch=64, epochs=40, clip=5.0, speed="auto"),
    decoding=Decoding(beam=5, k=5, longest=400),
)

LSTM_K2 = replace(LSTM_K1, name="lstm-k2", table=FIGURE, what="the same over two cells", encoding=encoding(2))
LSTM_K3 = replace(LSTM_K1, name="lstm-k3", what="the same over three cells, the paper's best", encoding=encoding(3))
LSTM_K4 = replace(LSTM_K2, name="lstm-k4", what="the same over four cells", encoding=encoding(4))
LSTM_K5 = replace(LSTM_K2, name="lstm-k5", what="the same over five cells", encoding=encoding(5))

TRANSFORMER_K1 = replace(
    LSTM_K1,
    name="transformer-k1",
    table="table 6",
    also=(),
    what="Transformer, the cell above alone",
    network="transformer",
    model={"shared": True},
    training=Training(
        rate=5e-4, schedule="inverse-sqrt", warmup=2_000, batch=64, epochs=200, clip=5.0, speed="auto"
    ),
)  # fmt: skip

TRANSFORMER_K3 = replace(
    TRANSFORMER_K1, name="transformer-k3", what="Transformer over three cells", encoding=encoding(3)
)
