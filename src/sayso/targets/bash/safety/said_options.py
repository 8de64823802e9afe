"""Which dashes of a request are options that it asks for ("ls -la", "with the option -n"), and which are only text.

A piece that begins with a dash, or would once the shell has done its work (`$x-delete`, `''-delete`), is text unless
the words beside it say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.english.words import listed
from sayso.targets.bash.knowledge.utilities import find_subcommand, find_utility

# What a shell would take away or put something else in the place of.
TAKEN_AWAY = re.compile(r"\$\{[^{}]*\}|\$\([^()]*\)|\$\w+|\$[^\w\s'\"({]|[\\'\"`{},()=\s]|\$")
OPTION = re.compile(r"--?[A-Za-z@]\S*")
"""No lone dash, and no number: -5."""
ASKED_BY = listed("options.asked_by")
EDITED_BY = listed("options.edited_by")
"""What asks for an option where a command is there already."""
ASKED_BEHIND = listed("options.asked_behind")
JOINS = listed("options.joins")
STARTED = re.compile(r"\./\S+|\S+\.(?:sh|bash|py|pl|rb|js)")


@dataclass(frozen=True)
class Options:
    """The pieces of a request that begin with a dash; `wanted` are those that it asks for as options."""

    asked: str
    pieces: frozenset[str]
    wanted: frozenset[str]
    behind: frozenset[tuple[str, str]]
    """Pieces that stand alone, each with the word before it."""

    def is_text(self, word: str, words: Sequence[str]) -> bool:
        """Whether an option of a command, behind these words of it, is only text in the request."""
        names = {word, word.partition("=")[0]}
        if not names & self.pieces or names & self.wanted:
            return False
        typed = " ".join([*words, word]) in " ".join(self.asked.split())
        if typed and words and find_utility(words[0]):
            return False  # the user typed the command
        # "push --force" is git push --force: the option stands behind the word that it stands behind here.
        heads = words[:1]
        if len(words) > 1 and (find_subcommand(words[0], list(words[1:2])) or STARTED.fullmatch(words[1])):
            heads = words[:2]
        return not any(piece in names and said in heads for piece, said in self.behind)


@lru_cache(maxsize=64)
def said_options(asked: str, edits: bool = False) -> Options:
    """`edits`: the request changes a command, and "with -a" says how."""
    chunks = asked.split()
    pieces: set[str] = set()
    wanted: set[str] = set()
    behind: set[tuple[str, str]] = set()
    for at, chunk in enumerate(chunks):
        bare = chunk.rstrip(".,;:!?)")
        if bare[:1] == "-":
            bare = bare.rstrip("'\"`")  # the end of a command in quotes
        pieces.update(piece for piece in TAKEN_AWAY.split(bare) if OPTION.fullmatch(piece))
        if not OPTION.fullmatch(bare):
            continue
        names = {bare, bare.partition("=")[0]}
        pieces |= names
        said = said_before(chunks[:at])
        close = chunks[at - 1].lower() if at else ""
        after = chunks[at + 1].strip("'\"`,.").lower() if at + 1 < len(chunks) else ""
        behind |= {(name, said) for name in names}
        if said in ASKED_BY or after in ASKED_BEHIND or (edits and ({said, close} & EDITED_BY or after == "instead")):
            wanted |= names
    return Options(asked, frozenset(pieces), frozenset(wanted), frozenset(behind))


def said_before(chunks: list[str]) -> str:
    """The last word that is neither an option itself nor joins one to what stands before."""
    rest = (one.strip("'\"`,") for one in reversed(chunks))
    return next((one.lower() for one in rest if one.lower() not in JOINS and not OPTION.fullmatch(one)), "")
