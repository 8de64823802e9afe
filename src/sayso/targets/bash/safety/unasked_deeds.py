"""Does what a command may do to the machine fit what was asked? A question never gets a destroying command first.

The request is read for the deeds that it commands, in English and not in quotes or behind a shell operator.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from sayso.core.types import Doubt
from sayso.english.stems import stem
from sayso.targets.bash.effects.risk import risk_of

UNASKED_DESTRUCTION, UNASKED_CHANGE, SMUGGLED, NOT_DONE = 0.1, 0.5, 0.02, 0.4

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


def unasked(asked: str, text: str) -> Iterator[Doubt]:
    """A command that may destroy needs a request that says so, in English and not in quotes or behind a semicolon."""
    risk = risk_of(text)
    level = risk.level
    if level in ("destroys", "unknown") and SMUGGLES.search(QUOTES.sub(" ", asked)):
        does = "may destroy something" if level == "destroys" else "may do anything"
        yield Doubt(SMUGGLED, f"{does}, and the request holds shell text", "barred")
        return
    if asked.strip() == text:
        return
    words, asks = spoken_words(asked), is_question(asked)
    deletes = level == "destroys" and any(GONE.fullmatch(word) for word in risk.words)
    deeds = stems_of(DEEDS) - stems_of(OVERWRITING) if deletes else stems_of(DEEDS)
    told = tells_to(words, asks, deeds) and not UNWANTED.search(asked)
    if level == "destroys" and not told:
        reason = "this was a question" if asks else "that was not asked for"
        yield Doubt(UNASKED_DESTRUCTION, f"may destroy something, and {reason}", "barred")
    elif level == "reads" and told and demands_loss(asked, words, LOSSES):
        yield Doubt(NOT_DONE, "only looks, where a deed was asked for", "unfit")
    elif level == "writes" and told and demands_loss(asked, words, SURE_LOSSES):
        yield Doubt(NOT_DONE, "leaves what was to be gone", "unfit")
    elif level == "writes" and asks and not told and not {stem(word) for word in words} & stems_of(CHANGES):
        yield Doubt(UNASKED_CHANGE, "changes something, and this was a question", "unfit")


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
