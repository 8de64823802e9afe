"""One spelling for the commands that a trunk learns: the canonical one, written as people mostly write it.

People write one command in many ways (quotes, order, `egrep`), and a network that learns them all shares out its
probability among them: its candidates are then one command written twice.
"""

from __future__ import annotations

import re

from sayso.targets.bash.corpus.unseen import canonical_or_text

QUOTED = re.compile(r"(?<![^\s(=])'([^'\"$`\\!]*)'(?=[\s)]|$)")
TYPE = re.compile(r" -type [a-z]\b")
TESTS = re.compile(r" -(?:i?name|i?path|i?regex|[acm](?:time|min)|newer\w*|size|perm|user|group|empty|links|inum)\b")
# Left by word processors: no shell takes them for quotes, and who wrote them meant those.
STRAIGHT = str.maketrans("“”‘’", "\"\"''")
JOINED = {
    "ls": "aAdFhilrRSt1", "grep": "EFHLchilnoqrsvwx", "sort": "hnru", "rm": "fr", "cp": "apr", "du": "achs",
    "wc": "clw", "uniq": "cdu", "df": "hT", "ps": "ef",
}  # fmt: skip
"""Options without an argument, by utility."""


def house_style(command: str) -> str:
    """`find . -name '*.c' -type f | sort -n -r` -> `find . -type f -name "*.c" | sort -nr`"""
    canonical = canonical_or_text(command.translate(STRAIGHT))
    parts = re.split(r"( (?:\||&&|;) )", canonical)
    written = QUOTED.sub(r'"\1"', "".join(type_first(joined(part)) for part in parts))
    return written if canonical_or_text(written) == canonical else canonical


def type_first(command: str) -> str:
    """The type before find's other tests, where all of them must hold."""
    if not command.startswith("find ") or re.search(r" (?:-o|-prune|!|\\\(|,) ", command):
        return command
    kind, test = TYPE.search(command), TESTS.search(command)
    if not kind or not test or kind.start() < test.start():
        return command
    return command[: test.start()] + kind[0] + command[test.start() : kind.start()] + command[kind.end() :]


def joined(command: str) -> str:
    """`ls -a -l` -> `ls -al`"""
    name, _, rest = command.partition(" ")
    letters = JOINED.get(name)
    if not letters:
        return command
    run = re.match(rf"(?:-[{letters}] )+-[{letters}](?= |$)", rest)
    return f"{name} -{run[0].replace('-', '').replace(' ', '')}{rest[run.end() :]}" if run else command
