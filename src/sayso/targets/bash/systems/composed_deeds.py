"""Two orders in one request: "make a folder pics and move the pngs into it" is both commands, joined by &&.

Each half must be known by itself and use all that it names; "it" in the second is what the first made or was about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from sayso.answer.weigh import log_trust
from sayso.core.types import LEFT_OPEN, Candidate, Request
from sayso.english.constants import Token, word_set
from sayso.english.words import listed
from sayso.targets.bash import language
from sayso.targets.bash.evidence.against import evidence
from sayso.targets.bash.follow_up.follow_ups import understood
from sayso.targets.bash.language import Parsed, parsed
from sayso.targets.bash.request.constants_used import constants_of, is_used
from sayso.targets.bash.safety.barring import bars
from sayso.targets.bash.safety.barring import read as read_request
from sayso.targets.bash.safety.unasked_deeds import QUOTES

FAIR, DESTROYING = 0.6, 0.7
"""A half below the first is not known; one that destroys needs more."""
CLEAR = 0.8
"""What a second order without any name must be worth."""
JOINED_SURE = 0.95
READINGS = 3
MOST_SPLITS = 2
MOST_JOINTS = 12
"""What has more places to split at is a text, and reading all its halves would take too long."""
JOINT = re.compile(
    r",?\s+(?:and(?:\s+(?:then|also|afterwards))?|then|after that|afterwards)\s+|\s*[,;]\s+(?:then\s+)?", re.I
)
# What an order begins with; a half without one goes on with the same deed: "delete a.txt and b.txt".
VERBS = listed("two_deeds.verbs")
CHANGES = word_set(
    "best limit order sort_text reverse count measure tally unique save also_shown as_root uncounted either watched "
    "timed context as_csv as_json as_one_line names_only full_paths told told_if repeated all_saved errors_saved "
    "in_place"
)
"""Follow-ups that only change how the first answer looks and runs; all others are orders of their own."""
IT = re.compile(r"(?<![\w'-])(?:it|them|that (?:file|folder|directory|branch|archive)|there|this)(?![\w'-])", re.I)
INTO = re.compile(r"(?:into|in|inside|to|under)\s+$", re.I)
NAMED = ("file", "path", "name", "string", "url", "user_host", "glob")
RENAMES = re.compile(r"\s*(?:please )?(?:rename|mv|move|create|make|save|mkdir|touch)\b", re.I)
CALLED = re.compile(
    r"(?P<kind>folder|directory|branch|file)(?:\s+(?:called|named))?\s+(?P<name>(?!(?:here|there)\b)[\w./-]+)\s*$"
    r"|\bthe\s+(?P<word>[\w./-]+)\s+(?P<noun>folder|directory|branch)\s*$",
    re.I,
)
BEGUN_ANEW = re.compile(
    r"^start (?:over )?(?:with )?(?:an? )?(?:(?:new|fresh|empty|blank) )+(?:file )?(?:called |named )?", re.I
)
NEEDS_NOTHING = re.compile(r"(?:git )?(?:push|pull|fetch|commit)\b", re.I)
LOSES = re.compile(r"^(?:delete|remove|rm|erase|wipe|clear|empty|truncate|kill)\b", re.I)
PLACED = r"(?<![\w'-])(?:in|inside|within|from|under|below|of|at|on|to|into)\s+(?:(?:the|my|this|a|an)\s+)?"
A_KIND = r"(?:the )?(?:folder|directory|branch|file) "
MOVES_THERE = re.compile(r"(?<![\w'-])there(?![\w'-])", re.I)

Reader = Callable[[Request, int], Sequence[Candidate]]


def two_deeds(halves: Sequence[tuple[str, str]], read: Reader) -> list[tuple[Candidate, Candidate]]:
    """Both commands of a request that tells to do two things, surest first; none where it tells one."""
    found = [
        (one, other)
        for first, second in halves
        if (one := known(first, read))
        and (other := follows(second, first, read))
        and not other.text.startswith(one.text)
    ]
    return sorted(found, key=lambda pair: -min(pair[0].score, pair[1].score))


def joined(pair: tuple[Candidate, Candidate]) -> Candidate:
    one, other = pair
    return Candidate(
        f"{one.text} && {other.text}", round(min(one.score, other.score) * JOINED_SURE, 4), (*one.why, *other.why)
    )


def follows(second: str, first: str, read: Reader) -> Candidate | None:
    """The second order, with what "it" stands for; where that is not known, only of deeds that need no object."""
    said = resolved(BEGUN_ANEW.sub("create an empty file ", second), first)
    if LOSES.match(second) and said != second and not is_object(second, first):
        return None
    if IT.search(QUOTES.sub(" ", said)) and not NEEDS_NOTHING.match(said):
        return None
    found = known(said, read) or (known(second, read) if NEEDS_NOTHING.match(second) else None)
    vague = said == second and not constants_of(Request(second)) and not NEEDS_NOTHING.match(second)
    return None if found and vague and found.score < CLEAR else found


def splits(text: str) -> Iterator[tuple[str, str]]:
    """The two orders, split where the second one has a verb of its own; the longest first half comes first."""
    quoted = [match.span() for match in QUOTES.finditer(text)]
    places = [
        match for match in JOINT.finditer(text) if not any(a < match.end() and match.start() < b for a, b in quoted)
    ]
    found = 0
    for match in reversed(places if len(places) <= MOST_JOINTS else ()):
        first, second = text[: match.start()].strip(), text[match.end() :].strip(" .!?")
        starts = second.split(maxsplit=1)
        alone = len(starts) == 1 and not NEEDS_NOTHING.match(second)
        if not starts or alone or starts[0].lower() not in VERBS or len(first.split()) < 2:
            continue
        # A comma alone joins orders only where the second says what it is about.
        is_loose = "and" not in match[0].lower() and "then" not in match[0].lower() and "after" not in match[0].lower()
        if is_loose and not constants_of(Request(second)) and not NEEDS_NOTHING.match(second):
            continue
        if understood(second) in CHANGES:  # "and show the first 3" goes on with the first
            continue
        yield first, second
        found += 1
        if found == MOST_SPLITS:
            return


def known(half: str, read: Reader) -> Candidate | None:
    """The best reading that uses every constant of a half; None where no reading is good enough."""
    if pairs := two_deeds(list(splits(half))[:1], read):  # three orders are two and one
        return joined(pairs[0])
    request = Request(half)
    asked, readings = read_request(request), read(request, READINGS)
    drafts = language.drafts([one.text for one in readings])
    kept: list[Candidate] = []
    for one, draft, seen, barred in zip(readings, drafts, evidence(asked, drafts), bars(asked, drafts), strict=True):
        trusted = replace(one, score=one.score * math.exp(log_trust((*seen, *barred))))
        least = DESTROYING if draft.risk.level == "destroys" else FAIR
        uses_all = all(is_used(token, one.text) for token in asked.constants)
        # A placeholder in capitals was not said, and a background job ends what && needs.
        if trusted.score >= least and uses_all and is_simple(parsed(draft)) and not open_slots(one):
            kept.append(trusted)
    return max(kept, key=lambda one: one.score, default=None)


def is_simple(command: Parsed) -> bool:
    """Whether it can be joined: one pipeline, or several joined already, and nothing in the background.

    Behind `test … || echo no` the second order would run whatever the test says.
    """
    if "||" in QUOTES.sub(" ", command.text):
        return False
    return not command.text.rstrip().endswith("&") and (command.line is not None or "&&" in command.text)


def open_slots(candidate: Candidate) -> bool:
    return any(reason.startswith(LEFT_OPEN) for reason in candidate.why)


def resolved(second: str, first: str) -> str:
    """ "move the pngs into it", after "make a folder pics" -> "move the pngs into pics"."""
    found = IT.search(QUOTES.sub(lambda match: " " * len(match[0]), second))
    if not found:
        return second
    names = [token for token in constants_of(Request(first)) if token.kind in NAMED]
    name = meant(first, names)
    if not name:
        return second
    said = f"into {name}" if MOVES_THERE.fullmatch(found[0]) and not INTO.search(second[: found.start()]) else name
    return second[: found.start()] + said + second[found.end() :]


def is_object(second: str, first: str) -> bool:
    """Whether "it" surely is what the first order names: the oldest file in backups/ is not backups/."""
    names = [token for token in constants_of(Request(first)) if token.kind in NAMED]
    name = re.sub(f"^{A_KIND}", "", meant(first, names))
    placed = re.search(rf"{PLACED}(?:{A_KIND})?{re.escape(name)}(?![\w-])", first, re.I)
    is_one = "them" not in second.lower().split()
    return is_one and not placed and not RENAMES.match(first) and not first.lower().startswith("gzip")


def meant(first: str, names: Sequence[Token]) -> str:
    """What "it" stands for: what was made or renamed, else what was spoken of; a download by its own name."""
    if not names:
        called = CALLED.search(first)
        return f"the {called['kind'] or called['noun']} {called['name'] or called['word']}" if called else ""
    token = names[-1] if RENAMES.match(first) or len(names) == 1 else names[0]
    if token.kind == "url":
        return PurePosixPath(token.value.partition("?")[0]).name
    return f"{token.text}.gz" if re.match(r"\s*gzip\b", first, re.I) and token.kind in ("file", "path") else token.text
