"""`sayso api REQUEST`: a web API call for mail, calendar or files, with how sure it is; nothing is ever sent."""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.parser import whole_number
from sayso.apps.requests import read_request
from sayso.core.errors import UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sayso.targets.api.request import Deed
    from sayso.targets.api.systems import Asked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "request", nargs="*", metavar="REQUEST", help="what you want, in English; - reads it from standard input"
    )
    parser.add_argument("-k", type=whole_number(1, settings.MOST_CANDIDATES), default=3, metavar="N", help="calls (3)")
    parser.add_argument("--domain", default="", help="document, email or calendar; told from the request otherwise")
    parser.add_argument("--check", metavar="CALL", help="say what is wrong with a call, and stop")
    parser.epilog = (
        "The call is printed in its canonical form, a comment with its chance of being right behind it, and with the "
        "words that it does not use though they look like values. Where two "
        "readings are close, a question says what they differ in; where none is likely, the answer is a comment that "
        "says so, and the exit code is still 0. Calls only read: what asks for a deed (delete, send, move) gets a "
        "comment that says so, with the call that finds what is meant. A call in place of a "
        "request is checked. Nothing is ever sent to a service."
    )


def run(args: argparse.Namespace) -> int:
    if args.check is not None:
        return check(args.check, args.json)
    start = time.perf_counter()
    text = read_request(args.request)
    from sayso.targets.api.syntax import is_typed_call

    if is_typed_call(text):
        return typed(text, args.json)
    deed, found = answered(text, args.domain, args.k)
    unused = [] if deed or found.abstained else words_left_out(text, found)
    if args.json:
        shape = answer_shape(text, found, deed)
        shape["unused"] = unused
        shape["seconds"] = round(time.perf_counter() - start, 4)
        output.print_json(shape)
    else:
        coloured = output.colours(settings.load().colour)
        print("\n".join([deed_line(deed, found)] if deed else answer_lines(found, coloured, unused)))
    return 0


def answered(text: str, domain: str, k: int) -> tuple[Deed | None, Asked]:
    """The reading of a request; of one for a deed, the reading that finds what the deed is about, abstained from."""
    from sayso.targets.api.request import find_deed

    deed = find_deed(text)
    if deed is None:
        return None, asked(text, domain, k)
    from sayso.targets.api.request import named_domains
    from sayso.targets.api.systems import Asked

    reason = f"these calls only read: they cannot {deed.verb}"
    if deed.reading:
        found = asked(deed.reading, domain, k)
        offered = () if found.abstained else found.candidates
        return deed, replace(found, candidates=offered, abstained=True, question="", reason=reason)
    return deed, Asked(domain or next(iter(named_domains(text)), ""), (), True, reason=reason)


def asked(text: str, domain: str, k: int) -> Asked:
    from sayso.targets.api.syntax import DOMAINS

    if domain and domain not in DOMAINS:
        raise UnknownName("domain", domain, DOMAINS)
    from sayso.targets.api.systems import domain_parser

    # One request is too little work for numpy to share between cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parsers = {name: domain_parser(name) for name in DOMAINS}
    from sayso.targets.api.evidence import better_fit
    from sayso.targets.api.systems import ask  # needs numpy, which the line above asks for in words

    parsers = {name: replace(one, calibration=better_fit(name, one.calibration)) for name, one in parsers.items()}
    return ask(text, domain, k, parsers)


def answer_shape(text: str, found: Asked, deed: Deed | None = None) -> dict[str, Any]:
    """The request shape of the JSON interface, with the domain, the question and the deed that no call can do."""
    from sayso.targets.api.language import risk

    return {
        "target": "api",
        "request": text,
        "domain": found.domain,
        "candidates": [
            {
                "text": one.text,
                "score": round(one.score, 4),
                "risk": risk(one.text).level,
                "risky": [],
                "why": list(one.why),
            }
            for one in found.candidates
        ],
        "abstained": found.abstained,
        "question": found.question,
        "reason": found.reason,
        "deed": deed.verb if deed else "",
    }


def deed_line(deed: Deed, found: Asked) -> str:
    line = f"# These calls only read: they cannot {deed.verb}."
    for one in found.candidates[:1]:
        line += f" To find what is meant ({one.score:.0%} sure, {found.domain}): {output.comment(one.text)}"
    return line


def words_left_out(text: str, found: Asked) -> list[str]:
    """Words of the request that the call does not have and that requests of its domain have only as values."""
    from sayso.targets.api.evidence import left_out
    from sayso.targets.api.request import reword
    from sayso.targets.api.systems import domain_parser

    counts = domain_parser(found.domain).counts
    return left_out(reword(text, found.domain), found.candidates[0].text, counts) if found.candidates else []


def answer_lines(found: Asked, coloured: bool, unused: Sequence[str] = ()) -> list[str]:
    lines = []
    if found.abstained:
        lines.append(f"# I don't know: {output.comment(found.reason)}.")
    else:
        for one in found.candidates[:1]:
            lines.append(output.paint(output.visible(one.text), output.BOLD, coloured))
            spare = f"; not used: {', '.join(map(output.comment, unused))}" if unused else ""
            lines.append(output.paint(f"# {one.score:.0%} sure, {found.domain}{spare}", output.DIM, coloured))
        if found.question:
            lines += [f"# or: {output.comment(one.text)}" for one in found.candidates[1:2]]
    return [*lines, f"# {output.comment(found.question)}"] if found.question else lines


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
