"""Asked cells as windows of ids for a trunk, beside those of mined notebooks (`notebook_streams`).

    python -m sayso.experiments.asked_rows OUT --tokenizer FILE [--variants N]

A window is what the hand would ask, as ids, and the answer, on which alone is a loss. Every variant has other names,
other cells above and other ways to tell columns. A twentieth of the settings is held out, in OUT.held.
"""

from __future__ import annotations

import argparse
import array
import json
import lzma
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sayso.english.cells import Encoder, read_row
from sayso.english.prompt import load_trunk_tokens
from sayso.english.vocabulary import BOS, EOS
from sayso.experiments.asked_lessons import is_held, lesson_of, request_of, varied
from sayso.experiments.asked_renamed import Pools, pools_of
from sayso.experiments.notebook_streams import FILTERS, Remembering
from sayso.targets.notebook.asked.stored import FOLDER, Asked, load_asked
from sayso.training.streams import LEARNT, READ

UNNAMED = 0.35
"""How often a request stands under the names it was written with."""
LONGEST_ANSWER, LONGEST_ROW = 256, 768


def windows_of(one: Asked, tokens: Encoder, pools: Pools, draw: random.Random) -> Iterator[list[int]]:
    """A window a phrasing."""
    setting, tried = one
    for place, ask in enumerate(setting.asks):
        for phrasing in ask.phrasings:
            lesson = varied(lesson_of(setting, place, phrasing, tried, draw), pools, draw, draw.random() < UNNAMED)
            prompt = read_row(tokens, request_of(lesson, draw), tells_tables=True).ids
            answer = [*tokens.encode(lesson.code), EOS]
            if len(answer) <= LONGEST_ANSWER and len(prompt) + len(answer) <= LONGEST_ROW:
                # Cells above are read; the asked one, which the prompt ends before, is learnt.
                yield [*(READ if one == BOS else one for one in prompt[:-1]), LEARNT, *answer]


def asked_windows(
    found: Sequence[Asked], tokens: Encoder, variants: int, draw: random.Random
) -> Iterator[tuple[bool, list[int]]]:
    """Whether it is held out, and the window; a setting that is held out stands there once, as it was written."""
    pools = pools_of(
        lesson_of(setting, place, ask.phrasings[0], tried, None)
        for setting, tried in found
        for place, ask in enumerate(setting.asks)
        if not is_held(setting.id)
    )
    for variant in range(variants):
        for one in found:
            held = is_held(one[0].id)
            if not (variant and held):
                yield from ((held, window) for window in windows_of(one, tokens, pools, draw))


def write_windows(path: Path, windows: Iterable[Sequence[int]]) -> int:
    """As `training.streams` reads them; how many bytes that takes."""
    flat = array.array("H", (one for window in windows for one in window))
    packed = lzma.compress(flat.tobytes(), lzma.FORMAT_XZ, filters=FILTERS)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    return len(packed)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.asked_rows", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--asked", type=Path, default=FOLDER, metavar="DIR", help="where the corpus is stored")
    parser.add_argument("--variants", type=int, default=8, help="windows of each phrasing (%(default)s)")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args(argv)
    tokens = Remembering(load_trunk_tokens(args.tokenizer), {})
    made = [*asked_windows(load_asked(args.asked), tokens, args.variants, random.Random(args.seed))]
    learnt, held = ([window for is_kept, window in made if is_kept == which] for which in (False, True))
    write_windows(args.out.with_suffix(".held"), held)
    told = {
        "windows": len(learnt), "held": len(held), "ids": sum(map(len, learnt)),
        "bytes": write_windows(args.out, learnt),
    }  # fmt: skip
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
