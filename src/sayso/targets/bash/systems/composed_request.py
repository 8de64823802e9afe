"""Requests that are a known one and something more: "convert a.txt to lowercase and save it as b.txt".

Such a request is parted into a core, which the recipes read, and tails, which are follow-ups to its answer; the score
is the core's times how sure the tails are. Where a recipe explains the whole request, that reading stays ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice

from sayso.cookbook.slots import Cookbook, Reading
from sayso.core.types import Candidate, Request, System, Translator, Workspace
from sayso.targets.bash.cookbook.recipes import default_system as plain_system
from sayso.targets.bash.follow_up.follow_ups import in_turn
from sayso.targets.bash.follow_up.outcome import is_told
from sayso.targets.bash.language import Parsed, risk
from sayso.targets.bash.request.constants_used import constants_of, is_used
from sayso.targets.bash.safety.unasked_deeds import GONE, QUOTES, SMUGGLES
from sayso.targets.bash.systems.composed_deeds import JOINT, joined, splits, two_deeds
from sayso.targets.bash.systems.parts import Parting, partings
from sayso.targets.bash.systems.typed import as_typed

MOST_CORES = 3
READINGS = 2
"""Readings of each core that are looked at."""
FAIR, GOOD = 0.45, 0.8
"""A core below the first is not known; a whole above the second needs no further parting."""
SURE = 0.75
"""Edits below this are guesses, which serve who sees them made and no other."""
BEHIND, BEST = 0.95, 0.9
"""Where a recipe explains the whole, the parts come behind it, and are not looked at where it is sure."""
WHOLE = 0.999
PRINTS = ("reads", "unknown")
"""What changes nothing of its own has only its output to be saved."""
EVERYTHING = re.compile(
    r"(?:ls|find|tree|du)"
    r"(?: (?:-type \S|-(?:min|max)depth \d+|(?:-not|!) -name '\.\*'|-printf '[^']*'|-print0?|-[1aAlhRtrSdpFs]+|--[\w-]*"
    r"|(?:\./?|~/?|/|\"?\$HOME\"?/?)?(?:\*/?)?))*"
    r"(?: *[|;] *(?:sort|nl|cat|wc|ls)\b[^|;]*)*"
)
"""Commands that name all there is: whoever wants all of it gone says so, and no parting says it for them."""


def default_system(workspace: Workspace) -> System:
    """The embedded recipes, which read a request in parts as well."""
    system = plain_system(workspace)
    return (
        replace(system, translator=Composing(system.translator)) if isinstance(system.translator, Cookbook) else system
    )


Readings = Callable[[str], list[Reading]]


@dataclass(frozen=True)
class Composing:
    """Translator over recipes that also answers from a recipe and follow-ups to it."""

    book: Cookbook

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._translate(request.text, k) for request in requests]

    def _translate(self, text: str, k: int) -> list[Candidate]:
        # What a request is parted into comes up more than once.
        found = self.read_in_parts(text, k, cache(self.book.proposed))
        typed = as_typed(text)
        return [typed, *(one for one in found if one.text != typed.text)][:k] if typed else found

    def read_in_parts(self, text: str, k: int, read: Readings) -> list[Candidate]:
        plain = self.candidates(read(text), k)
        parts = [] if is_smuggled(text) else list(islice(partings(text), MOST_CORES))
        halves = [] if is_smuggled(text) else list(splits(text))
        highest = plain[0].score if plain else 0.0
        if not parts and not halves:
            return plain
        explained = bool(plain) and explains(text, plain[0], read(text)[0], parts[0] if parts else Parting(text, ()))
        pairs = two_deeds(halves, partial(self.half, read))
        if explained and any(plain[0].text in (one.text, other.text) for one, other in pairs):
            # What does one of two things explains only its half, unless a phrasing says both.
            explained = JOINT.search(read(text)[0].phrasing.text) is not None
        if highest >= BEST and explained:
            return plain
        composed = self.composed(parts, read)
        if pairs and not explained:
            composed = sorted([*composed, *map(joined, pairs)], key=lambda candidate: -candidate.score)
        if not composed:
            return plain
        surest = composed[0].score
        if explained:
            composed = scaled(composed, min(1.0, highest * BEHIND / surest))
        elif surest >= FAIR:
            # What the best recipe leaves unread, the parts read.
            plain = scaled(plain, min(1.0, surest * BEHIND / (highest or surest)))
        found: dict[str, Candidate] = {}
        for one in sorted([*plain, *composed], key=lambda candidate: -candidate.score):
            found.setdefault(one.text, one)
        return list(found.values())[:k]

    def candidates(self, readings: Sequence[Reading], k: int) -> list[Candidate]:
        """The commands of readings, each once."""
        found: dict[str, Candidate] = {}
        for reading in readings:
            if len(found) >= k:
                break
            command = self.book.render(reading.recipe, reading.values)
            if not command:  # refused
                continue
            found.setdefault(command, Candidate(command, round(reading.score, 4), reading.why))
        return list(found.values())

    def half(self, read: Readings, request: Request, k: int) -> list[Candidate]:
        """One of two orders, which may have tails of its own."""
        found = self.candidates(read(request.text), k)
        parts = list(islice(partings(request.text), 1)) if not found or found[0].score < FAIR else []
        return sorted([*found, *self.composed(parts, read)], key=lambda candidate: -candidate.score)[:k]

    def composed(self, parts: Sequence[Parting], read: Readings) -> list[Candidate]:
        """What cores and their tails give, best first."""
        found: dict[str, Candidate] = {}
        for parting in parts:
            for one in answers(parting, self.candidates(read(parting.core), READINGS)):
                if one.text not in found or found[one.text].score < one.score:
                    found[one.text] = one
            if any(one.score >= GOOD for one in found.values()):
                break
        return sorted(found.values(), key=lambda candidate: -candidate.score)


def answers(parting: Parting, cores: Sequence[Candidate]) -> Iterator[Candidate]:
    """The answers to a core, with its tails."""
    for place, core in enumerate(cores):
        command = Parsed(core.text)
        level = command.risk.level
        if core.score < FAIR or (parting.saves and level not in PRINTS):
            continue
        if level == "destroys" and (place or core.score < GOOD):
            continue
        tails = sorted(parting.tails, key=is_told)  # what is said of the outcome goes around all the rest
        got = in_turn(command.line, tails)
        if isinstance(got, str) or got.sure < SURE or forgets(got.text, tails):
            continue
        if level not in PRINTS and got.text.count("|") > core.text.count("|"):
            continue
        if EVERYTHING.fullmatch(core.text) and any(GONE.fullmatch(word) for word in risk(got.text).words):
            continue
        score = core.score * got.sure * parting.sure
        yield Candidate(got.text, round(score, 4), (*core.why, *filter(None, [got.why])))


def explains(text: str, plain: Candidate, reading: Reading, parting: Parting) -> bool:
    """Whether the best recipe accounts for every constant, and every word unless it is sure without."""
    if not says(plain.text, parting):
        return False
    told, values = reading.features, reading.values.values()
    # "grep 'meeting, ignoring case'": a run of words may be a value and a tail.
    runs = any(" " in value and value in QUOTES.sub(" ", text) for value in values)
    worded = told["recipe"] > WHOLE or plain.score >= BEST
    return worded and not told["left_over"] and not told["missing"] and not runs


@dataclass(frozen=True)
class Completing:
    """Translator over another that often leaves out where the result goes, or to say how it went; both are added."""

    translator: Translator

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.translator.translate(requests, k)
        return [completed(request.text, candidates) for request, candidates in zip(requests, found, strict=True)]


def completed(text: str, candidates: list[Candidate]) -> list[Candidate]:
    """Each command as it would be with the tails of the request, but for those that have them."""
    parts = [] if is_smuggled(text) else partings(text)
    # A model hears "how many" and "in the last week" as well as anybody.
    parting = next((one for one in parts if one.around), None)
    if parting is None:
        return candidates
    names = [one for tail in parting.saving for one in constants_of(Request(tail))]
    numbers = [one for tail in parting.around for one in constants_of(Request(tail)) if one.kind == "number"]

    def complete(candidate: Candidate) -> Candidate:
        # "ping it five times" is ping -c 5, and is not said five times.
        if any(is_used(name, candidate.text) for name in names) or any(
            re.search(rf"(?<!\d){number.value}(?!\d)", candidate.text) for number in numbers
        ):
            return candidate
        command = Parsed(candidate.text)
        if parting.saves and command.risk.level not in PRINTS:
            return candidate
        got = in_turn(command.line, sorted(parting.around, key=is_told))
        return candidate if isinstance(got, str) or got.sure < SURE else replace(candidate, text=got.text)

    return [complete(one) for one in candidates]


def says(command: str, parting: Parting) -> bool:
    """Whether a command says how it went where that is asked for, and writes where something is to be saved."""
    if any(not tail.lower().startswith("to ") for tail in parting.saving) and risk(command).level == "reads":
        return False
    return "echo" in command or not any(map(is_told, parting.tails))


def forgets(command: str, tails: Sequence[str]) -> bool:
    """Whether something that a tail names is not in the command: "watch -n 2 df" for "every 5 seconds"."""
    named = [token for tail in tails for token in constants_of(Request(tail))]
    return any(
        token.kind in ("timespan", "size", "file", "path", "glob") and not is_used(token, command) for token in named
    )


def scaled(candidates: Sequence[Candidate], factor: float) -> list[Candidate]:
    return [replace(one, score=round(one.score * factor, 4)) for one in candidates]


def is_smuggled(text: str) -> bool:
    """Whether it holds shell text; a semicolon between words is a comma."""
    return SMUGGLES.search(QUOTES.sub(" ", text).replace("; ", ", ")) is not None
