"""Asked cells as rows that begin alike, for a trunk that learns on a CPU (`training/trees`).

    python -m sayso.experiments.asked_rows OUT --tokenizer FILE [--mined FILE] [--variants N]

A row is what the hand would ask, as ids, and the answer. All rows of a setting have the same names and the same columns
told wherever that can be, so that what they share is read once. A twentieth of the settings is held out. Some rows of
mined notebooks stand beside them, so that a trunk keeps what it knew.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from sayso.english.cells import Encoder, read_row
from sayso.english.prompt import load_trunk_tokens
from sayso.english.vocabulary import BOS, EOS
from sayso.experiments.asked_lessons import is_held, lesson_of, request_of, varied
from sayso.experiments.asked_renamed import Pools, pools_of
from sayso.experiments.notebook_streams import Remembering
from sayso.targets.notebook.asked.stored import FOLDER, Asked, load_asked
from sayso.training.streams import HALF, LEARNT, READ, Ids, read_windows

PLAIN, UNNAMED = 0.6, 0.35
"""How often a setting stands as it was written, without titles and cells of other asks, and under its own names."""
LONGEST_ANSWER, LONGEST_ROW = 256, 512
MINED_PROMPT, MINED_ANSWER = 384, 96
LEAST_PROMPT, LEAST_ANSWER = 32, 3
"""Ids of a mined row that says anything."""

Pair = tuple[list[int], list[int]]
"""Prompt and answer."""


def setting_rows(one: Asked, tokens: Encoder, pools: Pools, draw: random.Random) -> Iterator[Pair]:
    """A row a phrasing; what is drawn for one is drawn for all where the setting stands plain."""
    setting, tried = one
    is_plain, is_unnamed, seed = draw.random() < PLAIN, draw.random() < UNNAMED, draw.random()
    for place, ask in enumerate(setting.asks):
        for phrasing in ask.phrasings:
            own = random.Random(seed) if is_plain else draw
            lesson = lesson_of(setting, place, phrasing, tried, None if is_plain else own)
            lesson = varied(lesson, pools, own, is_unnamed)
            prompt = read_row(tokens, request_of(lesson, own), tells_tables=True).ids
            answer = [*tokens.encode(lesson.code), EOS]
            if len(answer) <= LONGEST_ANSWER and len(prompt) + len(answer) <= LONGEST_ROW:
                yield prompt, answer


def mined_rows(windows: Sequence[Ids], n: int, draw: random.Random) -> Iterator[Pair]:
    """The last target cell of as many windows that has room."""
    for place in draw.sample(range(len(windows)), len(windows)):
        if not n:
            return
        window = windows[place].tolist()
        start = max((at for at, one in enumerate(window[:MINED_PROMPT]) if one == LEARNT), default=0)
        if start > LEAST_PROMPT and EOS in window[start:]:
            end = window.index(EOS, start)
            if LEAST_ANSWER < end - start <= MINED_ANSWER:
                n -= 1
                prompt = [BOS if one in (READ, HALF, LEARNT) else one for one in window[: start + 1]]
                yield prompt, window[start + 1 : end + 1]


def row(number: int, held: bool, kind: str, pair: Pair) -> dict[str, object]:
    return {"setting": number, "held": held, "kind": kind, "prompt": pair[0], "answer": pair[1]}


def asked_rows(
    found: Sequence[Asked], tokens: Encoder, variants: int, draw: random.Random
) -> Iterator[dict[str, object]]:
    """Rows with one number share their names; a setting that is held out stands there once."""
    pools = pools_of(
        lesson_of(setting, place, ask.phrasings[0], tried, None)
        for setting, tried in found
        for place, ask in enumerate(setting.asks)
    )
    for variant in range(variants):
        for place, one in enumerate(found):
            held = is_held(one[0].id)
            if not (variant and held):
                for pair in setting_rows(one, tokens, pools, draw):
                    yield row(variant * len(found) + place, held, "asked", pair)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.asked_rows", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--asked", type=Path, default=FOLDER, metavar="DIR", help="where the corpus is stored")
    parser.add_argument("--mined", type=Path, help="windows, as experiments/notebook_streams packs them")
    parser.add_argument("--mined-rows", type=int, default=150)
    parser.add_argument("--variants", type=int, default=1, help="rows of each phrasing (%(default)s)")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args(argv)
    draw = random.Random(args.seed)
    tokens = Remembering(load_trunk_tokens(args.tokenizer), {})
    rows = [*asked_rows(load_asked(args.asked), tokens, args.variants, draw)]
    if args.mined:
        pairs = mined_rows(read_windows(args.mined), args.mined_rows, draw)
        rows += [row(-1 - place, False, "mined", pair) for place, pair in enumerate(pairs)]
    with lzma.open(args.out, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in rows)
    kinds = Counter(str(one["kind"]) for one in rows)
    sys.stdout.write(json.dumps({"rows": kinds, "held": sum(bool(one["held"]) for one in rows)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
