"""Train, put together and score parsers of API calls.

python -m sayso.experiments.api_parser_command train length-document --data DATA --seeds 0 1 --out FOLDER
… pack length-document --data DATA --weights TRAINED.zip --seeds 0 1 --out FOLDER
… score length-document --data DATA --bundle FOLDER --split dev
… fresh; … free --part dev
A task union-email is both splits' train parts: what `sayso api` uses, and nothing that may be scored on their tests.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from random import Random

from sayso.core.errors import SaysoError, UserError
from sayso.core.given import finite
from sayso.core.types import Split, Workspace
from sayso.experiments.api_parser import Pair, ParserSettings, Trained, describe, fit, make_parser
from sayso.experiments.api_short import free_pairs, free_requests, short_pairs
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.targets.api.corpus.okapi import load_okapi
from sayso.targets.api.language import fold, normalise, template
from sayso.targets.api.lessons.construct import ENGLISH
from sayso.targets.api.lessons.mistakes import annotation_mistakes
from sayso.targets.api.syntax.calls import parse_call
from sayso.targets.api.syntax.schema import DOMAINS, schema
from sayso.targets.api.systems.asking import ask
from sayso.targets.api.systems.mistakes import count_mistakes
from sayso.targets.api.systems.shipped import domain_parser
from sayso.targets.api.systems.storing import KIND, open_parser, parser_files, unpacked

LICENCE = "Apache-2.0; trained on Okapi (CDLA-Permissive-2.0)"
UNION = "union"
OKAPI_HELD, MADE_HELD, REPEATED = 300, 200, 5
"""Requests of dev and made ones that a chance is fitted on, and how often each written one stands beside them."""


def load(task: str, data: Path, part: Split) -> list[Pair]:
    """The pairs of a part; a union is that of both splits, without requests that its train part has."""
    split, _, domain = task.partition("-")
    workspace = Workspace(data, data)
    splits = ("length", "program") if split == UNION else (split,)
    pairs = {
        (one.request.text, one.references[0]): None
        for each in splits
        for one in load_okapi(each, domain, workspace, part)
    }
    if split == UNION and part != "train":
        seen = {request for request, _ in load(task, data, "train")}
        pairs = {pair: None for pair in pairs if pair[0] not in seen}
    return [(request, parse_call(call)) for request, call in pairs]


def train(args: argparse.Namespace) -> None:
    domain = args.task.partition("-")[2]
    pairs, made = load(args.task, args.data, "train"), list(short_pairs(domain, args.short))
    settings = ParserSettings(epochs=args.epochs, joined=args.joined)
    trained = []
    for seed in args.seeds:
        begun = time.process_time()
        trained.append(fit(domain, pairs, settings, seed, made=made))
        sys.stderr.write(f"seed {seed}: {time.process_time() - begun:.0f} s of CPU\n")
    save(args, trained)


def pack(args: argparse.Namespace) -> None:
    """A bundle from networks that were trained with the same code on another machine."""
    import numpy as np

    start = describe(args.task.partition("-")[2], load(args.task, args.data, "train"), ParserSettings())
    trained = []
    for seed in args.seeds:
        found = []
        for path in args.weights:
            with zipfile.ZipFile(path) as file:
                name = f"{args.task}-{args.name}-{seed}.npz"
                if name in file.namelist():
                    found.append(file.read(name))
        if not found:
            raise UserError(f"no weights of {args.task}, seed {seed}", "train them first")
        with np.load(io.BytesIO(found[-1]), allow_pickle=False) as arrays:
            weights = unpacked({name: arrays[name] for name in arrays.files})
        trained.append(Trained(start.layout, start.values, start.vocabulary, weights, start.counts))
    save(args, trained)


def save(args: argparse.Namespace, trained: Sequence[Trained]) -> None:
    short = getattr(args, "short", 0)
    parser = make_parser(trained, held_out(args.task, args.data, short), short > 0)
    bundle = write_bundle(
        args.out,
        name=f"api-{args.task}".replace(f"{UNION}-", ""),
        target="api",
        kind=KIND,
        settings={"task": args.task, "networks": len(trained), "seeds": list(args.seeds)},
        files={**parser_files(parser), "MODEL_CARD.md": card(args.task, args.seeds, short).encode()},
        licence=LICENCE,
    )
    size = sum(path.stat().st_size for path in bundle.folder.iterdir())
    sys.stdout.write(json.dumps({"bundle": bundle.name, "bytes": size, "calibration": parser.calibration}) + "\n")


def held_out(task: str, data: Path, short: int) -> list[Pair]:
    """What the chance of being right is fitted on: dev; for short requests a part of it, written ones, and made ones
    in wordings that were not learnt from."""
    dev = load(task, data, "dev")
    if not short:
        return dev
    domain = task.partition("-")[2]
    some = Random(0).sample(dev, min(len(dev), OKAPI_HELD))
    return [*some, *short_pairs(domain, MADE_HELD, 1, ENGLISH), *REPEATED * free_pairs(domain, "dev")]


def card(task: str, seeds: Sequence[int], short: int) -> str:
    split, _, domain = task.partition("-")
    part = (
        "the train parts of both of Okapi's splits" if split == UNION else f"the train part of {split}-{domain} alone"
    )
    manner = "Okapi's annotators"
    if short:
        part += f", and {short:,} made requests as typed in a hurry"
        manner += " and in short"
    return f"""# Parser of API calls, {domain}

Reads an English request for {schema(domain).gloss} and answers a call: which words are values (tagged), and which
choice every other slot has. Trained on {part}, seeds {", ".join(map(str, seeds))},
with requests recombined from train. Weights in eight bits, run with numpy. Made by
`python -m sayso.experiments.api_parser_command`, this card by `python -m sayso.experiments.api_parser_card`.

It knows the properties of its domain's schema and English in the manner of {manner}. For a request of another
kind its own chance of being right is too high; `sayso api` therefore looks for what no call can say before it answers.
Data: Okapi, CDLA-Permissive-2.0.
"""


def score(args: argparse.Namespace) -> None:
    """Exact match over distinct rows, by parameters and by template; what is wrong with the rest."""
    parser = open_parser(load_bundle(args.bundle))
    pairs = load(args.task, args.data, args.split)
    begun = time.process_time()
    answers = [str(call) for call in parser.parse([request for request, _ in pairs])]
    seconds = time.process_time() - begun
    references = [str(call) for _, call in pairs]
    seen = {template(str(call)) for _, call in load(args.task, args.data, "train")}
    groups: dict[str, list[bool]] = defaultdict(list)
    for reference, answer in zip(references, answers, strict=True):
        right = fold(reference) == fold(answer)
        groups["exact"].append(right)
        groups["exact, cased"].append(normalise(reference) == normalise(answer))
        groups[f"{1 + len(parse_call(reference).clauses)} parameters"].append(right)
        groups["template of train" if template(reference) in seen else "template not of train"].append(right)
    # By rule: references that cannot follow from their request.
    untold = {at for at, pair in enumerate(pairs) if annotation_mistakes(*pair)}
    wrong = {at for at, right in enumerate(groups["exact"]) if not right}
    said = {
        "task": args.task,
        "split": args.split,
        "n": len(pairs),
        "scores": {name: [round(sum(each) / len(each), 4), len(each)] for name, each in sorted(groups.items())},
        "mistakes": count_mistakes(zip(references, answers, strict=True)),
        "annotation": {"wrong": len(untold & wrong), "right": len(untold - wrong)},
        "requests_per_second": round(len(pairs) / max(seconds, 1e-9)),
    }
    sys.stdout.write(json.dumps(said) + "\n")
    if args.answers:
        lines = [
            json.dumps({"request": request, "reference": reference, "answer": answer}, ensure_ascii=False)
            for (request, _), reference, answer in zip(pairs, references, answers, strict=True)
        ]
        args.answers.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fresh(args: argparse.Namespace) -> None:
    """The 150 requests that were written before any parser, asked as `sayso api` asks them."""
    folder = files("sayso.targets.api") / "data" / "fresh"
    rows = [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    tell(args, [(row["domain"], row["text"], row["call"]) for row in rows])


def free(args: argparse.Namespace) -> None:
    """One half of the 60 short requests, asked likewise."""
    tell(args, [(one.meta["domain"], one.request.text, one.references[0]) for one in free_requests(args.part)])


def tell(args: argparse.Namespace, rows: Sequence[tuple[str, str, str]]) -> None:
    """How many of domain, request and call are answered rightly, by the embedded parsers or by those of a folder."""
    parsers = {
        domain: open_parser(load_bundle(args.bundles / f"api-{domain}")) if args.bundles else domain_parser(domain)
        for domain in DOMAINS
    }
    groups: dict[str, list[bool]] = defaultdict(list)
    pairs = []
    for domain, text, call in rows:
        found = ask(text, "", 1, parsers)
        given = ask(text, domain, 1, parsers).candidates[0].text
        right = fold(call) == fold(found.candidates[0].text)
        pairs.append((call, given))
        groups["domain told"].append(found.domain == domain)
        groups["exact"].append(right)
        groups["exact, domain given"].append(fold(call) == fold(given))
        groups[f"exact, {domain}"].append(fold(call) == fold(given))
        if not found.abstained:
            groups["exact where answered"].append(right)
        if not found.abstained and not found.question:
            groups["exact where answered without a question"].append(right)
        if args.answers:
            shown = {"text": text, "call": call, "answer": found.candidates[0].text, "right": right}
            shown |= {"chance": found.candidates[0].score, "abstained": found.abstained}
            sys.stderr.write(json.dumps(shown, ensure_ascii=False) + "\n")
    scores = {name: [round(sum(each) / len(each), 4), len(each)] for name, each in groups.items()}
    sys.stdout.write(json.dumps({"n": len(rows), "scores": scores, "mistakes": count_mistakes(pairs)}) + "\n")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.api_parser_command", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run in (("train", train), ("pack", pack), ("score", score), ("fresh", fresh), ("free", free)):
        one = commands.add_parser(name)
        one.set_defaults(run=run)
        if name in ("fresh", "free"):
            one.add_argument("--bundles", type=Path, help="folder of api-document, api-email and api-calendar")
            one.add_argument("--answers", action="store_true", help="each one with its answer, to standard error")
            if name == "free":
                one.add_argument("--part", default="dev", choices=("dev", "blind"))
            continue
        one.add_argument("task")
        one.add_argument("--data", type=Path, required=True)
        if name == "score":
            one.add_argument("--bundle", type=Path, required=True)
            one.add_argument("--split", default="dev", choices=("train", "dev", "test"))
            one.add_argument("--answers", type=Path)
            continue
        one.add_argument("--seeds", type=int, nargs="+", default=[0])
        one.add_argument("--out", type=Path, required=True)
        if name == "train":
            one.add_argument("--epochs", type=int, default=ParserSettings().epochs)
            one.add_argument("--joined", type=finite, default=ParserSettings().joined)
            one.add_argument("--short", type=int, default=0, help="made requests as typed in a hurry, beside train")
        else:
            one.add_argument("--weights", type=Path, nargs="+", required=True)
            one.add_argument("--name", default="A")
    args = parser.parse_args(argv)
    try:
        args.run(args)
    except SaysoError as error:
        sys.stderr.write(f"error: {error.message}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
