"""`sayso translate TARGET --in requests.jsonl --out predictions.jsonl`: many requests at once, in their order."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.cli.progress import Progress
from sayso.apps.cli.streams import input_lines, is_stream, open_output
from sayso.core.errors import BadFile, BadRequest, UserError
from sayso.core.given import parse_json

if TYPE_CHECKING:
    from sayso.core.types import Request, System

# Requests handed to the system at once; a stream is answered line by line, for whoever waits at its other end.
BATCH = 32
# How many bad lines are named at once.
NAMED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="the language of the answers, for example bash")
    parser.add_argument("--in", dest="source", default="-", metavar="FILE", help="requests; - is standard input (-)")
    parser.add_argument("--out", default="-", metavar="FILE", help="predictions; - is standard output (-)")
    parser.add_argument(
        "-k", type=whole_number(1, settings.MOST_CANDIDATES), default=3, metavar="N", help="candidates per request (3)"
    )
    parser.add_argument("--spec", metavar="FILE", help="with api: answer with calls of the API that this describes")
    parser.epilog = (
        'A request is a line {"id", "text", "context": [{"kind", "text", "name"}]?}; an answer is a line {"id", '
        '"candidates": [{"text", "score"}], "abstained"}. Files may end in .jsonl or .jsonl.zst. The output appears '
        "when it is whole; a bad line is named by its number and nothing is written."
    )


def run(args: argparse.Namespace) -> int:
    from sayso.apps.answering import Answerer, answering_task

    answering_task(args.target)  # a wrong name is told before the file is read
    if args.spec and args.target != "api":
        raise UserError(f"--spec is for api, not for {args.target}", "sayso translate api --spec FILE")
    answerer = Answerer(settings.workspace())
    total = 0 if is_stream(args.source) else check_all(args.source)
    if not is_stream(args.source) and Path(args.out).exists() and Path(args.source).samefile(args.out):
        raise UserError(f"--in and --out are both {args.out}", "give --out another name: the requests would be lost")
    start, progress = time.perf_counter(), Progress()
    system = spec_system(args.spec) if args.spec else answerer.system(args.target)
    done = abstained = 0
    try:
        with open_output(args.out) as write:
            for batch in batches(args.source):
                lines, unsure = translate_batch(system, batch, args.k)
                write(b"".join(line + b"\n" for line in lines))
                done, abstained = done + len(lines), abstained + unsure
                if total:
                    progress("translated", done, total)
    finally:
        progress.close()
    summary = {"target": args.target, "requests": done, "abstained": abstained, "out": args.out}
    if args.out != "-":
        if args.json:
            output.print_json({**summary, "seconds": round(time.perf_counter() - start, 3)})
        else:
            print(f"{done} requests translated, {abstained} of them unsure; see {args.out}", file=sys.stderr)
    return 0


def spec_system(path: str) -> System:
    from sayso.apps.cli.api_spec import opened

    return opened(path).system


def check_all(source: str) -> int:
    """How many requests a file holds, before any is translated; every bad line is found now, not after an hour."""
    count, more_bad = 0, 0
    bad: list[BadFile] = []
    for place, line in input_lines(source):
        try:
            read_request(place, line)
            count += 1
        except BadFile as error:
            if len(bad) < NAMED:
                bad.append(error)
            else:
                more_bad += 1
    if bad:
        lines = "; ".join(error.message.removeprefix(f"{source}:") for error in bad)
        more = f"; and {more_bad} more" if more_bad else ""
        word = "line" if len(bad) == 1 else "lines"
        raise BadFile(f"{source}: {len(bad) + more_bad} bad {word}: {lines}{more}", bad[0].hint)
    return count


def read_request(place: str, line: bytes) -> tuple[str, Request]:
    from sayso.apps.requests import clean
    from sayso.core.types import Request
    from sayso.runs.requests import SHAPE, parse_request

    try:
        row = parse_json(line)
    except ValueError as error:
        raise BadFile(f"{place}: not JSON: {error}", SHAPE) from error
    if not isinstance(row, dict):
        raise BadFile(f"{place}: not a JSON object", SHAPE)
    name, request = parse_request(row, place)
    try:
        return name, Request(clean(request.text), request.context)
    except BadRequest as error:
        raise BadFile(f"{place}: {error.message}", error.hint) from error


def batches(source: str) -> Iterator[list[tuple[str, Request]]]:
    size = 1 if is_stream(source) else BATCH
    batch = []
    for place, line in input_lines(source):
        batch.append(read_request(place, line))
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def translate_batch(system: System, batch: list[tuple[str, Request]], k: int) -> tuple[list[bytes], int]:
    """The lines of the answers, and how many of them are unsure."""
    from sayso.runs.evaluate import predict
    from sayso.runs.predictions import prediction_line

    predictions = predict(system, batch, k)
    return [prediction_line(one) for one in predictions], sum(one.abstained for one in predictions)
