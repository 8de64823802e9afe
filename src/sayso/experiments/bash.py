"""NL2Bash §6.1: Seq2Seq and CopyNet over characters, tokens and sub-tokens (tables 8, 9 and 15).

Printed: GRU cells, encoder 2 × 200, decoder 400, variational dropout 0.4, Adam, batches of 128, beam 100, NL words seen
fewer than four times left out but for characters. Not printed: when to stop. The printed rate, 1e-4, learns too slowly
for minutes (docs/papers/nl2bash-systems.md), so a larger one falls to 0 over as many updates as stand here. Tellina's
templates, and the two systems that §6.3 recommends, are the same networks over other views of the corpus.
"""

from __future__ import annotations

from dataclasses import replace

from sayso.experiments.recipe import Recipe
from sayso.training.settings import Decoding, Encoding, Training

TASK, PAPER = "bash/command", "NL2Bash"
SIZES = {"encoder": 200, "decoder": 400, "dropout": 0.4, "variational": True}

TRAINING = Training(
    optimiser="adam",
    rate=1e-3,
    schedule="cosine",
    warmup=300,
    steps=6000,
    batch=128,
    epochs=300,
    clip=5.0,
    evaluate_every=400,
    precision="fp32",
    judge="match",
    speed="auto",
)
DECODING = Decoding(beam=100, k=5, longest=80)

# A batch of a few very long requests would hold most of a GPU: 0.4 % of the commands are left out of train.
CHARACTERS = Encoding("char", target_longest=128)
OF_CHARACTERS = replace(TRAINING, rate=1.5e-3, steps=12_000, tokens=12_000)
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
    training=replace(TRAINING, steps=8000, tokens=6000),
)

SEQ2SEQ_CHAR = replace(
    SEQ2SEQ_TOKEN,
    name="seq2seq-char",
    what="GRU encoder–decoder over characters",
    encoding=CHARACTERS,
    training=OF_CHARACTERS,
    decoding=replace(DECODING, longest=200),
)

COPYNET_TOKEN = replace(
    SEQ2SEQ_TOKEN,
    name="copynet-token",
    what="the same with copying (Gu et al., 2016) of request tokens",
    network="copynet",
    encoding=replace(TOKENS, copies=True),
    training=replace(TRAINING, steps=10_000),
)

COPYNET_CHAR = replace(
    COPYNET_TOKEN,
    name="copynet-char",
    what="the same with copying of characters",
    encoding=replace(CHARACTERS, copies=True),
    training=OF_CHARACTERS,
    decoding=SEQ2SEQ_CHAR.decoding,
)

ST_COPYNET = replace(
    COPYNET_TOKEN,
    name="st-copynet",
    table="tables 8, 9 and 15",
    what="the same with copying of sub-tokens, the paper's best",
    encoding=replace(SUBTOKENS, copies=True),
    training=replace(TRAINING, rate=8e-4, steps=12_000, tokens=6000),
)

TELLINA = replace(
    SEQ2SEQ_TOKEN,
    name="tellina",
    table="tables 8, 9 and 15",
    what="templates by a GRU over tokens, slots filled by a learned alignment (Lin et al., 2017)",
    encoding=replace(TOKENS, view="template"),
    decoding=replace(DECODING, k=10),
)

TEMPLATE_ARGUMENT = replace(
    ST_COPYNET,
    name="template-argument",
    table="no table: recommended in §6.3",
    what="tellina's templates, and a second decoder with copying for their arguments",
    encoding=replace(SUBTOKENS, copies=True, view="arguments"),
    decoding=replace(DECODING, beam=5, k=2, longest=60),
)

ST_COPYNET_MANUAL = replace(
    ST_COPYNET,
    name="st-copynet-manual",
    table="no table: recommended in §6.3",
    what="st-copynet with pairs made from manuals and from commands without a description",
    encoding=replace(SUBTOKENS, copies=True, view="manual"),
)
