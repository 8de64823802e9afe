"""Which raw NL2Bash pairs the corpus keeps (§3.2), and why each of the others is dropped.

The paper names four grounds: not grammatical by the man pages, syntax out of scope (table 2), utilities of scripts,
and programs in other languages. What exactly that meant was found by comparing with the membership that was
published; docs/papers/nl2bash.md lists where it departs from the text. The lists are in `data/filter.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.targets.bash.corpus.clean import clean
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Block,
    Chain,
    Command,
    Compound,
    Expansion,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Negation,
    Node,
    Operand,
    Operator,
    Pipeline,
    Script,
    Substitution,
    Word,
)

TABLES = Path(__file__).parents[1] / "data" / "filter.toml"

# Reason -> the ground that §3.2 and table 2 give for it; reports print them in this order.
REASONS = {
    "syntax error": "not grammatical: the text is no Bash command",
    "redirection": "out-of-scope syntax: <, >, <<, 2>&1",
    "compound statement": "out-of-scope syntax: if, for, while, case, [[ ]], functions",
    "list of commands": "&&, || and ; (in scope by table 2, but nothing that was published has one)",
    "subshell or group": "( … ) and { …; } (in scope by table 2, but nothing that was published has one)",
    "array": "out-of-scope syntax: assignment of an array",
    "arithmetic": "out-of-scope syntax: $(( … ))",
    "no utility": "out-of-scope syntax: an assignment, and no utility beside it",
    "interpreter": "a program in another language, or one that runs them",
    "script utility": "mostly used in multi-statement scripts",
    "utility": "not among the utilities that the corpus covers",
    "nested shell text": "text for another shell that is more than one plain command",
    "flag": "not grammatical: a flag or form that the man page of the time did not have",
}


@dataclass(frozen=True)
class Tables:
    """The lists of `data/filter.toml`."""

    utilities: frozenset[str]
    interpreters: frozenset[str]
    script_utilities: frozenset[str]
    only_short: frozenset[str]
    refused: Mapping[str, frozenset[str]]
    allowed: Mapping[str, frozenset[str]]


@cache
def tables() -> Tables:
    rows = tomllib.loads(TABLES.read_text(encoding="utf-8"))
    return Tables(
        frozenset(rows["utilities"]),
        frozenset(rows["interpreters"]),
        frozenset(rows["script_utilities"]),
        frozenset(rows["only_short"]),
        {utility: frozenset(flags) for utility, flags in rows["refused"].items()},
        {utility: frozenset(flags) for utility, flags in rows["allowed"].items()},
    )


@dataclass(frozen=True)
class Filtered:
    """Positions of the pairs that stay, and the reason for every other position."""

    kept: tuple[int, ...]
    dropped: Mapping[int, str]

    def counts(self) -> dict[str, int]:
        """Reason -> how many pairs it cost, in the order of REASONS, those that cost none left out."""
        reasons = list(self.dropped.values())
        return {reason: n for reason in REASONS if (n := reasons.count(reason))}


def filter_commands(commands: Iterable[str]) -> Filtered:
    """Every command once: kept, or dropped for its first reason."""
    reasons = dict(enumerate(map(why_dropped, commands)))
    return Filtered(
        tuple(at for at, reason in reasons.items() if not reason),
        {at: reason for at, reason in reasons.items() if reason},
    )


def why_dropped(command: str) -> str:
    """The reason of REASONS for which a command stays out of the corpus, "" when it is kept."""
    try:
        script = parse(clean(command))
    except BadInstruction:
        return "syntax error"
    found = set(_script(script))
    if not found and not any(_utilities(script)):
        return "no utility"
    return next((reason for reason in REASONS if reason in found), "")


def _script(script: Script) -> Iterator[str]:
    """Every reason in a script. One command may end in `;` or `&`; two are a list."""
    if len(script.items) > 1:
        yield "list of commands"
    for item in script.items:
        yield from _node(item)


def _node(node: Node) -> Iterator[str]:
    if isinstance(node, Command):
        yield from _command(node)
    elif isinstance(node, Pipeline):
        for item in node.items:
            yield from _node(item)
    elif isinstance(node, Chain):
        yield "list of commands"
    elif isinstance(node, Block):
        yield "subshell or group"
    elif isinstance(node, (Compound, Negation)):
        yield "compound statement"


def _command(command: Command) -> Iterator[str]:
    if command.redirects:
        yield "redirection"
    for assignment in command.assignments:
        if assignment.value and assignment.value.text.startswith("("):
            yield "array"
        elif assignment.value:
            yield from _word(assignment.value)
    # What stands behind `NAME=value` was not read by the authors' parser, its substitutions were.
    for word in command.words:
        yield from _word(word)
    if not command.assignments and command.name:
        yield from _utility(command)


def _word(word: Word) -> Iterator[str]:
    for part in word.parts:
        if isinstance(part, Expansion) and part.text.startswith(("$((", "$[")):
            yield "arithmetic"
        elif isinstance(part, Substitution):
            yield from _script(part.body)


def _utility(command: Command) -> Iterator[str]:
    lists = tables()
    name = command.utility
    if not name or (command.name and command.name.text.startswith("~")):
        pass  # the shell works the name out: $EDITOR, `which find`, ~/bin/x
    elif name in ("sh", "bash"):
        yield from _shell(command)
        return
    elif name in lists.interpreters:
        yield "interpreter"
    elif name in lists.script_utilities:
        yield "script utility"
    elif name not in lists.utilities or (command.name and command.name.text.startswith("\\")):
        yield "utility"
    yield from _flags(command)
    # env's command was not read either: `env -i perl -V` is in the published corpus.
    if name != "env":
        yield from _inner(command)


def _flags(command: Command) -> Iterator[str]:
    flags = [argument for argument in command.arguments if isinstance(argument, Flag)]
    if any(_is_refused(command.utility, flag) for flag in flags):
        yield "flag"
    words = [argument.word.value for argument in command.arguments if isinstance(argument, Operand)]
    if command.utility == "su" and "-" in words and len(words) > 1:
        yield "flag"


def _is_refused(utility: str, flag: Flag) -> bool:
    """Whether the man page does not have the flag, or the one that the authors read did not."""
    lists = tables()
    allowed = lists.allowed.get(utility)
    if flag.name in lists.refused.get(utility, ()) or (allowed is not None and flag.name not in allowed):
        return True
    if flag.name.startswith("--"):
        entry = find_utility(utility)
        # Beginnings of long flags (`--delimiter` for `--delimiters`) work, but the man page does not list them.
        return utility in lists.only_short or (entry is not None and flag.name not in entry.index)
    # find's expressions were taken as they came, and so are numbers such as `sort +1 -2`.
    return not flag.known and utility != "find" and not flag.name[1:].isdigit()


def _inner(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        if isinstance(argument, Inner):
            yield from _command(argument.command)
        elif isinstance(argument, Flag) and argument.inner:
            yield from _command(argument.inner)
        elif isinstance(argument, InnerScript):
            yield from _text(argument.words, argument.script)


def _text(words: tuple[Word, ...], script: Script | None) -> Iterator[str]:
    """Shell text for ssh or watch: one plain command, or text with variables, which was taken for a string."""
    if words[0].text.startswith(("-", "~")) or any(not isinstance(p, Literal) for w in words for p in w.parts):
        return
    yield from _one_command(script)


def _one_command(script: Script | None) -> Iterator[str]:
    if script is None or len(script.items) != 1 or not isinstance(script.items[0], Command):
        yield "nested shell text"
        return
    yield from _command(script.items[0])


def _shell(command: Command) -> Iterator[str]:
    """`… | sh`, `bash script`, and `sh -c TEXT` without further arguments where TEXT is one command of constants."""
    operands = [argument for argument in command.arguments if isinstance(argument, Operand)]
    scripts = [flag for flag in command.arguments if isinstance(flag, Flag) and flag.name == "-c"]
    ended = any(isinstance(argument, Operator) for argument in command.arguments)
    if scripts:
        if operands or any(not isinstance(p, Literal) for f in scripts for w in f.values for p in w.parts):
            yield "nested shell text"
        for flag in scripts:
            if any("$" in word.text or "`" in word.text for word in flag.values):
                yield "nested shell text"
            yield from _one_command(flag.script)
    elif len(operands) > 1 and not ended:
        yield "interpreter"


def _utilities(script: Script) -> Iterator[bool]:
    """True for every command whose name is read; an assignment hides the one behind it."""
    for item in script.items:
        for command in item.items if isinstance(item, Pipeline) else (item,):
            if isinstance(command, Command):
                yield bool(command.name) and not command.assignments
                words = [*command.words, *(a.value for a in command.assignments if a.value)]
                for word in words:
                    for part in word.parts:
                        if isinstance(part, Substitution):
                            yield from _utilities(part.body)
