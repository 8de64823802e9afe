"""`sayso construct`: a corpus of API requests as Okapi was made: calls, sentences, phrasings, figures, mistakes."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from sayso.apps.judge.items import Json
    from sayso.experiments.api_language import Answered
    from sayso.targets.api.syntax import Call

MOST_PARAMETERS = 6
"""Of the longest calls that may be asked for: document has 2,418 outlines of up to six."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    calls = actions.add_parser(
        "calls", help="calls from the schema, each with its sentence, as the judge page reads them"
    )
    items = actions.add_parser("items", help="pairs as items for the judge page: to say otherwise, or to approve")
    pairs = actions.add_parser("pairs", help="requests and calls from what the judge page exported")
    quality = actions.add_parser("quality", help="how far requests are from the canonical utterance, by domain")
    mistakes = actions.add_parser("mistakes", help="released rows whose call cannot follow from the request, by rule")
    learn = actions.add_parser("learn", help="train a parser on a language's wordings, score it on requests of ours")
    calls.add_argument("domain", metavar="DOMAIN", help="document, email or calendar")
    calls.add_argument(
        "-n", type=whole_number(1), default=100, metavar="N", help="how many, evenly over templates (100)"
    )
    calls.add_argument(
        "--parameters",
        type=whole_number(2, MOST_PARAMETERS),
        default=4,
        metavar="N",
        help="of a call at most, the resource included (4)",
    )
    calls.add_argument("--select", action="store_true", help="also calls with SELECT")
    items.add_argument("file", metavar="FILE", help="pairs as `sayso construct pairs` writes them; - is standard input")
    items.add_argument(
        "--as", dest="kind", choices=("phrase", "verdicts"), default="phrase", help="what to ask for (phrase)"
    )
    pairs.add_argument(
        "files", metavar="FILE", nargs="+", help="a .jsonl of `sayso judge --export`; - is standard input"
    )
    quality.add_argument("file", metavar="FILE", nargs="?", help="pairs to measure (Okapi as released)")
    mistakes.add_argument("--split", choices=("train", "dev"), default="train", help="of both splits (train)")
    mistakes.add_argument(
        "--sample", type=whole_number(0), default=100, metavar="N", help="rows of each domain; 0: all (100)"
    )
    mistakes.add_argument("--list", action="store_true", help="also the rows that were found")
    learn.add_argument("language", metavar="LANGUAGE", help="for example german")
    learn.add_argument(
        "--seeds", type=int, nargs="+", default=[0], metavar="N", help="networks whose scores are averaged (0)"
    )
    learn.add_argument(
        "--wordings-only", action="store_true", help="without the written requests that are there to learn from"
    )
    learn.add_argument("--answers", action="store_true", help="also the wrong answers")
    for one in (calls, quality):
        one.add_argument("--language", default="english", metavar="NAME", help="whose wordings (english)")
    for one in (calls, quality, mistakes):
        one.add_argument("--seed", type=int, default=0, metavar="N", help="of every draw (0)")
    for one in (calls, items, pairs):
        one.add_argument("--out", default="-", metavar="FILE", help=".jsonl or .jsonl.zst; - is standard output (-)")
    for one in (calls, items, pairs, quality, mistakes, learn):
        one.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        one.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    actions = {
        "calls": make_calls, "items": make_items, "pairs": make_pairs,
        "quality": measure, "mistakes": find_mistakes, "learn": learn_language,
    }  # fmt: skip
    return actions[args.action](args)


def make_calls(args: argparse.Namespace) -> int:
    from sayso.apps.cli.construct_items import call_item
    from sayso.targets.api.lessons import Plan, constructed

    plan = Plan(args.parameters, args.select, args.seed, args.language)
    made = constructed(args.domain, plan, args.n)
    rows = [call_item(call, sentence, args.language) for call, sentence in made.calls]
    write(args, rows, {"domain": args.domain, "language": args.language, "templates": made.outlines, "seed": args.seed})
    if len(rows) < args.n:
        output.note(f"there are no more than {len(rows)} calls: allow more --parameters")
    return 0


def make_items(args: argparse.Namespace) -> int:
    from sayso.apps.cli.construct_items import pair_items, read_pairs
    from sayso.apps.cli.streams import input_lines

    pairs = read_pairs(input_lines(args.file))
    write(args, list(pair_items(pairs, args.kind)), {"kind": args.kind})
    return 0


def make_pairs(args: argparse.Namespace) -> int:
    from sayso.apps.cli.construct_items import pairs_of_export
    from sayso.apps.cli.streams import input_lines

    reading = pairs_of_export(line for file in args.files for line in input_lines(file))
    write(args, [pair.as_json() for pair in reading.pairs], {"dropped": dict(reading.dropped)})
    for reason, n in reading.dropped.items():
        output.note(f"left out {n}: {reason}")
    return 0


def write(args: argparse.Namespace, rows: Sequence[Json], more: dict[str, Any]) -> None:
    """Rows to the file; what was done is told where the rows are not the answer themselves."""
    from sayso.apps.cli.construct_items import dump
    from sayso.apps.cli.streams import open_output

    with open_output(args.out) as put:
        for row in rows:
            put(dump(row))
    if args.out != "-" and args.json:
        output.print_json({"out": args.out, "rows": len(rows), **more})
    elif args.out != "-":
        print(f"{len(rows)} rows in {args.out}", file=sys.stderr)


def measure(args: argparse.Namespace) -> int:
    from sayso.apps.cli.construct_items import read_pairs
    from sayso.apps.cli.streams import input_lines
    from sayso.targets.api.lessons import quality_report
    from sayso.targets.api.syntax import parse_call

    pairs: list[tuple[str, Call]]
    if args.file:
        pairs = [(pair.text, parse_call(pair.call)) for pair in read_pairs(input_lines(args.file))]
    else:
        rows = released(settings.workspace().data, ("train", "dev", "test"))
        pairs = [pair for group in rows.values() for pair in group]
    progress = Progress()
    try:
        found = quality_report(pairs, args.language, args.seed, progress)
    finally:
        progress.close()
    shown = [
        {"domain": one.domain, "wording": one.wording, "n": one.n, "distances": one.distances, **one.figures}
        for one in found.figures
    ]
    if args.json:
        said = {"pairs": len(pairs), "language": args.language, "paper": dict(found.paper), "figures": shown}
        output.print_json(said)
        return 0
    for one in found.figures:
        print(f"{one.domain}, {one.wording} (n {one.n:,}; edit distance on {one.distances})")
        for name, value in one.figures.items():
            paper = f"  (paper, all domains: {found.paper[name]:g})" if name in found.paper else ""
            print(f"  {name:<45} {value:8.3f}{paper}")
    return 0


def released(data: Path, parts: Iterable[str]) -> dict[str, list[tuple[str, Call]]]:
    """Domain -> distinct (question, call) of both splits."""
    from typing import cast

    from sayso.core.types import Split
    from sayso.targets.api.corpus import OKAPI_SPLITS, okapi_rows
    from sayso.targets.api.syntax import DOMAINS, parse_call

    found = {}
    for domain in DOMAINS:
        rows = {
            row: None
            for split in OKAPI_SPLITS
            for part in parts
            for row in okapi_rows(data, split, domain, cast(Split, part))
        }
        found[domain] = [(question, parse_call(call)) for question, call in rows]
    return found


def find_mistakes(args: argparse.Namespace) -> int:
    from sayso.targets.api.lessons import mistake_report

    report = mistake_report(released(settings.workspace().data, (args.split,)), args.sample, args.seed)
    listed = [
        {"domain": domain, "kind": one.kind, "clause": one.clause, "question": question}
        for domain, question, one in report.found
    ]
    if args.json:
        more = {"mistakes": listed} if args.list else {}
        said = {"split": args.split, "seed": args.seed, "rules": dict(report.kinds), "paper": report.paper}
        output.print_json({**said, "domains": report.counts, **more})
        return 0
    for domain, each in report.counts.items():
        print(
            f"{domain}: {each['found']} of {each['rows']} rows ({each['found'] / max(each['rows'], 1):.1%}; paper 3 %)"
        )
        for kind, ground in report.kinds.items():
            print(f"  {each[kind]:4} {kind}: {ground}")
    for row in listed if args.list else ():
        print(output.visible(f"{row['domain']}\t{row['kind']}\t{row['clause']}\t{row['question']}"))
    return 0


def learn_language(args: argparse.Namespace) -> int:
    from sayso.core.errors import MissingPart

    try:
        import torch
    except ModuleNotFoundError:
        raise MissingPart("training needs torch: it is not installed", "pip install 'sayso[train]'") from None
    from sayso.experiments.api_language import SCORED, LanguageSettings, answer, learn, written
    from sayso.targets.api.syntax import DOMAINS

    torch.set_num_threads(1)  # the networks are small: a second core costs more than it brings
    written(args.language, "test")
    progress = Progress()
    try:
        trained = {
            domain: [
                learn(args.language, domain, LanguageSettings(), seed, not args.wordings_only, progress)
                for seed in args.seeds
            ]
            for domain in DOMAINS
        }
    finally:
        progress.close()
    parts = {part: answer(args.language, trained, part) for part in SCORED}
    if args.json:
        said = {part: part_shape(answered, args.answers) for part, answered in parts.items()}
        output.print_json({"language": args.language, "seeds": args.seeds, "parts": said})
        return 0
    for part, answered in parts.items():
        shape = part_shape(answered, args.answers)
        print(f"{part}: right " + ", ".join(f"{domain} {n}" for domain, n in shape["right"].items()))
        for score in shape["scores"]:
            bounds = f"{score['low']:.3f} to {score['high']:.3f}, n {score['n']}"
            print(f"  {score['name']:<12} {score['value']:.3f} ({bounds})")
        print("  wrong: " + (", ".join(f"{kind} {n}" for kind, n in shape["wrong"].items()) or "none"))
        for one in shape.get("answers", ()):
            print(output.visible(f"  {one['kind']}: {one['request']}\n    {one['reference']}\n    {one['answer']}"))
    return 0


def part_shape(answered: Sequence[Answered], with_answers: bool) -> dict[str, Any]:
    from sayso.experiments.api_language import kinds, measured

    fields = ("name", "value", "low", "high", "n", "signature")
    right = Counter({one.domain: 0 for one in answered})
    right.update(one.domain for one in answered if not one.kind)
    shape = {
        "scores": [{name: getattr(score, name) for name in fields} for score in measured(answered)],
        "right": dict(right),
        "wrong": kinds(answered),
    }
    wrong = [
        {
            "id": one.example.id,
            "kind": one.kind,
            "request": one.example.request.text,
            "reference": one.example.references[0],
            "answer": one.answer,
        }
        for one in answered
        if one.kind
    ]
    return {**shape, "answers": wrong} if with_answers else shape
