"""`python -m benchmarks.told_columns ANSWERS TOKENIZER --cache DIR --known FILE [--limit N]`: what columns are worth.

Requests of asked settings that nothing learnt from, answered twice by a notebook trunk where it learnt
(`experiments/notebook_prompts.py`): with the names of a live kernel told, and with nothing told but the cells above.
The first cell of each is run beside the corpus' own cell. JuICe §4 wishes for tables and outputs in the context.
"""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path

from sayso.english.prompt import load_trunk_tokens
from sayso.experiments.cell_weighing import held_asks
from sayso.experiments.notebook_weighing import options_of
from sayso.metrics.significance import wilson
from sayso.targets.notebook.asked.compared import Compared, Comparing
from sayso.targets.notebook.asked.stored import load_asked
from sayso.targets.notebook.kernel_packages import fetched

WAYS = ("asked", "blind")
"""With names told, and without."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--known", type=Path)
    parser.add_argument("--limit", type=int, default=400)
    args = parser.parse_args()
    said = json.loads(lzma.decompress(args.answers.read_bytes()))
    tokens = load_trunk_tokens(args.tokenizer)
    cells = []
    for (setting, _), place in held_asks(load_asked(), args.limit):
        keys = [f"{way} {setting.id}#{place}#0" for way in WAYS]
        if all(key in said for key in keys):
            first = tuple(options_of(said[key], tokens)[0].text for key in keys)
            cells.append(Compared(setting, place, setting.asks[place].phrasings[0], first))
    verdicts = Comparing(fetched(args.cache), args.cache, args.known).verdicts(cells)
    pairs = [tuple(one.right) for one in verdicts if not one.unscored]
    told = [sum(pair[way] for pair in pairs) for way in range(2)]
    low_high = [[round(x, 3) for x in wilson(n / max(1, len(pairs)), max(1, len(pairs)))] for n in told]
    print(json.dumps({
        "n": len(pairs), "unscored": len(verdicts) - len(pairs),
        "told": [told[0], low_high[0]], "not told": [told[1], low_high[1]],
        "only told": sum(a and not b for a, b in pairs), "only not told": sum(b and not a for a, b in pairs),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
