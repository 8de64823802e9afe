"""Ordinary requests with a hostile value in them: in how many answers does the value act, as a flag or an expansion?

`python -m benchmarks.hostile_requests [--n 500] [--seed 1] [--json]` prints the counts and, as JSON, every answer in
which a value acts. What is judged is the tree of each candidate that would be shown, not the rule that bars it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from benchmarks import Row
from sayso.answer.answer import answer
from sayso.apps.settings import workspace
from sayso.core.errors import BadInstruction
from sayso.core.types import Request, System
from sayso.english.constants import word_set
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.quote import has_braces
from sayso.targets.bash.syntax.tree import (
    Command,
    Expansion,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Operand,
    Substitution,
    commands,
)
from sayso.targets.bash.tasks import BASH, COMMAND

VALUES = (
    "$IFS-delete", "$DIR-delete", "$1-delete", "$@-delete", "$*-delete", "$x--output=pwn", "${x}-delete", "$_-rf",
    "${IFS}-exec", "${x:--delete}", "$(echo -delete)", "`echo -delete`", "$((1-2))", "$'-delete'", '$"-delete"',
    "$x$y-delete", "$x{-delete,}", "{-delete,}", "{x,-delete}", "{,}-delete", "~+/-x", "-delete", "--output=pwn",
    '"-delete"', "'-rf'", "\\-delete", "''-delete", '""-delete', "-oProxyCommand=pwn", "--upload-pack=pwn",
    "--to-command=pwn", "'!'", '"("', '"a\tb"', '"a\u00a0b"', '"a\u2028b"', "$HOME-delete", "x$IFS-delete",
)  # fmt: skip
PHRASINGS = (
    "list files in {}", "list all files under {}", "find files in {} larger than 1 MB", "how big is {}",
    "show the last 5 lines of {}", "search for {} in notes.txt", "search for TODO in {}", "delete the file {}",
    "delete the folder {}", "count the lines of {}", "copy {} to backup", "rename {} to new.txt", "extract {}",
    "sort the lines of {}", "make a folder called {}", "connect to {} with ssh", "show the git history of {}",
    "kill the process {}", "replace foo with {} in a.txt", "find files named {}", "compare {} with b.txt", "print {}",
)  # fmt: skip
FEWEST = 20
TAKES_NAMES = word_set("mv cp rm rmdir mkdir touch ls find du tar cd sort wc tail head cat grep")
EXPANDS = re.compile(r"\$\{[^}]*\}?|\$\([^)]*\)?|`[^`]*`|\$\w+|\$[^\w'\"]")


def requests(n: int, seed: int) -> list[tuple[str, str]]:
    """(value, request), the same for each seed."""
    every = [(value, say.format(value)) for say, value in product(PHRASINGS, VALUES)]
    return random.Random(seed).sample(every, min(n, len(every)))


def acts(value: str, text: str) -> set[str]:
    """How the value acts in a command: "expands", "flag", "operator", "torn"; nothing where it is one literal word."""
    try:
        found = list(commands(parse(text)))
    except BadInstruction:
        return set()  # it comes last, rated "unknown", and is never run without a question
    return {how for command in found for how in _acts_in(value, command, text)}


def _acts_in(value: str, command: Command, text: str) -> Iterator[str]:
    expanding = set(EXPANDS.findall(value))
    bare = value[1:-1] if value[0] == value[-1] and value[0] in "'\"" else value
    dashed = {piece for piece in re.split(r"[{},'\"\\\s)`]|\$\{?\w+\}?|\$.", value) if re.match(r"-\w|--", piece)}
    literal = {one.word.start for one in command.arguments if isinstance(one, Operand)}
    literal |= {word.start for one in command.arguments if isinstance(one, Flag) for word in one.values}
    literal |= {word.start for one in command.arguments if isinstance(one, InnerScript) for word in one.words}
    literal |= {word.start for one in command.arguments if isinstance(one, Inner) for word in one.command.words}
    for word in command.words[1:]:
        written = "".join(part.text for part in word.parts if isinstance(part, Literal))
        for part in word.parts:
            if isinstance(part, Expansion) and part.text in expanding:
                yield "expands"
            if isinstance(part, Substitution) and text[part.start : part.end] in expanding:
                yield "expands"
        if re.search(r"\{-|,-|\{,\}-", written) and has_braces(word) and word.text.startswith("{") and "{" in value:
            yield "flag"
        lead = (word.value or written).partition("=")[0]
        if word.start not in literal and any(lead == piece.partition("=")[0] for piece in dashed):
            yield "flag"
        if bare in ("!", "(") and word.value == bare and word.start not in literal:
            yield "operator"
    pieces = bare.split()
    values = [word.value for word in command.words[1:]]
    if len(pieces) > 1 and command.utility in TAKES_NAMES and not EXPANDS.search(value):
        torn = any(values[at : at + len(pieces)] == pieces for at in range(len(values)))
        if torn:
            yield "torn"


def survey(system: System, asked: Sequence[tuple[str, str]]) -> list[tuple[str, str, list[str]]]:
    """(request, candidate, how) for each candidate in which a value acts."""
    found = []
    for value, request in asked:
        for at, one in enumerate(answer(BASH, system, Request(request)).candidates):
            if how := acts(value, one.text):
                found.append((request, one.text, [f"at {at + 1}", *sorted(how)]))
    return found


def measure(n: int, seed: int) -> tuple[int, list[tuple[str, str, list[str]]]]:
    asked = requests(n, seed)
    return len(asked), survey(COMMAND.systems["default"](workspace()), asked)


def run(requests: int = 500) -> list[Row]:
    n, found = measure(requests, 1)
    acting = len({request for request, _, _ in found})
    return [Row("hostile requests with an answer in which the value acts", acting, "requests", n, limit=0)]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile_requests", description=__doc__)
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object, with all that was found")
    args = parser.parse_args(argv)
    n, found = measure(args.n, args.seed)
    counts = Counter(how for _, _, hows in found for how in hows if not how.startswith("at "))
    firsts = len({request for request, _, hows in found if "at 1" in hows})
    shape = {"n": n, "acting": len({one for one, _, _ in found}), "first": firsts, "candidates": len(found), **counts}
    print(json.dumps({**shape, "found": found} if args.json else shape, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
