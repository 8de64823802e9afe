"""Verdicts of machine readers on NL2Bash dev: what is judged, and how far the readers agree with the release's people.

`python -m benchmarks.dev_verdicts --items FILE` writes, for `sayso judge --items`, the first answers of three systems
to every dev request, and for the 100 requests that people judged also first answers of the seven released systems.
`--compare` says how far the readers agree with each other, and with people over what both judged. What the readers said
is kept without a text of the corpus, as digests, in the columns of the release (`sayso.targets.bash.metrics`).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sayso.apps import settings
from sayso.apps.judge.items import Item, item_to_json
from sayso.apps.judge.pool import Choice, pool, verdict_items
from sayso.core.types import Candidate
from sayso.metrics.agreement import alpha, pairwise, ratings
from sayso.metrics.judged import Which, read_verdicts
from sayso.targets import find_task
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.corpus.judged_sample import read_sample
from sayso.targets.bash.metrics import READERS, pooled_verdicts, readers_prediction_key, readers_request_key

SYSTEMS = ("default", "st-copynet", "tellina")
KNOWN = 2
"""Of the seven released systems, for how many a judged request shows the first answer, to measure the readers by."""


def items(seed: int) -> list[Item]:
    here, task, choice = settings.workspace(), find_task("bash/command"), Choice("dev", k=1, seed=seed)
    found = {item.id: item for item in verdict_items(task, SYSTEMS, choice, here, settings.results())}
    sample = read_sample(here.data)
    released: dict[str, dict[str, str]] = {}
    for system, answers in sample.items():
        for request, verdicts in answers.items():
            released.setdefault(corpus.request_key(request), {})[system] = verdicts[0].prediction
    for example in corpus.load(here, "dev"):
        known_answers = released.get(corpus.request_key(example.request.text), {})
        drawn = random.Random(f"{seed}\0{example.id}").sample(sorted(known_answers), min(KNOWN, len(known_answers)))
        if drawn:
            ours = {
                system: [Candidate(option.text, 0.0)]
                for option in found[example.id].options
                for system in option.systems
            }
            known = {f"released-{system}": [Candidate(known_answers[system], 0.0)] for system in drawn}
            made = pool(example, {**ours, **known}, choice, task.target.template)
            assert made is not None
            found[example.id] = made
    return list(found.values())


def compare() -> dict[str, object]:
    """Agreement and alpha of the readers, and what of the release's verdicts their majority says again."""
    rows = read_verdicts(READERS)
    people = pooled_verdicts(settings.workspace())
    found: dict[str, object] = {"rows": len(rows)}
    asked: tuple[tuple[Which, str], ...] = (("command", "full"), ("template", "template"))
    for which, name in asked:
        pairs = pairwise(ratings(rows, which))
        found[name] = {f"{p.first}{p.second}": {"n": p.n, "agree": p.agreement, "alpha": p.alpha} for p in pairs if p.n}
        said = {
            (readers_request_key(request), readers_prediction_key(text)): verdict
            for (request, text), both in (people.table.items() if people else ())
            if (verdict := both[which == "command"]) is not None
        }
        units = [
            {"people": str(said[key]), "readers": str(row.correct(which))}
            for row in rows
            if (key := (row.description, row.prediction)) in said and row.correct(which) is not None
        ]
        told = Counter((unit["people"], unit["readers"]) for unit in units)
        found[f"{name}, with people"] = {
            "n": len(units),
            "agree": sum(a == b for a, b in ((u["people"], u["readers"]) for u in units)) / max(1, len(units)),
            "alpha": alpha(unit.values() for unit in units),
            "people yes, readers no": told["True", "False"],
            "people no, readers yes": told["False", "True"],
        }
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dev_verdicts", description=__doc__)
    parser.add_argument("--items", type=Path, help="write what is to be judged, for `sayso judge`")
    parser.add_argument("--compare", action="store_true", help="say how far readers and people agree")
    parser.add_argument("--seed", type=int, default=0, help="of the draw and of every order")
    args = parser.parse_args(argv)
    if args.compare:
        print(json.dumps(compare(), indent=2))
    if not args.items:
        return 0
    made = items(args.seed)
    args.items.write_text("".join(f"{json.dumps(item_to_json(item))}\n" for item in made), encoding="utf-8")
    print(f"{len(made)} requests, {sum(len(item.options) for item in made)} candidates")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
