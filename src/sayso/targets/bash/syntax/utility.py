"""A utility's words read as flags, values and operands, by the syntax that the knowledge base gives it (NL2Bash §2)."""

from __future__ import annotations

from sayso.targets.bash.knowledge.utilities import Find, Utility, find_subcommand, find_utility
from sayso.targets.bash.syntax.expressions import read_assignments, read_find, read_test
from sayso.targets.bash.syntax.getopt import read_getopt
from sayso.targets.bash.syntax.reader import ParseText, Reader, utility_name
from sayso.targets.bash.syntax.tree import Argument, Command, Operand, Word

# Every other syntax is the usual one with an exception.
OTHERS = {"find": read_find, "dd": read_assignments, "test": read_test}


def read_arguments(
    words: tuple[Word, ...], parse: ParseText, depth: int, find: Find = find_utility
) -> tuple[Argument, ...]:
    """The arguments of the command that these words make up, the first being its name."""
    if len(words) == 1:
        return ()
    name = utility_name(words[0])
    entry = find(name) if name else None
    reader = Reader(words, entry, parse, depth, find, read_arguments)
    syntax = entry.syntax if entry else "getopt"
    if syntax in OTHERS:
        OTHERS[syntax](reader)
    else:
        read_getopt(reader, syntax)
    return tuple(reader.out)


def entry_at(command: Command, place: int, find: Find = find_utility) -> Utility | None:
    """The entry that a flag at this character belongs to: git's before `commit`, that of `git commit` after it."""
    entry = find(command.utility)
    if entry is None or entry.syntax != "subcommands":
        return entry
    words = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    if not words or place < words[0].start:
        return entry
    return find_subcommand(entry.name, [word.value or "" for word in words], find)
