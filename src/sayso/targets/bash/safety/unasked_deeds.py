"""Does what a command may do to the machine fit what was asked? A question never gets a destroying command first.

The request is read for the deeds that it commands, in English and not in quotes or behind a shell operator.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from sayso.core.types import Asked, Evidence, Risk
from sayso.english.stems import stem
from sayso.english.words import QUOTED, text_of

# Kinds of deeds that a request may order.
DESTROYS, DELETES, LOSES, SURELY_LOSES = "destroys", "deletes", "loses", "surely loses"
CHANGES_SOMETHING = "changes"

# Verbs that ask for a deed after which something is gone, stopped or written over.
DEEDS = text_of("deeds.deeds")
# Of these, verbs that may cost what was there before, and never ask for a deletion; and what a deletion is marked by.
OVERWRITING = text_of("deeds.overwriting")
GONE = re.compile(r"(?:rm|rmdir|unlink|shred|wipefs|-delete|mkfs\S*)(?:\s.*)?", re.S)
# Verbs that ask for a change without a loss.
CHANGES = text_of("deeds.changes")
ASKING = re.compile(
    r"\s*(?:what|which|who|whose|where|when|why|how (?:many|much|big|large|long|often|old|full)|is|are|was|were|does"
    r"|did|has|have|am i|list|show|display|print|count|see|view|check|tell me)\b",
    re.I,
)
DRY = re.compile(r"\bdry[- ]run\b|\bwould be\b|\bwhat (?:would|could)\b", re.I)
# A deed that is spoken of and not wanted, and orders that no user gives about commands.
UNWANTED = re.compile(
    r"\b(?:forbidden|not allowed)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the )*(?:previous|prior|above|earlier|rules)\b"
    r"|[\[<({](?:assistant|system|user|inst)\b",
    re.I,
)
# "don't delete it", "without erasing any", "remove nothing": the word beside a negation.
NEGATED = re.compile(r"\b(?:do not|don['’]?t|never|not to|without) (\w+)|\b(\w+) nothing\b", re.I)
# A verb commands at the beginning of a request or right after one of these; elsewhere it describes.
BEGINNING = 3
LEADS = frozenset(("and", "then", "also", ","))
# "every monday at 3am delete it": what says how often stands before the beginning.
OFTEN = text_of("deeds.often")
HOW = re.compile(r"how (?:do|can|could|should|would|does) (?:i|you|we|one)")
POLITE = LEADS | {"please", "to", "should", "must", "can", "could", "would", "will", "just", "want", "not"}
# "is there a way to delete" asks for the deed, "is it safe to delete" asks about it.
WAYS = frozenset(("way", "command", "how"))
# Shell that came with the request and not from the user's mouth: what stands behind it is never a wish.
OPERATOR = r";|&&|\|\||\$\(|\$\{IFS|[\r\n\u2028-\u202e\x00-\x08]|(?<=\S) [|&#] (?=\S)"
NOT_SPOKEN = re.compile(rf"{QUOTED}|(?:{OPERATOR}).*", re.S)
SMUGGLES = re.compile(OPERATOR)
NAMED = re.compile(r"[._/\\=$*~\d]")
QUOTES = re.compile(QUOTED)
# Deeds after which something is gone for good, and words that say that only text or a listing is meant.
LOSSES = text_of("deeds.losses")
# Of these, the ones that no mere change to a file fulfils.
SURE_LOSSES = text_of("deeds.sure_losses")
# What a negation spares besides: "don't touch the others".
NO_CHANGE = text_of("deeds.no_change")
TEXT = text_of("deeds.text")
# "make it executable" does not say to run it.
RUNS_WHAT_IT_MARKS = re.compile(r"chmod \S+ \S+ (?:&&|;) (?:sudo )?\./")
RUN = re.compile(r"\b(?:runs?|running|execute|start|launch)\b(?!\.\w)", re.I)
EMPTIES = re.compile(r"\s*(?:please )?(?:empty|clear|drop|clean) (?:all|the|every|my|this|out)\b", re.I)


def ordered_deeds(text: str, words: Sequence[str], asks: bool) -> frozenset[str]:
    """What a request tells to do: a deed that may destroy, a deletion, a loss, a sure one, a mere change."""
    stems = {stem(word) for word in words}
    wanted = not is_unwanted(text)
    found = {
        DESTROYS: wanted and tells_to(words, asks, stems_of(DEEDS)),
        DELETES: wanted and tells_to(words, asks, stems_of(DEEDS) - stems_of(OVERWRITING)),
        LOSES: demands_loss(text, words, LOSSES),
        SURELY_LOSES: demands_loss(text, words, SURE_LOSSES),
        CHANGES_SOMETHING: bool(stems & stems_of(CHANGES)),
    }
    return frozenset(name for name, holds in found.items() if holds)


def is_unwanted(text: str) -> bool:
    """Whether a loss is spoken of that nobody wants, or an order is given that no user gives."""
    spoken = (stem((found[1] or found[2]).lower()) for found in NEGATED.finditer(text))
    losses = stems_of(LOSSES) | stems_of(NO_CHANGE)
    return UNWANTED.search(text) is not None or any(word in losses for word in spoken)


def smuggles(text: str) -> bool:
    return SMUGGLES.search(QUOTES.sub(" ", text)) is not None


def is_told(asked: Asked, risk: Risk) -> bool:
    """Whether a deed of this kind was ordered, in English and not in quotes or behind a semicolon."""
    deletes = risk.level == "destroys" and any(GONE.fullmatch(word) for word in risk.words)
    return (DELETES if deletes else DESTROYS) in asked.deeds


def unasked(asked: Asked, text: str, risk: Risk) -> Iterator[Evidence]:
    """Bars: a command that may destroy needs a request that says so."""
    if risk.level in ("destroys", "unknown") and asked.smuggles:
        does = "may destroy something" if risk.level == "destroys" else "may do anything"
        yield Evidence("smuggled", f"{does}, and the request holds shell text")
    elif risk.level == "destroys" and asked.request.text.strip() != text and not is_told(asked, risk):
        reason = "this was a question" if asked.question else "that was not asked for"
        yield Evidence("unasked_destruction", f"may destroy something, and {reason}")


def misdeeds(asked: Asked, text: str, risk: Risk) -> Iterator[Evidence]:
    """What was to be done and is not, and what was not to be done and loses nothing: no bar, but not what was asked."""
    if asked.request.text.strip() == text or (risk.level == "unknown" and asked.smuggles):
        return
    if RUNS_WHAT_IT_MARKS.search(text) and not RUN.search(asked.request.text):
        yield Evidence("unasked_run", "runs it, too")
    told = is_told(asked, risk)
    if risk.level == "reads" and told and LOSES in asked.deeds:
        yield Evidence("not_done", "only looks, where a deed was asked for")
    elif risk.level == "writes" and told and SURELY_LOSES in asked.deeds:
        yield Evidence("not_done", "leaves what was to be gone")
    elif risk.level == "writes" and asked.question and not told and CHANGES_SOMETHING not in asked.deeds:
        yield Evidence("unasked_change", "changes something, and this was a question")


def spoken_words(asked: str) -> list[str]:
    """The words that the user says: not those that are quoted, stand behind a shell operator, or are part of a name."""
    found: list[str] = []
    for piece in NOT_SPOKEN.sub(" ", asked).lower().split():
        if not NAMED.search(piece.strip(".,;:!?()")):
            # "to-delete" is a name that somebody gave, and "clean-up" begins with its verb.
            found += re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])-[a-z-]+", "", piece))
        found += [","] * piece.endswith(",")
    return found


def is_question(asked: str) -> bool:
    """ "which are old", "show them"; a dry run asks as well."""
    return ASKING.match(asked) is not None or DRY.search(asked) is not None


def demands_loss(asked: str, words: Sequence[str], losses: str) -> bool:
    """Whether something is to be gone afterwards: "remove all symlinks", not "remove duplicate lines"."""
    stems = {stem(word) for word in words}
    begins = {stem(word) for word in words[:BEGINNING]}
    return (EMPTIES.match(asked) is not None or bool(begins & stems_of(losses))) and not stems & stems_of(TEXT)


def tells_to(words: Sequence[str], asks: bool, deeds: Collection[str]) -> bool:
    """Whether a request commands a deed: "delete it", "show the logs and delete them", not "which were deleted"."""
    is_often = bool(words) and words[0] in ("each", "every")
    begins = next((at for at, word in enumerate(words) if word not in OFTEN.split()), 0) if is_often else 0
    if HOW.fullmatch(" ".join(words[:3])):
        begins = 3
    for at, word in enumerate(words):
        is_participle = word.endswith("ed") and word not in DEEDS.split()
        if is_participle or stem(word) not in deeds:
            continue
        before = set(words[max(0, at - 2) : at])
        if before & LEADS or (not asks and (at < begins + BEGINNING or before & POLITE)):
            return True
        if "to" in before and WAYS & set(words[:at]):
            return True
    return False


@cache
def stems_of(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())
