"""Slips of a model that the request itself corrects: a name or variable without its quotes, a script nobody starts.

The model writes what it has seen; that `old stuff` is one folder and `build.sh` lies here only the request knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Constant, Request, Translator
from sayso.targets.bash.cookbook.fill import SCRIPT, STARTED_BY
from sayso.targets.bash.request.constants_used import constants_of
from sayso.targets.bash.safety.taken_words import all_words, plainly_named
from sayso.targets.bash.syntax.called import TAKES_NAMES, read_commands
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.quote import quote

QUOTED = re.compile(r"('[^']*'|\"(?:[^\"\\]|\\.)*\")")
# Where a command begins: at the start, behind an operator, or behind a command that runs another.
BEGINS = r"(^\s*|[|;&(]\s*|\bdo\s+|\bthen\s+|\b(?:time|nohup|sudo|watch|exec)\s+|\btimeout\s+\S+\s+)"

NOT_BARE = re.compile(r"['\"\\`(]")
VARIABLE = re.compile(r"\$\w+|\$\{\w+\}")


@dataclass(frozen=True)
class Mended:
    """A translator whose candidates are mended."""

    translator: Translator

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.translator.translate(requests, k)
        return [mended(request, candidates) for request, candidates in zip(requests, found, strict=True)]


def mended(request: Request, candidates: Iterable[Candidate]) -> list[Candidate]:
    constants = constants_of(request)
    texts = ((candidate, mend(constants, candidate.text)) for candidate in candidates)
    return [replace(candidate, text=with_quotes(request.text, text)) for candidate, text in texts]


def mend(constants: Sequence[Constant], text: str) -> str:
    """("old stuff" is one name) mv old stuff new -> mv 'old stuff' new; build.sh -> ./build.sh"""
    for token in constants:
        if SCRIPT.fullmatch(token.value) and "/" not in token.value:
            start = STARTED_BY[token.value.rpartition(".")[2]]
            text = re.sub(BEGINS + re.escape(token.value) + r"(?=\s|[;&|)]|$)", rf"\g<1>{start}{token.value}", text)
        elif is_torn(token, text):
            text = outside(text, token.value, quote(token.value))
    return text


def with_quotes(asked: str, text: str) -> str:
    """(in $HOME/x) find $HOME/x -type f -> find "$HOME/x" -type f"""
    if "$" not in asked or "$" not in text:
        return text
    written = text
    try:
        words = {word.start: word for word in all_words(parse(text))}
        for start in sorted(words, reverse=True):
            word = words[start]
            if written[start : word.end] == word.text and not NOT_BARE.search(word.text) and plainly_named(asked, word):
                plain = re.fullmatch(r"[\w./+=:@,${}-]*", word.text)
                quoted = f'"{word.text}"' if plain else VARIABLE.sub(r'"\g<0>"', word.text)
                written = f"{written[:start]}{quoted}{written[word.end :]}"
        parse(written)
    except BadInstruction:  # quotes inside quotes: left as it is, and refused
        return text
    return written


def is_torn(token: Constant, text: str) -> bool:
    """Whether a name with a blank in it stands in a command without quotes; a command or a text may."""
    words = token.value.split()
    if token.kind not in ("string", "file") or len(words) < 2 or not re.fullmatch(r"[\w\s.()&+-]+", token.value):
        return False
    commands = read_commands(text)
    takes = any(command.words[0] in TAKES_NAMES and set(words) <= set(command.words) for command in commands)
    runs = any(follows(command.words, words[0]) for command in commands)
    bare = " ".join(re.sub(r"'[^']*'|\"[^\"]*\"", " ", text).split())
    return " ".join(words) in bare and takes and not runs


def follows(words: Sequence[str], word: str) -> bool:
    """Whether a word is run as a command, or printed."""
    runs_another = words[0] in ("xargs", "sudo", "time", "nohup", "watch")
    if words[0] in (word, "echo", "printf") or (runs_another and word in words):
        return True
    return any(one in ("-exec", "-execdir", "do", "then") and other == word for one, other in pairwise(words))


def outside(text: str, name: str, quoted: str) -> str:
    """The text with a name quoted wherever it stands outside quotes as words of its own."""
    pieces = QUOTED.split(text)
    said = r"\s+".join(map(re.escape, name.split()))
    bare = re.compile(rf"(?<![\w./-]){said}(?![\w/-])")
    return "".join(piece if at % 2 else bare.sub(lambda _: quoted, piece) for at, piece in enumerate(pieces))
