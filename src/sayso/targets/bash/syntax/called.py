"""The simple commands of a line as far as `shlex` tells: quick, and blind to everything but words and operators."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from itertools import pairwise

from sayso.english.constants import word_set

# Commands that read whatever stands behind their options as files.
READERS = word_set("cat head tail wc sort uniq nl rev tac file stat md5sum sha256sum cksum less gzip gunzip")
# Commands whose words are names of files; with others, several words may be a command or a text.
TAKES_NAMES = READERS | word_set(
    "mv cp rm rmdir mkdir touch ls find du tar zip unzip cd chmod chown chgrp ln readlink realpath rsync grep cut"
)
OPERATORS = frozenset(("|", "||", "&&", ";", "&", "|&", "(", ")", ";;"))
REDIRECTS = frozenset(("<", ">", ">>", "<<", "<<<", ">&", "&>", "<(", ">|"))
COUNTED = re.compile(r"-\w*[ABCmncdfkw]|--\w[\w-]*")


@dataclass(frozen=True)
class Called:
    """A command with its words, and whether something is sent into it."""

    words: tuple[str, ...]
    is_fed: bool

    @property
    def operands(self) -> list[str]:
        """Words that are no options, nor what a short option of a count takes: -n 5."""
        pairs = pairwise(self.words)
        return [
            word
            for before, word in pairs
            if not word.startswith("-") and not (word.isdigit() and COUNTED.fullmatch(before))
        ]


def read_commands(text: str) -> list[Called]:
    """The simple commands of a line, as far as its words tell."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        pieces = list(lexer)
    except ValueError:
        return []
    found: list[Called] = []
    words: list[str] = []
    is_fed, skip = False, False
    for piece in [*pieces, ";"]:
        if piece in OPERATORS:
            if words:
                found.append(Called(tuple(words), is_fed))
            words, is_fed = [], piece in ("|", "|&")
        elif piece in REDIRECTS:
            is_fed, skip = is_fed or piece.startswith("<"), True
        elif skip:
            skip = False
        else:
            words.append(piece)
    return found
