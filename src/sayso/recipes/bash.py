"""NL2Bash §6.1: Seq2Seq and CopyNet over characters, tokens and sub-tokens (tables 8, 9 and 15).

Printed: GRU cells, encoder 2 × 200, decoder 400, variational dropout 0.4, Adam at 1e-4, batches of 128, beam 100, NL
words seen fewer than four times left out but for characters. Not printed, so chosen on dev: when to stop.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.recipes.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

TASK, PAPER = "bash/command", "NL2Bash"
SIZES = {"encoder": 200, "decoder": 400, "dropout": 0.4, "variational": True}

# At 1e-4 a batch of 128 learns slowly: 8,090 pairs are 64 updates an epoch.
TRAINING = Training(
    optimiser="adam",
    rate=1e-4,
    batch=128,
    epochs=300,
    clip=5.0,
    evaluate_every=320,
    patience=15,
    judge="match",
    speed="auto",
)
DECODING = Decoding(beam=100, k=5, longest=80)

CHARACTERS = Encoding("char")
TOKENS = Encoding("token", source_minimum=4)
SUBTOKENS = Encoding("subtoken", source_minimum=4)

SEQ2SEQ_TOKEN = Recipe(
    name="seq2seq-token",
    paper=PAPER,
    table="tables 8 and 15",
    task=TASK,
    what="GRU encoder–decoder over tokens",
    network="gru",
    model=SIZES,
    encoding=TOKENS,
    training=TRAINING,
    decoding=DECODING,
)

SEQ2SEQ_SUBTOKEN = replace(
    SEQ2SEQ_TOKEN,
    name="seq2seq-subtoken",
    what="GRU encoder–decoder, constants cut into sub-tokens",
    encoding=SUBTOKENS,
)

SEQ2SEQ_CHAR = replace(
    SEQ2SEQ_TOKEN,
    name="seq2seq-char",
    what="GRU encoder–decoder over characters",
    encoding=CHARACTERS,
    decoding=replace(DECODING, longest=250),
)

COPYNET_TOKEN = replace(
    SEQ2SEQ_TOKEN,
    name="copynet-token",
    what="the same with copying (Gu et al., 2016) of request tokens",
    network="copynet",
    encoding=replace(TOKENS, copies=True),
)

COPYNET_CHAR = replace(
    COPYNET_TOKEN,
    name="copynet-char",
    what="the same with copying of characters",
    encoding=replace(CHARACTERS, copies=True),
    decoding=SEQ2SEQ_CHAR.decoding,
)

ST_COPYNET = replace(
    COPYNET_TOKEN,
    name="st-copynet",
    table="tables 8, 9 and 15",
    what="the same with copying of sub-tokens, the paper's best",
    encoding=replace(SUBTOKENS, copies=True),
)
