"""What the command line prints: answers to stdout, everything else to stderr, colour only where someone looks."""

from __future__ import annotations

import json
import sys

from sayso.apps import settings
from sayso.apps.cli.unseen import is_seen
from sayso.apps.cli.unseen import visible as visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TextIO

BOLD, DIM, RED, GREEN, YELLOW = "1", "2", "31", "32", "33"
RISK_COLOUR = {"reads": GREEN, "writes": YELLOW, "destroys": RED, "unknown": YELLOW}


def paint(text: str, colour: str, on: bool) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if on and text else text


def colours(choice: str, stream: TextIO | None = None) -> bool:
    stream = stream or sys.stdout
    return settings.wants_colour(choice, stream.isatty())


def print_json(value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Letters as they are; what a terminal would obey or hide is escaped, which reads the same."""
    text = json.dumps(value, ensure_ascii=False)
    if not (text.isascii() and text.isprintable()):
        text = "".join(one if is_seen(one) else json.dumps(one)[1:-1] for one in text)
    print(text)


def note(text: str) -> None:
    """A remark beside the answer."""
    print(f"note: {visible(text)}", file=sys.stderr)


def answer_lines(answer: Mapping[str, Any], coloured: bool) -> list[str]:
    """Each candidate as it can be run, then a comment: its risk and the reason. Copied whole, it is still valid."""
    if answer["abstained"]:
        return ["# I don't know.", *absent_lines(answer), *nearest_lines(answer.get("nearest", []))]
    lines = absent_lines(answer)
    for one in answer["candidates"]:
        why = f": {'; '.join(one['why'])}" if one["why"] else ""
        risk = paint(comment(risk_of(one)), RISK_COLOUR.get(one["risk"], YELLOW), coloured)
        lines.append(paint(visible(one["text"]), BOLD, coloured))
        lines.append(f"{paint('#', DIM, coloured)} {risk}{paint(comment(why), DIM, coloured)}")
    return lines


def risk_of(one: Mapping[str, Any]) -> str:
    """ "destroys (rm -rf)"; what only reads has no risky words."""
    words = f" ({', '.join(one['risky'])})" if one["risky"] and one["risk"] != "reads" else ""
    return f"{one['risk']}{words}"


def absent_lines(answer: Mapping[str, Any]) -> list[str]:
    """What the request says to use and this machine does not have."""
    return [f"# {comment(one)}" for one in answer.get("absent", ())]


def nearest_lines(nearest: Sequence[str]) -> list[str]:
    return ["# The nearest requests that I know:", *(f"#   {comment(one)}" for one in nearest)] if nearest else []


def comment(text: str) -> str:
    """One line, whatever it holds: a second line would be run by whoever pipes the answer to a shell."""
    return visible(" ".join(text.split("\n")))
