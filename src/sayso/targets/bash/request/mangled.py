"""Names of the request that a command holds only in a damaged form: `chmod +xrr.sh` and `chmod +x r.sh` for rr.sh.

A model writes a name piece by piece, and pieces may run into their neighbours, fall out or be exchanged. A name that a
request gives reaches the answer whole or not at all; what is made from it in a way that people write (`app.log.gz`,
`notes` of notes.txt, `syslog` of /var/log/syslog) is no damage: there the parts are whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import Asked, Constant
from sayso.targets.bash.request.constants_used import is_used

KINDS = frozenset(("file", "path", "url", "user_host"))
SHORTEST, SHORTEST_NEAR, LONG_NEAR = 4, 6, 10
"""Letters of a name that is looked at; of one that is compared by its letters; and from which two may differ."""
MOST_CUT = 0.6
"""The share of a name that a word without a dot or slash must hold to be a piece of it."""
WORD = re.compile(r"[^\s'\"`;|&()<>=,{}]+")
GLUED_FLAG = re.compile(r"(?:^|[\s'\"=(])-{1,2}[A-Za-z]$")
ESCAPED = re.compile(r"\\[A-Za-z]$")
OPEN = re.compile(r"[*?\[\]$\\~%]")


def mangled(asked: Asked, text: str) -> Iterator[tuple[str, str]]:
    """Each name with the word that it has become."""
    names = [one for one in asked.constants if one.kind in KINDS and len(one.value) >= SHORTEST]
    if not names:
        return
    words = list(dict.fromkeys(WORD.findall(text)))
    for name in names:
        word = glued(name.value, text, asked.request.text)
        if not word and not is_used(name, text):
            word = next(pieces(name, words, asked.request.text), "")
        if word:
            yield name.value, word


def glued(name: str, text: str, request: str) -> str:
    """The word in which a name runs into other letters, "" where it also stands by itself, or nowhere."""
    found = ""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before, after = text[:at], text[end : end + 1]
        runs_in = bool(before) and is_one_run(before[-1], name[0])
        runs_in = runs_in and not GLUED_FLAG.search(before) and not ESCAPED.search(before)
        if not runs_in and not (after and is_one_run(name[-1], after)):
            return ""
        word = next((one[0] for one in WORD.finditer(text) if one.start() <= at < one.end()), name)
        if is_said(word, request):
            return ""
        found = found or word
        at = text.find(name, at + 1)
    return found


def pieces(name: Constant, words: list[str], request: str) -> Iterator[str]:
    """Words that are a torn piece of a name, or nearly the name."""
    for word in words:
        if word.startswith("-") or OPEN.search(word) or is_said(word, request):
            continue
        if is_torn(word, name.value) or is_nearly(word, name.value):
            yield word


def is_said(word: str, request: str) -> bool:
    """Whether a word stands in the request, and not only inside another."""
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", request) is not None


def is_torn(word: str, name: str) -> bool:
    """Whether a word is a part of a name that begins or ends within a run of letters: `r.sh` of rr.sh."""
    least = SHORTEST if re.search(r"[./]", word) else max(SHORTEST, MOST_CUT * len(name))
    at = name.find(word) if len(word) >= least and word != name else -1
    if at < 0:
        return False
    end = at + len(word)
    return (at > 0 and is_one_run(name[at - 1], word[0])) or (end < len(name) and is_one_run(word[-1], name[end]))


def is_one_run(one: str, next_one: str) -> bool:
    """Whether two characters belong together: /dev/sda1 is cut before its number by whoever means the disk."""
    return (one.isalpha() and next_one.isalpha()) or (one.isdigit() and next_one.isdigit())


def is_nearly(word: str, name: str) -> bool:
    """Whether a letter or, in a long name, two have fallen out, come in or been exchanged; other digits are another
    file."""
    if min(len(word), len(name)) < SHORTEST_NEAR or word[0] != name[0] or not re.search(r"[./]", word):
        return False
    if re.sub(r"\D", "", word) != re.sub(r"\D", "", name) or word.rpartition(".")[2] != name.rpartition(".")[2]:
        return False
    most = 2 if len(name) >= LONG_NEAR else 1
    return abs(len(word) - len(name)) <= most and 0 < distance(word, name) <= most


def distance(one: str, other: str) -> int:
    """Letters that fall out, come in or are exchanged for others."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, 1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (letter != wanted))
    return row[-1]
