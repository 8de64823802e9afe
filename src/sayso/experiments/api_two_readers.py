"""Which reader of a request is believed, and how far: `data/two_readers.json`, and with the trunk `three_readers.json`.

    python -m sayso.experiments.api_two_readers --data DATA [--bundle FOLDER] [--trunk] [--write]

Fitted on requests that neither learnt from: the lines that are held back, `api/strangers` dev, Okapi's dev, and the
halves of our own short ones that are there to fit on. Each set counts as its share says; in ten folds it prints how
many of each are right, answered and abstained from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np

from sayso.core.errors import MissingPart
from sayso.core.files import write_atomically
from sayso.core.types import Candidate, Example, Translator, Workspace
from sayso.experiments.api_parser_command import UNION, load
from sayso.experiments.api_short import free_requests
from sayso.experiments.api_wording import alike, wanted
from sayso.learners.linear import Data, fit_newton
from sayso.neural.bundle import load_bundle
from sayso.targets.api.corpus.strangers import load_strangers
from sayso.targets.api.corpus.wording import load_wording
from sayso.targets.api.evidence.chances import better_fit
from sayso.targets.api.executed.readings import RightReading
from sayso.targets.api.syntax.calls import Call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.any_domain import both_read, read_parsed
from sayso.targets.api.systems.asking import Asked
from sayso.targets.api.systems.shipped import WORDING, domain_parser
from sayso.targets.api.systems.three_readers import ALL, TRUNK, WHO, decided_of_three, features_of_three
from sayso.targets.api.systems.three_readers import FILE as THREE
from sayso.targets.api.systems.trunk import call_translator
from sayso.targets.api.systems.two_readers import (
    FEATURES,
    FILE,
    PARSER,
    READER,
    Both,
    Weights,
    decided,
    features_of,
    fitted,
)
from sayso.targets.api.systems.wording.storing import open_wording

DATA = Path(str(files("sayso.targets.api"))) / "data"
OKAPI = 100
"""Requests of each domain of Okapi's dev."""
SHARES = {"held back": 1.0, "strangers dev": 0.4, "okapi dev": 1.8, "short": 0.4, "beyond": 0.7}
"""What each set counts, however large it is."""
PULL, FOLDS = 2.0, 10


@dataclass(frozen=True)
class Judged:
    of: str
    text: str
    both: Both
    is_right: Callable[[Call | None], bool]
    deed: bool = False


def asked_for(data: Path) -> Iterator[tuple[str, str, Callable[[Call | None], bool]]]:
    """(set, request, whether a call is right; None is no call)"""
    for line in load_wording():
        if line.is_held:
            yield "held back", line.request, partial(same, wanted(line), line.request)
    for one in load_strangers(Workspace(data, data), "dev"):
        yield "strangers dev", one.request.text, partial(reads, one)
    for domain in DOMAINS:
        pairs = load(f"{UNION}-{domain}", data, "dev")
        for request, call in Random(0).sample(pairs, OKAPI):
            yield "okapi dev", request, partial(same, call, request)
    for one in free_requests("dev"):
        yield "short", one.request.text, partial(same, parse_call(one.references[0]), one.request.text)
    for name in ("held", "beyond"):
        for row in map(json.loads, (DATA / name / "requests.jsonl").read_text(encoding="utf-8").splitlines()):
            if row["part"] == "fit":
                right = parse_call(row["call"]) if row["call"] else None
                yield "short" if name == "held" else "beyond", row["text"], partial(same, right, row["text"])


def same(wanted: Call | None, text: str, found: Call | None) -> bool:
    return alike(found, wanted, text)


def reads(example: Example, found: Call | None) -> bool:
    return found is not None and RightReading().measure(example, [Candidate(str(found), 1.0)]) == 1


def judged(data: Path, bundle: Path, trunk: Translator | None = None) -> list[Judged]:
    wording = open_wording(load_bundle(bundle))
    parsers = {name: domain_parser(name) for name in DOMAINS}
    parsers = {name: replace(one, calibration=better_fit(name, one.calibration)) for name, one in parsers.items()}
    found = []
    for name, text, is_right in asked_for(data):
        parsed = read_parsed(parsers, text, "", 5)
        found.append(
            Judged(name, text, both_read(parsers, wording, parsed, text, "", trunk), is_right, bool(parsed.deed))
        )
    return found


def fit(rows: Sequence[Judged], with_trunk: bool = False) -> dict[str, dict[str, float]]:
    """For each reader a logistic function of what is known of all."""
    names, known = (ALL, features_of_three) if with_trunk else (FEATURES, features_of)
    given = np.array([list(known(one.both).values()) for one in rows])
    sizes = {name: sum(one.of == name for one in rows) for name in SHARES}
    weight = np.array([len(rows) / 3 * SHARES[one.of] / sizes[one.of] for one in rows])
    table = {}
    for who in WHO if with_trunk else (READER, PARSER):
        calls = [call_by(one, who) for one in rows]
        right = np.array(
            [float(call is not None and one.is_right(call)) for one, call in zip(rows, calls, strict=True)]
        )
        found = fit_newton(Data(given, right, weight), np.zeros(len(names)), PULL)
        table[who] = {name: round(float(much), 4) for name, much in zip(names, found, strict=True)}
    return table


def call_by(one: Judged, who: str) -> Call | None:
    """The first call of a reader, which is wrong where none is wanted."""
    if who == READER:
        return one.both.best.call if one.both.best else None
    if who == TRUNK:
        return next((told.call for told in one.both.heard if told.call), None)
    candidates = one.both.asked.candidates
    return parse_call(candidates[0].text) if candidates else None


def first_right(rows: Sequence[Judged], who: str) -> dict[str, float]:
    """By set, how many first calls of one reader are right."""
    return {name: sum(one.is_right(call_by(one, who)) for one in rows if one.of == name) for name in SHARES}


def answered(one: Judged, table: Weights | None) -> Asked:
    if table is None or one.deed:
        return one.both.asked
    return decided_of_three(one.both, 5, table) if TRUNK in table else decided(one.both, 5, table)


def told(rows: Sequence[tuple[Judged, Asked]]) -> dict[str, dict[str, float]]:
    """By set: first call right (kept ones too), answered, right of what is answered, none where none is wanted."""
    figures: dict[str, dict[str, float]] = {}
    for name in SHARES:
        mine = [(one, asked) for one, asked in rows if one.of == name]
        wanted = [(one, asked) for one, asked in mine if not one.is_right(None)]
        some = [(one, asked) for one, asked in mine if not asked.abstained]
        first = [one.is_right(parse_call(asked.candidates[0].text)) for one, asked in wanted if asked.candidates]
        right = [one.is_right(parse_call(asked.candidates[0].text)) for one, asked in some]
        chance = [asked.candidates[0].score for _, asked in some]
        figures[name] = {
            "n": len(mine), "with a call": len(wanted), "first right": sum(first), "answered": len(some),
            "right of answered": round(float(np.mean(right)) if right else 0.0, 3),
            "told": round(float(np.mean(chance)) if chance else 0.0, 3),
            "none, abstained": sum(asked.abstained for one, asked in mine if one.is_right(None)),
            "none": len(mine) - len(wanted),
        }  # fmt: skip
    return figures


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_two_readers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--bundle", type=Path, default=WORDING)
    parser.add_argument("--trunk", action="store_true", help="with the trunk as a third reader")
    parser.add_argument("--write", action="store_true", help="keep the weights that ship")
    args = parser.parse_args(argv)
    trunk = call_translator() if args.trunk else None
    if args.trunk and trunk is None:
        raise MissingPart("no trunk here learnt calls", "export one with --also api")
    rows = judged(args.data, args.bundle, trunk)
    Random(0).shuffle(rows)
    folds: list[tuple[Judged, Asked]] = []
    for fold in range(FOLDS):
        table = fit([one for at, one in enumerate(rows) if at % FOLDS != fold], args.trunk)
        folds += [(one, answered(one, table)) for at, one in enumerate(rows) if at % FOLDS == fold]
    found = {"before": told([(one, answered(one, None)) for one in rows]), "in ten folds": told(folds)}
    if args.trunk:
        two = fitted()
        found["two readers"] = told([(one, answered(one, two)) for one in rows])
        found["the trunk's first"] = {who: first_right(rows, who) for who in WHO}
    if args.write:
        with write_atomically(DATA / (THREE if args.trunk else FILE)) as file:
            file.write(json.dumps(fit(rows, args.trunk), indent=1).encode() + b"\n")
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
