"""`sayso api REQUEST`: a request for mail, calendar or files that runs, with how sure it is; `--spec`: any API."""

from __future__ import annotations

import argparse
import time

from sayso.apps import settings
from sayso.apps.cli import api_requests, api_spec, bash, output
from sayso.apps.cli.parser import whole_number
from sayso.apps.requests import read_request
from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "request", nargs="*", metavar="REQUEST", help="what you want, in English; - reads it from standard input"
    )
    parser.add_argument("-k", type=whole_number(1, settings.MOST_CANDIDATES), default=3, metavar="N", help="calls (3)")
    parser.add_argument("--domain", default="", help="document, email or calendar; told from the request otherwise")
    parser.add_argument(
        "--as",
        dest="shape",
        choices=api_requests.SHAPES,
        default=api_requests.SHAPES[0],
        help="what is printed: a curl or httpie command, a URL, a Python program, JSON, or the call itself (curl)",
    )
    parser.add_argument(
        "--now", default="", metavar="TIME", help="what time it is, as 2024-05-03T10:00 (this machine's)"
    )
    parser.add_argument("--tz", default="", metavar="ZONE", help="time zone of days and hours (this machine's)")
    parser.add_argument(
        "--check",
        nargs="?",
        const=api_spec.BARE,
        metavar="CALL",
        help="say what is wrong with a call, and stop; with --spec and no call, with the description",
    )
    api_spec.add_arguments(parser)
    parser.add_argument(
        "--no-daemon", action="store_true", help="answer in this process; neither ask nor start the daemon"
    )
    parser.epilog = (
        "The first line is a request to Microsoft Graph that runs as it stands, your key in $GRAPH_TOKEN. Below it "
        "stand, as comments, the call that was read, its chance of being right, the words that it does not use though "
        "they look like values, what its words of time stand for, and what the service cannot do and is left to this "
        "side, which only --as python does. Where two "
        "readings are close, a question says what they differ in; where none is likely, the answer is a comment that "
        "says so, and the exit code is still 0. Calls only read: what asks for a deed (delete, send, move) gets a "
        "comment that says so, with the call that finds what is meant. A call in place of a "
        "request is checked. With --spec FILE any API is asked: see docs/guide/api.md. Nothing is sent but by --send, "
        "which asks first."
    )


def run(args: argparse.Namespace) -> int:
    if args.spec is not None:
        return api_spec.run(args)
    if args.list or args.send or args.mock or args.teach is not None or args.check == api_spec.BARE:
        raise UserError(
            "--list, --send, --mock, --teach and a bare --check need --spec", "name a description: --spec FILE"
        )
    if args.check is not None:
        return check(args.check, args.json)
    start = time.perf_counter()
    text = read_request(args.request)
    if text.startswith("GET"):
        from sayso.targets.api.syntax import is_typed_call

        if is_typed_call(text):
            return typed(text, args.json)
    clock = api_requests.clock_of(args.now, args.tz)
    chosen = settings.load()
    answer = asked(text, args.domain, args.k, not args.no_daemon and chosen.idle_minutes > 0)
    bash.keep_last(answer)
    shape = answer_shape(answer)
    if shape["candidates"]:
        shape["requests"] = api_requests.requests_of(shape["candidates"][0]["text"], clock)
    if args.json:
        output.print_json({**shape, "seconds": round(time.perf_counter() - start, 4)})
    else:
        print("\n".join(answer_lines(shape, output.colours(chosen.colour), args.shape)))
    return 0


def asked(text: str, domain: str, k: int, with_daemon: bool) -> dict[str, Any]:
    question: dict[str, Any] = {"do": "answer", "target": "api", "text": text, "k": k}
    if domain:
        question["context"] = [{"kind": "text", "text": domain, "name": "domain"}]
    return bash.ask(question, with_daemon)


def answer_shape(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The request shape of the JSON interface, with the domain, the question and the deed that no call can do."""
    return {
        "target": "api",
        "request": answer["request"],
        "domain": answer["domain"],
        "candidates": answer["candidates"],
        "abstained": answer["abstained"],
        "question": answer.get("question", {}).get("text", ""),
        "reason": answer.get("reason", ""),
        "deed": answer["deed"],
        "unused": answer["unused"],
        "requests": {},
    }


def answer_lines(shape: Mapping[str, Any], coloured: bool, wanted: str = api_requests.SHAPES[0]) -> list[str]:
    """The first reading in the shape that was wanted, and below it, as comments, what there is to say of it."""
    found = shape["candidates"]
    if shape["deed"]:
        return [deed_line(shape)]
    lines: list[str] = []
    if shape["abstained"]:
        lines.append(f"# I don't know: {output.comment(shape['reason'])}.")
    else:
        for one in found[:1]:
            if wanted == "json" and "json" in shape["requests"]:
                return [output.visible(shape["requests"]["json"])]
            lines += first_lines(one, shape, coloured, wanted)
        if shape["question"]:
            lines += [f"# or: {output.comment(one['text'])}" for one in found[1:2]]
    return [*lines, f"# {output.comment(shape['question'])}"] if shape["question"] else lines


def first_lines(one: Mapping[str, Any], shape: Mapping[str, Any], coloured: bool, wanted: str) -> list[str]:
    call = output.visible(one["text"])
    told = shape["requests"].get("said", [])
    if wanted == "call":
        lines, told = [output.paint(call, output.BOLD, coloured)], []
    else:
        text = shape["requests"].get(wanted, "")
        lines = [output.paint(output.visible(line), output.BOLD, coloured) for line in text.split("\n") if line]
        lines.append(f"# {output.comment(call)}")
    notes = [surety(one, shape), *told]
    return [*lines, *(output.paint(f"# {output.comment(note)}", output.DIM, coloured) for note in notes)]


def surety(first: Mapping[str, Any], shape: Mapping[str, Any]) -> str:
    """How sure the first call is and what it leaves out, or where it was known from."""
    if first["why"]:
        return "; ".join(first["why"])
    spare = f"; not used: {', '.join(shape['unused'])}" if shape.get("unused") else ""
    return f"{first['score']:.0%} sure{', ' if 'domain' in shape else ''}{shape.get('domain', '')}{spare}"


def deed_line(shape: Mapping[str, Any]) -> str:
    line = f"# These calls only read: they cannot {shape['deed']}."
    for one in shape["candidates"][:1]:
        line += f" To find what is meant ({one['score']:.0%} sure, {shape['domain']}): {output.comment(one['text'])}"
    return line


def typed(call: str, as_json: bool) -> int:
    """A call where a request was asked for: what is wrong with it, as --check says."""
    from sayso.core.errors import BadInstruction

    try:
        code = check(call, as_json)
    except BadInstruction as error:
        message = f"this is a call, not a request, and it cannot be read: {error.message}"
        raise BadInstruction(message, error.text, error.offset, error.hint) from error
    output.note("this is a call already, not a request; it was checked, as with --check")
    return code


def check(call: str, as_json: bool) -> int:
    """What is wrong with a call, one line each; the call in canonical form where nothing is."""
    from sayso.targets.api import language

    normal = language.normalise(call)  # raises BadInstruction, which points at the character
    findings = language.check(call)
    if as_json:
        shape = [{"message": one.message, "start": one.start, "end": one.end} for one in findings]
        output.print_json({"target": "api", "call": call, "canonical": normal, "findings": shape})
        return 0
    print(output.visible(normal))
    for one in findings:
        print(f"# {output.comment(one.message)} (at character {one.start})")
    return 0
