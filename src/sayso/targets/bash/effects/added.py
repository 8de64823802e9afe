"""What xargs and parallel add to a command: words from a file or another command, which may be flags.

Names from `find … -print0` that xargs reads with -0 begin with the folder that find was given, so they are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.targets.bash.effects.flags import Cause, flag_names
from sayso.targets.bash.effects.takes_more import ENDS_FLAGS, MANY, NETWORK, takes_more
from sayso.targets.bash.syntax.tree import (
    Command,
    Flag,
    Inner,
    InnerScript,
    Node,
    Operand,
    Operator,
    Word,
    commands,
)

# Between find and xargs these keep each name whole, if they read and write NUL characters.
KEEPS_NAMES = {"sort", "shuf", "uniq", "head", "tail", "grep"}
CUTS_NAMES = {"-o", "-c"}


def added(command: Command, before: Sequence[Node]) -> Iterator[Cause]:
    """The words that a command at the end of these others adds to what it runs; none of them may be a flag."""
    runner = _runner(command)
    if runner is None:
        return
    if runner.utility == "parallel":
        for argument in runner.arguments:
            if isinstance(argument, InnerScript) and argument.script:
                for one in commands(argument.script):
                    if takes_more(one.utility) or one.utility in NETWORK:
                        yield "unknown", f"parallel adds words to {one.utility}"
        return
    inner = _innermost(runner)
    if inner is None or not (takes_more(inner.utility) or inner.utility in NETWORK):
        return
    names = {name for _, found in flag_names(runner) for name in found}
    whole = "-0" in names and _gives_paths(before)
    marks = [flag.values[0].value or "{}" for flag, found in flag_names(runner) if "-I" in found and flag.values]
    marks += ["{}" for flag, found in flag_names(runner) if "-i" in found and not flag.values]
    if inner.utility in NETWORK:
        yield "unknown", f"xargs sends words with {inner.utility}"
    elif marks:
        yield from _in_place(inner, marks, whole)
    elif not _only_operands(inner, whole):
        yield "unknown", f"xargs adds words to {inner.utility}"


def _runner(command: Command) -> Command | None:
    """The xargs or parallel behind sudo, nice and the like."""
    while command.utility not in ("xargs", "parallel"):
        inner = next((argument.command for argument in command.arguments if isinstance(argument, Inner)), None)
        if inner is None:
            return None
        command = inner
    return command


def _innermost(command: Command) -> Command | None:
    inner = next((argument.command for argument in command.arguments if isinstance(argument, Inner)), None)
    if inner is None:
        return None
    return _innermost(inner) or inner


def _gives_paths(before: Sequence[Node]) -> bool:
    """`find d -print0 | sort -z`: every name begins with what find was given."""
    if not before or not isinstance(before[0], Command) or before[0].utility != "find":
        return False
    flags = {flag.name for flag, _ in flag_names(before[0])}
    starts = [argument.word for argument in before[0].arguments if isinstance(argument, Operand)]
    if "-print0" not in flags or flags & {"-printf", "-print", "-ls", "-exec", "-execdir", "-ok", "-okdir"}:
        return False
    if not all(word.value is not None and word.value[:1] != "-" for word in starts):
        return False
    for node in before[1:]:
        names = {name for _, found in flag_names(node) for name in found} if isinstance(node, Command) else set()
        if not isinstance(node, Command) or node.utility not in KEEPS_NAMES or "-z" not in names or names & CUTS_NAMES:
            return False
    return True


def _only_operands(inner: Command, whole: bool) -> bool:
    """Whether what is added at the end can only be operands that are read."""
    if inner.utility in MANY:
        return False
    operands = [argument for argument in inner.arguments if isinstance(argument, Operand)]
    if any(isinstance(argument, Operator) and argument.text == "--" for argument in inner.arguments):
        return True
    if inner.utility in ENDS_FLAGS:
        return bool(operands)
    # sed without a program takes the first name for one.
    has_program = inner.utility not in ("sed", "gsed") or bool(operands) or _has(inner, {"-e", "-f"})
    return whole and has_program


def _has(command: Command, names: set[str]) -> bool:
    return any(found & names for _, found in flag_names(command))


def _in_place(inner: Command, marks: list[str], whole: bool) -> Iterator[Cause]:
    ended = False
    first = True
    for argument in inner.arguments:
        if isinstance(argument, Operator) and argument.text == "--":
            ended = True
        elif isinstance(argument, Operand):
            is_program = first and inner.utility in (ENDS_FLAGS | {"sed", "gsed"}) - {"printf"}
            first = False
            for mark in marks:
                if _stands_open(argument.word, mark, whole or (ended and not is_program), is_program):
                    yield "unknown", f"{argument.word.text} may be a flag"
            ended = ended or inner.utility in ENDS_FLAGS
        elif isinstance(argument, Flag):
            program = inner.utility in ("sed", "gsed", "awk") and argument.name in ("-e", "--expression", "-f")
            glued = any(mark in argument.name for mark in marks)
            if glued or (program and any(mark in word.text for mark in marks for word in argument.values)):
                yield "unknown", f"{argument.name} may be another flag"


def _stands_open(word: Word, mark: str, closed: bool, is_program: bool) -> bool:
    if mark not in word.text:
        return False
    if is_program:
        return True
    return not closed and word.lead.lstrip("'\"").startswith((mark, "-"))
