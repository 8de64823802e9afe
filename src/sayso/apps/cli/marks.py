"""A candidate as someone at a terminal sees it: how sure, how risky, which words came from the request, which did not.

Everything but the command is a comment, so that what is copied whole can still be run.
"""

from __future__ import annotations

import re

from sayso.apps.cli.output import (
    BOLD,
    DIM,
    RISK_COLOUR,
    YELLOW,
    absent_lines,
    comment,
    nearest_lines,
    paint,
    risk_of,
    visible,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

UNDERLINED, INVERSE = "4", "7"
NARROWEST = 20
# Phrases of `why` → what they say of the words after them: `from the request: EXT py, TIME 30d`.
COPIED, ASSUMED, MISSING = "from the request: ", "assumed: ", "put in yourself: "
STEP = re.compile(r"step \d+ of \d+, ")
STRANGE = re.compile(r"has (.+), which the request does not name")
# A word of the request that is no English: it has a digit, a sign or a capital inside, or stands in quotes.
CONSTANT = re.compile(r"'([^']+)'|\"([^\"]+)\"|(?<!\S)(\S*[\d/*_~$@=.]\S*?|\w+[A-Z]\w*)(?=[,;:!?.]*(?:\s|$))")
Span = tuple[int, int, str]


def terminal_lines(answer: Mapping[str, Any], coloured: bool, width: int) -> list[str]:
    """All candidates, best first; or that nothing is known."""
    if answer["abstained"]:
        return ["# I don't know.", *absent_lines(answer), *nearest_lines(answer.get("nearest", []))]
    found = answer["candidates"]
    places = [f"{number} of {len(found)}" for number in range(1, len(found) + 1)] if len(found) > 1 else [""]
    shown = (
        candidate_lines(one, str(answer["request"]), place, coloured, width)
        for one, place in zip(found, places, strict=True)
    )
    return [*absent_lines(answer), *(line for lines in shown for line in lines)]


def candidate_lines(one: Mapping[str, Any], request: str, place: str, coloured: bool, width: int) -> list[str]:
    """The command with its marks, then what is to be said of it, folded to the width of the terminal."""
    said = ", ".join(part for part in (place, confidence(one.get("score")), risk_of(one)) if part)
    steps = [reason for reason in one["why"] if STEP.match(reason)]
    reasons = [reason for reason in one["why"] if reason not in steps]
    why = f": {'; '.join(reasons)}" if reasons else ""
    folded = [line for told in (said + why, *steps) for line in fold(comment(told), max(NARROWEST, width) - 3)]
    lines = [paint(f"# {line}", DIM, coloured) for line in folded]
    if coloured:  # the risk keeps its colour where it stands
        risk = comment(risk_of(one))
        lines = [line.replace(risk, f"\x1b[0m{paint(risk, colour_of(one), True)}\x1b[{DIM}m", 1) for line in lines]
    return [painted(one, request) if coloured else visible(one["text"]), *lines]


def confidence(score: object) -> str:
    """.97 -> "97 % sure"; scores that are no probabilities say nothing to a reader."""
    return f"{100 * score:.0f} % sure" if isinstance(score, float | int) and 0 <= score <= 1 else ""


def colour_of(one: Mapping[str, Any]) -> str:
    return RISK_COLOUR.get(one["risk"], YELLOW)


def fold(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at blanks where there are some."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return [line[at : at + width] for line in lines for at in range(0, max(1, len(line)), width)]


def painted(one: Mapping[str, Any], request: str) -> str:
    """Bold; words of the request underlined, what was assumed inverse, what makes it risky in its colour."""
    text = visible(one["text"])
    styles: list[list[str]] = [[BOLD] for _ in text]
    for start, end, code in spans(one, request, text):
        for at in range(start, end):
            if code not in styles[at]:
                styles[at].append(code)
    result, before = "", ""
    for character, codes in zip(text, styles, strict=True):
        style = ";".join(codes)
        if style != before:
            result += f"\x1b[0m\x1b[{style}m" if before else f"\x1b[{style}m"
            before = style
        result += character
    return f"{result}\x1b[0m"


def spans(one: Mapping[str, Any], request: str, text: str) -> Iterator[Span]:
    """Where in the text what is to be seen; a word that was assumed is not also one that was copied."""
    strange = [match[1] for line in one["why"] if (match := STRANGE.fullmatch(line))]
    unsure = {*named(one["why"], ASSUMED), *named(one["why"], MISSING), *strange}
    copied = {*named(one["why"], COPIED), *constants(request)} - unsure
    risky = set(one["risky"] if one["risk"] != "reads" else ())
    for words, code in ((copied, UNDERLINED), (unsure, INVERSE), (risky, colour_of(one))):
        for word in sorted(filter(None, words)):
            found = list(places(word, text))
            if not found and code == UNDERLINED:  # 30d stands in the command as +30
                found = [place for digits in re.findall(r"\d+", word) for place in places(digits, text)]
            yield from ((start, end, code) for start, end in found)


def named(why: Sequence[str], phrase: str) -> list[str]:
    """(["assumed: FOLDER ., NUMBER 10"], "assumed: ") -> [".", "10"]; a slot without a value is its own."""
    rests = [line.removeprefix(phrase) for line in why if line.startswith(phrase)]
    parts = [part.partition(" ") for rest in rests for part in rest.split(", ")]
    return [value or slot for slot, _, value in parts]


def constants(request: str) -> list[str]:
    """ "find 'a b' in /var, please" -> ["a b", "/var"]"""
    return [next(filter(None, match), "") for match in CONSTANT.findall(request)]


def places(word: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a word stands by itself: `py` in `*.py` but not in `pypy`; `.` only between blanks."""
    before = r"(?<!\w)" if word[0].isalnum() else r"(?<![^\s'\"=])"
    after = r"(?!\w)" if word[-1].isalnum() else r"(?![^\s'\";)/])"
    for match in re.finditer(before + re.escape(word) + after, text):
        yield match.span()
