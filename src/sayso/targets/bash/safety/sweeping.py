"""A command that deletes whatever it meets, for a request that meant only some: "delete old files", find . -delete.

Or all but what was named, where nothing was to stay. Other words left out make a command less likely; this would lose
what nobody meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from sayso.core.types import Doubt
from sayso.english.constants import word_set
from sayso.english.stems import stem
from sayso.targets.bash.safety.unasked_deeds import LOSSES, spoken_words, stems_of
from sayso.targets.bash.syntax.called import Called, read_commands

SWEEPING = 0.05
# What is to be lost is only some, where one of these follows the verb closely,
LIMITS = word_set(
    """
    old outdated stale obsolete temporary temp unused unneeded unnecessary redundant large big huge small tiny empty
    duplicate duplicates duplicated identical hidden new recent broken corrupt orphaned leftover oldest newest largest
    biggest smallest
    """
)
# or one of these at any distance.
COMPARED = word_set("older newer larger bigger smaller greater longer shorter except excluding unless")
NEAR = 4
GONE_BY = f"{LOSSES} rid clean clear throw trash discard"
TEMPORARY = "temp(?!l)|tmp"
DELETES = re.compile(r"\s-delete\b|\brm\b")
SPARES = re.compile(
    r"\b(?:except\w*|exclud\w*|but|keep\w*|kept|only|just|rest|remain\w*|others?|else|not|never|no|non|without|lack\w*"
    r"|besides|apart|aside|unless|than|leav\w*|preserv\w*|spar\w*|retain\w*|stays?|skip\w*|ignor\w*|outside|down to)\b"
    r"|n['’]?t\b",
    re.I,
)
# Options of find that choose nothing, and those behind which another command begins.
CHOOSES_NOTHING = re.compile(r"-(?:type|maxdepth|mindepth|print0?|depth|xdev|mount|follow|[LHP])")
ACTS = frozenset(("-delete", "-exec", "-execdir", "-ok", "-okdir"))
EVERYTHING = re.compile(r"\.?/?|~/?|(?:[^*?\s]*/)?\*|\.\*")
BEFORE = frozenset(("sudo", "time", "nice", "command"))
NEGATED = re.compile(
    r"(?<![\w-])grep (?:-\S+ )*-\w*[vL]\w*(?: --?\S+)* (?P<one>'[^']+'|\"[^\"]+\"|[^\s|;'\"]+)"
    r"|(?<=\s)(?:!|-not)\s+-i?name (?P<other>'[^']+'|\"[^\"]+\"|[^\s|;'\"]+)"
)


def sweeping(asked: str, text: str) -> Iterator[Doubt]:
    """Whether everything would go where the request names only a part of it."""
    word = limit_of(asked)
    if word and not is_heeded(word, text) and sweeps(text):
        yield Doubt(SWEEPING, f"deletes everything, and {word} was said", "barred")
    if DELETES.search(text) and left_out(asked, text) and not SPARES.search(asked):
        yield Doubt(SWEEPING, "deletes all but what was named", "barred")


def limit_of(asked: str) -> str:
    """ "delete all the old files" -> "old"; "" where nothing limits what is to go."""
    words = spoken_words(asked)
    for at, verb in enumerate(words):
        if stem(verb) not in stems_of(GONE_BY):
            continue
        behind = words[at + 1 :]
        for place, word in enumerate(behind):
            if word in COMPARED or (word in LIMITS and place < NEAR):
                return word
    return ""


def is_heeded(word: str, text: str) -> bool:
    """Whether a command says the word, as the name of a folder perhaps; `/tmp` is temporary."""
    form = TEMPORARY if word.startswith("temp") else rf"{word}(?![a-z])"  # no folder is old for its name
    return re.search(rf"(?<![a-z])(?:{form})", text.lower()) is not None


def sweeps(text: str) -> bool:
    """find . -type f -delete -> True; find . -name '*.o' -delete -> False"""
    found = [plain(command.words) for command in read_commands(text)]
    return any(finds_all(words, found[at + 1 :]) or removes_all(words) for at, words in enumerate(found) if words)


def plain(words: Sequence[str]) -> list[str]:
    return list(words[1:] if words[0] in BEFORE else words)


def finds_all(words: Sequence[str], behind: Sequence[Sequence[str]]) -> bool:
    """Whether a `find` without a condition hands what it finds to `rm`, or deletes it."""
    if words[0] != "find":
        return False
    chosen = takewhile(lambda word: word not in ACTS, words[1:])
    if any(word in ("!", "(") or (word.startswith("-") and not CHOOSES_NOTHING.fullmatch(word)) for word in chosen):
        return False
    handed = bool(behind) and behind[0][:1] == ["xargs"] and "rm" in behind[0]
    return handed or "-delete" in words or ("rm" in words and not ACTS.isdisjoint(words))


def removes_all(words: Sequence[str]) -> bool:
    """rm -rf *, rm build/*"""
    return words[0] == "rm" and any(EVERYTHING.fullmatch(word) for word in Called(tuple(words), False).operands)


def left_out(asked: str, text: str) -> bool:
    """Whether what a request names is what a command leaves out: grep -v NAME."""
    names = [(found["one"] or found["other"]).strip("'\"*.^$\\/") for found in NEGATED.finditer(text)]
    return any(len(name) > 1 and name.lower() in asked.lower() for name in names)
