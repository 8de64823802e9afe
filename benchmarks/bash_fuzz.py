"""Broken commands by the million, and what must hold for each: tests run ten thousand, `make bench` a million."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from sayso.core.errors import BadInstruction
from sayso.targets.bash import language
from sayso.targets.bash.review.page import examples

BYTES = b" \t\n'\"\\$(){}[]<>|&;`*?!#~=-+:,./%@^_0129azAZ\xc3\xa9\x00\xff"
PIECES = (
    b"$(", b"${", b"<<EOF\n", b"<(", b"&&", b"||", b";;", b"\\;", b"-exec ", b" {} ", b"' '", b'" "', b"if ", b"then ",
    b"fi ", b"for x in ", b"do ", b"done ", b"case ", b"esac", b"$'", b"$((", b"))", b"[[ ", b" ]]", b"sh -c ",
    b"xargs -I", b"2>&1", b"function f ", b"find ", b"`", b"sudo ", b"env A=1 ", b"<<<", b"tar xf ", b"{a,b}",
    b"{1..3}", b"\\ ",
)  # fmt: skip
SECONDS = 1.0


def mutants(seed: int, n: int) -> Iterator[str]:
    """Our own examples with bytes removed, doubled, put in and mixed, read back as text."""
    generator = random.Random(seed)
    sources = [example.encode() for example in examples()]
    for _ in range(n):
        data = bytearray(generator.choice(sources))
        for _ in range(generator.choice((1, 1, 2, 3, 5, 9))):
            _mutate(data, generator, sources)
        yield bytes(data).decode("utf-8", "replace")


def _mutate(data: bytearray, generator: random.Random, sources: list[bytes]) -> None:
    at = generator.randrange(len(data) + 1)
    what = generator.random()
    if what < 0.25:
        del data[at : at + generator.randint(1, 6)]
    elif what < 0.5:
        data[at:at] = bytes([generator.choice(BYTES)])
    elif what < 0.7:
        data[at:at] = generator.choice(PIECES)
    elif what < 0.8:
        data[at : at + 1] = bytes([generator.choice(BYTES)])
    elif what < 0.9:
        other = generator.choice(sources)
        start = generator.randrange(len(other))
        data[at:at] = other[start : start + generator.randint(1, 20)]
    else:
        data[at:at] = data[at : at + generator.randint(1, 10)]


def faults(command: str) -> list[str]:
    """Which promises this text breaks: other errors than BadInstruction, unstable forms, unread texts called safe."""
    found: list[str] = []
    start = time.process_time()
    risk = language.risk(command)
    try:
        canonical = language.normalise(command)
        language.template(command)
    except BadInstruction:
        if risk.level != "unknown":
            found.append(f"does not parse, but its risk is {risk.level}")
    else:
        try:
            if language.normalise(canonical) != canonical:
                found.append(f"normalise is not stable: {canonical!r}")
            if (other := language.risk(canonical).level) != risk.level:
                found.append(f"its risk is {risk.level}, that of its canonical form {other}: {canonical!r}")
        except BadInstruction:
            found.append(f"the canonical form does not parse: {canonical!r}")
    placed = [(finding.start, finding.end) for finding in language.check(command)]
    found += [f"finding out of place: {place}" for place in placed if not -1 <= place[0] <= place[1] <= len(command)]
    notes = [note for note in language.explain(command) if note.start >= 0]
    found += [f"note out of place: {note}" for note in notes if command[note.start : note.end] != note.text]
    if language.join(language.split(command, "subtoken"), "subtoken") != command:
        found.append("split and join are not inverse")
    if time.process_time() - start > SECONDS:
        found.append(f"took {time.process_time() - start:.1f} s")
    return found


def survey(seed: int, n: int) -> list[tuple[str, list[str]]]:
    """The mutants that break a promise, with how; an exception is a fault like any other."""
    broken = []
    for command in mutants(seed, n):
        try:
            found = faults(command)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        if found:
            broken.append((command, found))
    return broken
