"""What a command may do to the machine, from its tree, and the words that make it so. Errors go upwards.

`>` to a file and `mv` count as writes; they destroy where that is the point: truncation (`> f`, `: > f`), a device, a
system file, a file that the same pipeline reads, `>|`, `mv -f`. What does not parse, is not known, or runs text that
is only known when it runs (`| sh`, `eval $x`) is unknown. Order: reads < writes < unknown < destroys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.errors import BadInstruction
from sayso.core.types import Risk, RiskLevel
from sayso.targets.bash._acts import HARMLESS_TARGETS, ORDER, Cause, acts, flag_names, shell_texts, target_level
from sayso.targets.bash._effects import effects
from sayso.targets.bash._parse import parse
from sayso.targets.bash._tree import (
    Block,
    Command,
    Compound,
    Flag,
    Inner,
    InnerScript,
    Node,
    Operand,
    Pipeline,
    Redirect,
    Script,
    Substitution,
    Word,
    children,
    substitutions,
)

# Variables that change which programs run.
RUN_BY_NAME = re.compile(
    r"LD_\w+|(\w*_)?PATH|BASH_ENV|ENV|\w*PAGER|\w*EDITOR|GIT_\w+|LESSOPEN|PROMPT_COMMAND|SHELL|IFS\+?"
)


def risk_of(command: str) -> Risk:
    """The risk of a command; text that does not parse is unknown, never safe."""
    try:
        script = parse(command)
    except BadInstruction:
        return Risk("unknown", ("does not parse",))
    # What a function does was weighed where it is defined; calling it adds nothing.
    defined = {node.name for node in _functions(script)}
    return weigh([cause for cause in causes(script) if cause[0] != "unknown" or cause[1] not in defined])


def _functions(node: Node | Script) -> Iterator[Compound]:
    if isinstance(node, Compound) and node.kind == "function":
        yield node
    for child in children(node):
        yield from _functions(child)


def weigh(found: list[Cause]) -> Risk:
    """The highest level, and its words in order; marks such as `sudo` join it wherever it is not harmless."""
    level: RiskLevel = max((cause[0] for cause in found), key=ORDER.__getitem__, default="reads")
    if level == "reads":
        return Risk("reads", tuple(dict.fromkeys(word for _, word in found if word)))
    words = [word for at, word in found if word and (at == level or at == "reads")]
    return Risk(level, tuple(dict.fromkeys(words)))


def causes(node: Node | Script) -> Iterator[Cause]:
    """Every reason for risk in a tree; "reads" causes are marks that only matter beside worse ones."""
    if isinstance(node, Command):
        yield from _command(node)
        return
    if isinstance(node, Pipeline):
        yield from _pipeline(node)
    if isinstance(node, (Block, Compound)):
        for redirect in node.redirects:
            yield from _redirect(redirect, node)
    if isinstance(node, Compound) and node.kind == "function":
        yield from _function(node)
    for child in children(node):
        yield from causes(child)


def _function(node: Compound) -> Iterator[Cause]:
    """A function that pipes into itself or starts itself in the background is a fork bomb."""
    for command in _commands_below(node):
        if command.utility == node.name:
            yield "destroys", f"{node.name}() calls itself"
            return


def _commands_below(node: Node | Script) -> Iterator[Command]:
    if isinstance(node, Command):
        yield node
    for child in children(node):
        yield from _commands_below(child)


def _pipeline(node: Pipeline) -> Iterator[Cause]:
    """Text piped into a shell is run, whatever it is; a file that is read and written at once is emptied first."""
    for item in node.items[1:]:
        target = _innermost(item)
        if target and _reads_program(target):
            yield "unknown", f"| {target.utility}"
    read = {word.text for item in node.items if isinstance(item, Command) for word in item.words[1:]}
    for item in node.items:
        for redirect in item.redirects if isinstance(item, (Command, Block)) else ():
            if redirect.operator == ">" and redirect.target and redirect.target.text in read:
                yield "destroys", f"> {redirect.target.text}"


def _innermost(node: Node) -> Command | None:
    """Behind sudo, env and the like, the command that gets the input."""
    while isinstance(node, Command):
        inner = next((a.command for a in node.arguments if isinstance(a, Inner)), None)
        if inner is None or node.utility == "xargs":
            return node
        node = inner
    return None


def _reads_program(command: Command) -> bool:
    """Whether a shell or interpreter takes its program from standard input."""
    if command.utility not in effects().shells | effects().interpreters:
        return False
    given = any(isinstance(a, Flag) and (a.script or a.name in ("-c", "-e")) for a in command.arguments)
    return not given and not any(isinstance(a, Operand) and a.word.value != "-" for a in command.arguments)


# --- one command -----------------------------------------------------------------------------------------------------


def _command(command: Command, *, nested: bool = False) -> Iterator[Cause]:
    if not nested:  # an inner command's words are also the outer command's
        for substitution in substitutions(command):
            yield from causes(substitution.body)
    for redirect in command.redirects:
        yield from _redirect(redirect, command)
    if command.name is None:
        if not command.redirects and any(
            a.name.rstrip("+") in ("PATH", "LD_PRELOAD", "IFS", "PROMPT_COMMAND") for a in command.assignments
        ):
            yield "reads", command.assignments[0].name
        return
    if not command.utility:
        yield "unknown", command.name.text
        return
    yield from _assignments(command)
    yield from _inner(command)
    yield from acts(command)
    yield from _carried(command)


def _assignments(command: Command) -> Iterator[Cause]:
    for assignment in command.assignments:
        if RUN_BY_NAME.fullmatch(assignment.name):
            yield "unknown", f"{assignment.name}="


def _inner(command: Command) -> Iterator[Cause]:
    """What xargs, -exec, sudo, `sh -c` and ssh run."""
    if command.utility == "command" and any(names & {"-v", "-V"} for _, names in flag_names(command)):
        return
    for argument in command.arguments:
        if isinstance(argument, Inner):
            yield from _command(argument.command, nested=True)
        elif isinstance(argument, InnerScript):
            if argument.script:
                yield from causes(argument.script)
            else:
                yield "unknown", argument.words[0].text
        elif isinstance(argument, Flag):
            if argument.inner:
                yield from _command(argument.inner, nested=True)
            elif argument.types == ("Command",):
                yield "unknown", argument.name
            if argument.script:
                yield from causes(argument.script)
            elif argument.types == ("Script",):
                yield "unknown", argument.name


def _carried(command: Command) -> Iterator[Cause]:
    """An alias, a trap or an eval is weighed as if its text ran."""
    for written, text in shell_texts(command):
        inside = risk_of(text) if text is not None else Risk("unknown")
        if inside.level != "reads":
            yield inside.level, written
            yield from ((inside.level, word) for word in inside.words if command.utility == "eval")


# --- redirects -------------------------------------------------------------------------------------------------------


def _redirect(redirect: Redirect, node: Node) -> Iterator[Cause]:
    for substitution in redirect.inner if not isinstance(node, Command) else ():
        yield from causes(substitution.body)
    operator, target = redirect.operator, redirect.target
    if target is None or (operator.startswith("<") and operator != "<>"):
        if operator in ("<<", "<<-", "<<<", "<") and isinstance(node, Command) and _takes_program(node):
            yield "unknown", f"{node.utility} {operator}"
        return
    if operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", target.value or ""):
        return
    if any(isinstance(p, Substitution) for p in target.parts) and target.text.startswith(">("):
        return
    if HARMLESS_TARGETS.fullmatch(target.value or ""):
        return
    text = f"{redirect.descriptor}{operator} {target.text}"
    level = target_level(target, operator in (">>", "&>>"))
    if operator == ">|" or (operator in (">", "&>", ">&") and isinstance(node, Command) and _truncates(node, target)):
        level = "destroys"
    yield level, text


def _takes_program(command: Command) -> bool:
    target = _innermost(command)
    return target is not None and _reads_program(target)


def _truncates(command: Command, target: Word) -> bool:
    """`> f`, `: > f`, `cat /dev/null > f`, or a file that the same command reads: its content is gone."""
    words = command.words
    if not words or words[0].value in (":", "true"):
        return True
    if command.utility == "cat" and len(words) == 2 and words[1].value == "/dev/null":
        return True
    if command.utility in ("echo", "printf") and all((w.value or "x") in ("-n", "") for w in words[1:]):
        return command.utility == "printf" or len(words) > 1
    same = [w for w in words[1:] if w.text == target.text]
    return (bool(same) and command.utility not in ("echo", "printf")) or any(
        r.operator == "<" and r.target and r.target.text == target.text for r in command.redirects
    )
