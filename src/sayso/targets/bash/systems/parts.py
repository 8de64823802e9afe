"""Where a request may be parted into a core and tails: at "and", a comma, "into b.txt"; and the tail said first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.english.constants import word_set
from sayso.english.words import listed
from sayso.targets.bash.follow_up.follow_ups import understood
from sayso.targets.bash.follow_up.outcome import is_told

MOST_WORDS = 60
MOST_TAIL_WORDS = 14
CHUNK = re.compile(r"""(?:"[^"]*"|(?<!\w)'[^']*'|`[^`]*`|\S)+""")
# A tail begins behind a mark or with one of these.
STARTS = listed("parts.starts")
JOINED = re.compile(r"(?:[\s,;:.?!(–—-]|(?<=\s)(?:and|then|but|also|plus|so|&)(?=[\s,;:(]|$))+$", re.I)
DANGLING = re.compile(
    r"(?<![\w.])(?:save|saved|write|written|store|stored|put|append|appended|add|added|redirect|redirected|send|sent|dump|output"
    r"|results?|log|along|together|it|them|with|without|by|to|in|into|of|for|from|on|as|only|just|sort|order|sorted"
    r"|ordered|next|close|equal|similar|compared|relative|according|up|back|due"
    r"|print|say|show|tell|the|a|an|not|no|is|are|if|count|how|in the)$",
    re.I,
)
LEAD = re.compile(r"^(?:[\s,;:.(–—-]|(?:and|then|but|also|plus|so|please|finally|just)\s)+", re.I)
BARE = re.compile(r"(?:in|on)?to\b|>|as\b|in\b", re.I)
# Conditions that a request has anywhere: they are tails only where something joins them to it.
CONDITIONS = word_set(
    """
    kind named name_holds excluded containing affix sized aged owned empty executable place swap value either mine depth
    """
)
# What names the source of an answer, and the one figure that a command prints anyway.
NO_TAIL = re.compile(
    r"\baccording to\b|^(?:only |just )?the (?:number|figure|value)$"
    r"|^to (?:the )?(?:small|big|larg|low|high|old|new|lat)e?s?t?\w*$",
    re.I,
)
SOURCE = re.compile(r"\b(?:according|compared|relative|similar|equal|close|due)\s*$", re.I)
JOINT = re.compile(r"(?:and|but|then|also|only|just|plus)\b|[,;:?.(–—-]\s*$", re.I)
SAVES = re.compile(
    r"^(?:and |then |also )?(?:save|write|put|store|redirect|send|dump|output|append|add|saved?|written|stored|appended"
    r"|results?|goes|(?:in|on)?to|->|=>|>>?|stdout|std|both|tee|log|record|copy|export)\b|^\W*>",
    re.I,
)
FILE = (
    r"""(?P<file>"[^"]+"|'[^']+'|`[^`]+`|[\w./~@+-]*\.[A-Za-z]\w{0,7}|(?-i:[A-Z][A-Z0-9_]+[\w.-]*)"""
    r"|[\w.~-]*/[\w./-]+\w)"
)
NAMED = r"(?:(?:a |the )?(?:new )?file (?:called |named )?)?"
FIRST_SAVED = re.compile(
    r"(?:please )?(?P<verb>save|write|store|put|dump|append|add|export|redirect|record|log|output|send|print|copy)"
    r"(?:,? (?:to|in|into|as) " + NAMED + FILE.replace("<file>", "<before>") + r",?)?"
    r" (?:me )?(?:the |a |an )?(?:(?:output|results?|content) of )?(?P<core>.+?)"
    r"(?: (?:to|in|into|as|onto|at the end of|to the end of) " + NAMED + FILE + r")?",
    re.I | re.S,
)
COUNTED = re.compile(
    r"(?:please |can you |tell me |show me |show |print |give me |what(?:'s| is) |find out )*"
    r"(?:count(?: up)?(?: how many| the number of)?|how many|(?:the )?(?:total )?(?:number|count|amount) of)"
    r" (?!(?:of )?(?:each|every|per)\b)(?:of )?(?:the |all )*(?P<core>.+?)"
    r"(?: (?:are (?:there|in)|do (?:i|we) have|exist|there are|in total))?",
    re.I | re.S,
)
BEST = re.compile(
    r"(?:(?:which|what)(?:'s| is| are)? |find |show |list |print |give |get |me )*(?:the )?(?P<n>\d+ )?"
    r"(?P<order>newest|latest|most recent|oldest|biggest|largest|smallest)(?P<m> \d+)? (?P<core>(?!one\b).+)",
    re.I | re.S,
)
MARKED = re.compile(
    r"(?:(?P<verb>list|show|print|get|find|display|give me) )?(?:me )?(?:the |a |all )*"
    r"(?P<tail>unique|distinct|sorted|reversed)(?: list of)? (?P<core>(?!by\b|in\b|on\b).+)",
    re.I | re.S,
)
LIST_OF = re.compile(r"(?:(?:the|a|an) )?(?:(?:full |complete |sorted )?list|names|listing|output) of (?:the )?", re.I)
AHEAD = re.compile(r"(?P<tail>[^,]{3,40}),\s+(?P<core>.+)", re.S)
ADVERB = re.compile(r"(?P<tail>recursively|interactively|verbosely|silently|quietly) (?P<core>.+)", re.I | re.S)


@dataclass(frozen=True)
class Parting:
    """A request as a smaller one and what is then changed in its answer."""

    core: str
    tails: tuple[str, ...]
    sure: float = 1.0

    @property
    def saving(self) -> tuple[str, ...]:
        """The tails that say where the result goes."""
        return tuple(tail for tail in self.tails if SAVES.match(tail))

    @property
    def around(self) -> tuple[str, ...]:
        """The tails that are about the command as a whole: where its result goes, and how it went."""
        return tuple(tail for tail in self.tails if SAVES.match(tail) or is_told(tail))

    @property
    def saves(self) -> bool:
        return bool(self.saving)


def partings(text: str) -> Iterator[Parting]:
    """Ways to part a request, those with the longest core first; each tail is a follow-up that is understood."""
    text = " ".join(text.split()) if "\n" not in text else ""
    text = text.rstrip(" .!?")
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for one in (*behind(text), *ahead(text)):
        if one.core and (one.core, one.tails) not in seen:
            seen.add((one.core, one.tails))
            yield one


def behind(text: str) -> Iterator[Parting]:
    """Tails at the end of a request, found from right to left."""
    chunks = list(CHUNK.finditer(text))
    if not 1 < len(chunks) <= MOST_WORDS:
        return
    tails: dict[int, tuple[str, ...]] = {len(text): ()}
    found: list[tuple[Parting, int]] = []
    for at in range(len(chunks) - 1, max(0, len(chunks) - MOST_TAIL_WORDS), -1):
        start = chunks[at].start()
        if not begins(chunks, at) or SOURCE.search(text[:start]):
            continue
        is_joined = JOINT.match(text[start:]) is not None or JOINT.search(text[:start]) is not None
        end = next((one for one in sorted(tails, reverse=True) if is_tail(text[start:one], is_joined)), 0)
        if not end:
            continue
        tails[start] = (clean(text[start:end]), *tails[end])
        core = JOINED.sub("", text[:start]).strip()
        # "save it to x" holds "to x": what one follow-up says is not said in part.
        found = [one for one in found if one[1] != end]
        if not DANGLING.search(core):
            bare = BARE.match(tails[start][0]) is not None
            found.append((Parting(core, tails[start], 0.95 if bare else 1.0), end))
    yield from (parting for parting, _ in found)


def is_tail(text: str, is_joined: bool) -> bool:
    part = clean(text)
    if NO_TAIL.search(part):
        return False
    name = understood(part) if part else ""
    return bool(name) and (is_joined or name not in CONDITIONS)


def begins(chunks: list[re.Match[str]], at: int) -> bool:
    word = chunks[at][0].lower().strip(",;:()")
    before = chunks[at - 1][0]
    return word in STARTS or chunks[at][0][0] == "(" or before[-1] in ",;:?.)-–—" or "+" in word or word[:4] == "case"


def clean(tail: str) -> str:
    """Without the words that only join it, and the brackets around it."""
    return LEAD.sub("", tail).rstrip(" ,;:.!?)")


def ahead(text: str) -> Iterator[Parting]:
    """What is said before the core: "save to x.txt the list of …", "count the …", "as root, …"."""
    if (found := FIRST_SAVED.fullmatch(text)) and bool(found["file"]) != bool(found["before"]):
        verb = "append" if found["verb"].lower() in ("append", "add") else "save"
        tail = f"{verb} it to {found['file'] or found['before']}"
        yield from said_as(found["core"], tail)
    if found := COUNTED.fullmatch(text):
        yield from said_as(found["core"], "count them")
    if found := BEST.fullmatch(text):
        yield from said_as(found["core"], f"the {found['n'] or found['m'] or 1} {found['order']}".replace("  ", " "))
    if found := MARKED.fullmatch(text):
        yield from said_as(found["core"], found["tail"])
    for form in (AHEAD, ADVERB):
        if (found := form.fullmatch(text)) and understood(part := clean(found["tail"])):
            yield Parting(found["core"], (part,))


def said_as(core: str, tail: str) -> Iterator[Parting]:
    """Something that is named, as somebody would ask for it; with tails of its own."""
    core = LIST_OF.sub("", core.strip(" ,"))
    for verb in ("list", "show"):
        yield Parting(f"{verb} {core}", (tail,), 0.95)
    for one in behind(core):
        yield Parting(f"list {one.core}", (*one.tails, tail), 0.95 * one.sure)
