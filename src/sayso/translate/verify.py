"""Reorder candidates by what a careful reader would check before running one, and say why.

Does it parse, do its flags exist, is every constant of the request used and none put in its place, and does what it may
do to the machine fit what was asked? A question never gets a destroying command first. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Request, Target, Translator
from sayso.text.english import CONSTANT_KINDS, Token
from sayso.text.stems import stem
from sayso.translate.naming import request_tokens
from sayso.translate.plausible import IMPLAUSIBLE, is_file, plausibility_doubts

# What a doubt is worth: the score is multiplied by these, so a calibrated score stays between 0 and 1.
UNPARSABLE, ODD, UNHEARD_OF = 0.02, 0.75, 0.98
UNUSED, SWAPPED, UNNAMED = 0.85, 0.6, 0.55
UNASKED_DESTRUCTION, UNASKED_CHANGE, SMUGGLED, NOT_DONE = 0.1, 0.5, 0.02, 0.4
BARRED = frozenset({UNASKED_DESTRUCTION, SMUGGLED})
"""Doubts with which no candidate may come first."""
UNFIT = frozenset({NOT_DONE, UNASKED_CHANGE, UNNAMED, *IMPLAUSIBLE})
"""Doubts about what was asked for, which count whatever a model believes."""
MOST_COUNTED = 3
# More candidates than are asked for are looked at, so that a better one can move up.
POOL = 8

# Verbs that ask for a deed after which something is gone, stopped or written over.
DEEDS = """
delete remove erase wipe shred overwrite truncate empty clear purge uninstall deinstall discard throw rid clean prune
drop destroy nuke trash strip cut reset revert undo forget kill terminate stop end quit close shut shutdown power turn
reboot restart disable halt bounce take free flash format mirror replace save store redirect write create merge
concatenate combine join make dump back log shrink keep unlink move rename copy sync synchronise rsync export append
add put point change update allocate schedule eject set unset fix rm rmdir dd mv cp pkill killall burn switch
restore rebase untrack rmi run execute cron not uncommit unstage del repartition force trim reinstall dedupe mkfs mask
pause freeze unfreeze suspend abort cancel clone reload compact preallocate fallocate recover undelete userdel groupdel
swapoff autoremove kick
"""
# Of these, verbs that may cost what was there before, and never ask for a deletion; and what a deletion is marked by.
OVERWRITING = """
save store redirect write create merge concatenate combine join make dump back log move rename copy sync synchronise
rsync export append add put point change update allocate schedule set mv cp run execute cron take turn not mask pause
freeze unfreeze suspend abort cancel clone reload compact preallocate fallocate recover undelete userdel groupdel
swapoff autoremove kick
"""
GONE = re.compile(r"(?:rm|rmdir|unlink|shred|wipefs|-delete|mkfs\S*)(?:\s.*)?", re.S)
# Verbs that ask for a change without a loss.
CHANGES = "install start run send upload download fetch edit open connect login log mount enable build commit push pull"
ASKING = re.compile(
    r"\s*(?:what|which|who|whose|where|when|why|how (?:many|much|big|large|long|often|old|full)|is|are|was|were|does"
    r"|did|has|have|am i|list|show|display|print|count|see|view|check|tell me)\b",
    re.I,
)
DRY = re.compile(r"\bdry[- ]run\b|\bwould be\b|\bwhat (?:would|could)\b", re.I)
# A deed that is spoken of and not wanted, and orders that no user gives about commands.
UNWANTED = re.compile(
    r"\b(?:do not|don['’]?t|never|not to) (?:delete|remove|erase|wipe|kill|touch|change|overwrite|destroy)\b"
    r"|\bwithout (?:deleting|removing|erasing|changing|touching)\b|\b(?:delete|remove|erase|wipe|kill) nothing\b"
    r"|\b(?:forbidden|not allowed)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the )*(?:previous|prior|above|earlier|rules)\b"
    r"|[\[<({](?:assistant|system|user|inst)\b",
    re.I,
)
# A verb commands at the beginning of a request or right after one of these; elsewhere it describes.
BEGINNING = 3
LEADS = frozenset(("and", "then", "also", ","))
# "every monday at 3am delete it": what says how often stands before the beginning.
OFTEN = """
each every day night morning evening week month year hour minute weekday weekend monday tuesday wednesday thursday
friday saturday sunday on at in the am pm midnight noon of first last
"""
HOW = re.compile(r"how (?:do|can|could|should|would|does) (?:i|you|we|one)")
POLITE = LEADS | {"please", "to", "should", "must", "can", "could", "would", "will", "just", "want", "not"}
# "is there a way to delete" asks for the deed, "is it safe to delete" asks about it.
WAYS = frozenset(("way", "command", "how"))
QUOTED = r"'[^']*'|\"[^\"]*\"|`[^`]*`"
# Shell that came with the request and not from the user's mouth: what stands behind it is never a wish.
OPERATOR = r";|&&|\|\||\$\(|\$\{IFS|[\r\n\u2028-\u202e\x00-\x08]|(?<=\S) [|&#] (?=\S)"
NOT_SPOKEN = re.compile(rf"{QUOTED}|(?:{OPERATOR}).*", re.S)
SMUGGLES = re.compile(OPERATOR)
NAMED = re.compile(r"[._/\\=$*~\d]")
QUOTES = re.compile(QUOTED)
# Deeds after which something is gone for good, and words that say that only text or a listing is meant.
LOSSES = """
delete remove erase wipe shred truncate purge uninstall deinstall destroy nuke unlink kill terminate rm rmdir pkill
killall force overwrite repartition del format
"""
# Of these, the ones that no mere change to a file fulfils.
SURE_LOSSES = "delete erase wipe shred destroy nuke force repartition format rm del"
TEXT = """
line word character char column field duplicate space blank whitespace extension prefix suffix letter digit comment
part string text path number row header newline tab quote first last from permission right access date time output
"""
EMPTIES = re.compile(r"\s*(?:please )?(?:empty|clear|drop|clean) (?:all|the|every|my|this|out)\b", re.I)

IN_DAYS = {"w": 7, "mo": 30, "y": 365}
IN_MINUTES = {"h": 60, "d": 1440}
IN_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
PLAIN_PATH = re.compile(r"(?<![\w*$%@:.-])~?(?:[\w.-]*/)*[\w-]+\.[A-Za-z]\w{0,4}(?![\w/*])")


@dataclass(frozen=True)
class Verified:
    """A translator whose candidates are checked and reordered, so that what is scored is what is shown."""

    translator: Translator
    target: Target

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.translator.translate(requests, max(k, POOL))
        pairs = zip(requests, found, strict=True)
        return [verify(self.target, request, candidates)[:k] for request, candidates in pairs]


def verify(target: Target, request: Request, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with scores lowered and reasons added where something is wrong, best first; ties stay.

    What is barred comes last whatever its score, and not at all where nothing else is left.
    """
    constants = constants_of(request)
    judged = [judge(target, request, constants, candidate) for candidate in candidates]
    judged.sort(key=lambda pair: -pair[0].score)
    good = [candidate for candidate, barred in judged if not barred]
    return [*good, *(candidate for candidate, barred in judged if barred)] if good else []


def constants_of(request: Request) -> list[Token]:
    """What a request names that a command must use."""
    return [token for token in request_tokens(request.text) if token.kind in CONSTANT_KINDS - {"option"}]


def judge(target: Target, request: Request, constants: Sequence[Token], candidate: Candidate) -> tuple[Candidate, bool]:
    """The candidate with its doubts counted, and whether one of them bars it."""
    score, why, barred = candidate.score, candidate.why, False
    for factor, reason in doubts(target, request, constants, candidate.text):
        # A score that is a logarithm is negative: dividing lowers it.
        score = score * factor if score >= 0 else score / factor
        why = (*why, reason)
        barred = barred or factor in BARRED
    return replace(candidate, score=score, why=why), barred


def doubts(target: Target, request: Request, constants: Sequence[Token], text: str) -> Iterator[tuple[float, str]]:
    """(factor, reason) for everything that speaks against a candidate."""
    try:
        target.normalise(text)
    except BadInstruction as error:
        yield UNPARSABLE, f"does not parse: {error.message}"
        return
    for finding in target.check(text)[:MOST_COUNTED]:
        # A program that the target knows nothing of is no mistake in the candidate.
        yield UNHEARD_OF if finding.message.startswith("unknown utility") else ODD, finding.message
    unused = [token for token in constants if not is_used(token, text)]
    files = [token for token in constants if is_file(token)]
    for at, token in enumerate(unused[:MOST_COUNTED]):
        unnamed = not at and files and all(file in unused for file in files)
        yield UNNAMED if unnamed else UNUSED, f"does not use {token.text}"
    if any(token.kind in ("file", "path", "url", "user_host") for token in unused):
        foreign = [word for word in PLAIN_PATH.findall(text) if word not in request.text]
        if foreign:
            yield SWAPPED, f"has {foreign[0]}, which the request does not name"
    yield from plausibility_doubts(request.text, constants, text)
    yield from risk_doubts(target, request.text, text)


def risk_doubts(target: Target, asked: str, text: str) -> Iterator[tuple[float, str]]:
    """A command that may destroy needs a request that says so, in English and not in quotes or behind a semicolon."""
    risk = target.risk(text)
    level = risk.level
    if level in ("destroys", "unknown") and SMUGGLES.search(QUOTES.sub(" ", asked)):
        does = "may destroy something" if level == "destroys" else "may do anything"
        yield SMUGGLED, f"{does}, and the request holds shell text"
        return
    if asked.strip() == text:
        return
    words, asks = spoken_words(asked), is_question(asked)
    deletes = level == "destroys" and any(GONE.fullmatch(word) for word in risk.words)
    deeds = stems_of(DEEDS) - stems_of(OVERWRITING) if deletes else stems_of(DEEDS)
    told = tells_to(words, asks, deeds) and not UNWANTED.search(asked)
    if level == "destroys" and not told:
        reason = "this was a question" if asks else "that was not asked for"
        yield UNASKED_DESTRUCTION, f"may destroy something, and {reason}"
    elif level == "reads" and told and demands_loss(asked, words, LOSSES):
        yield NOT_DONE, "only looks, where a deed was asked for"
    elif level == "writes" and told and demands_loss(asked, words, SURE_LOSSES):
        yield NOT_DONE, "leaves what was to be gone"
    elif level == "writes" and asks and not told and not {stem(word) for word in words} & stems_of(CHANGES):
        yield UNASKED_CHANGE, "changes something, and this was a question"


def spoken_words(asked: str) -> list[str]:
    """The words that the user says: not those that are quoted, stand behind a shell operator, or are part of a name."""
    found: list[str] = []
    for piece in NOT_SPOKEN.sub(" ", asked).lower().split():
        if not NAMED.search(piece.strip(".,;:!?()")):
            found += re.findall(r"[a-z]+", piece)
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


def is_used(token: Token, text: str) -> bool:
    """Whether a constant, in any of the ways a command may write it, stands in the text."""
    low = text.lower()
    for form in map(str.lower, forms(token)):
        if form.isdigit():
            if re.search(rf"(?<!\d){form}(?!\d)", low):
                return True
        elif form and form in low:
            return True
    return False


def forms(token: Token) -> Iterator[str]:
    """The ways in which a command may write a constant: 2 weeks is 2w, 2, 14 (days) or 1209600 (seconds)."""
    value = token.value
    yield value
    yield token.text.strip("'\"`")
    if token.kind in ("size", "timespan", "number", "time", "date"):
        for digits in re.findall(r"\d{1,18}", value):
            yield digits
            yield str(int(digits))
    if token.kind == "timespan" and (match := re.fullmatch(r"(\d{1,9})([a-z]+)", value)):
        for lengths in IN_DAYS, IN_MINUTES, IN_SECONDS:
            yield str(int(match[1]) * lengths.get(match[2], 1))
    if token.kind == "extension":
        yield value.lstrip(".")
    if token.kind == "glob" and len(value.partition("*")[0]) > 2:
        yield value.partition("*")[0]  # for f in draft_*; do … "final_${f#draft_}"
    if token.kind == "variable":
        yield token.text.strip("${}")
    if token.kind == "name" and value.endswith("s"):
        yield f".{value[:-1]}"  # all mp4s
    if token.kind in ("string", "name"):
        yield re.sub(r"([\\./*\[\]^$&])", r"\\\1", value)
        yield value.replace("'", "'\\''")
        yield value.replace("'", "'\"'\"'")
    if token.kind == "path":
        yield value.rstrip("/")
        yield value.removeprefix("~/")
    if token.kind == "number" and value.isdigit() and len(value) < 9:
        yield str(int(value) + 1)  # the first 10 below a header, everything from line 11 on
    if token.kind == "number" and token.text.isalpha():
        yield " "  # "one file" seldom means the number
