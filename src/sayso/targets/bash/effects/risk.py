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
from sayso.targets.bash.effects.acts import acts, shell_texts
from sayso.targets.bash.effects.effects import effects
from sayso.targets.bash.effects.flags import ORDER, Cause, flag_names
from sayso.targets.bash.effects.open_words import open_words
from sayso.targets.bash.effects.shell_state import RUN_BY_NAME, bombs, called_functions, prompts, sets_by_name, settings
from sayso.targets.bash.effects.special import HARMLESS_TARGETS, target_level
from sayso.targets.bash.effects.vanishing import with_options
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Block,
    Command,
    Compound,
    Expansion,
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

# Characters that show a reader something else than what runs.
DECEIVES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n|$)")
NO_FILES = {"Regex", "Program", "Format", "Word", "Directory", "Marker", "Permission", "Number"}
HOLDS_A_NUMBER = re.compile(r"\$[#?$!]|\$\(\(.*\)\)", re.S)
UNREADABLE = Risk("unknown", ("does not parse",))
QUOTED_SUBSCRIPT = re.compile(r"'[^']*\[[^']*(\$\(|`)")


def risk_of(command: str) -> Risk:
    """The risk of a command; text that does not parse is unknown, never safe."""
    try:
        script = parse(command)
    except BadInstruction:
        return UNREADABLE
    return risk_in(script, command)


def risk_in(script: Script, command: str) -> Risk:
    """The same of the tree of a command."""
    called = called_functions(script)
    found = [cause for cause in causes(script) if cause[0] != "unknown" or cause[1] not in called]
    if DECEIVES.search(command):
        found.append(("unknown", "a hidden character"))
    for other in with_options(command, script):
        found += causes(parse(other))
    found += [*bombs(script), *settings(script)]
    if all(level == "reads" for level, _ in found):
        found += open_words(script, command)
    return weigh(found)


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
    if isinstance(node, Compound) and node.kind == "test" and not node.text.startswith("[["):
        yield from _single_bracket(node)
    elif isinstance(node, Compound) and node.kind == "test" and QUOTED_SUBSCRIPT.search(node.text):
        yield "unknown", "a subscript that is evaluated"
    if isinstance(node, Compound) and node.kind in ("for", "select") and sets_by_name(node.name):
        yield "unknown", node.name
    inner = [cause for child in children(node) for cause in causes(child)]
    yield from inner
    if isinstance(node, Compound) and node.kind == "for":
        # for d in /dev/sda; do echo x > "$d"; done
        uses = re.compile(rf"\${{?{re.escape(node.name)}\b")
        if any(level != "reads" and uses.search(word) for level, word in inner):
            yield from (("destroys", word.text) for word in node.words if target_level(word, False) == "destroys")


def _single_bracket(node: Compound) -> Iterator[Cause]:
    """`[ 10 > 5 ]` writes a file named 5: but for its name `[` is a command like any other."""
    try:
        yield from causes(parse("test" + node.text[1:].rstrip()[:-1]))
    except BadInstruction:
        yield "unknown", node.text


def _pipeline(node: Pipeline) -> Iterator[Cause]:
    """Text piped into a shell is run, whatever it is; a file that is read and written at once is emptied first."""
    for item in node.items[1:]:
        target = _innermost(item)
        if target and _reads_program(target):
            yield "unknown", f"| {target.utility}"
    read = {what for item in node.items if isinstance(item, Command) for what in _given(item)}
    for item in node.items:
        for redirect in item.redirects if isinstance(item, (Command, Block)) else ():
            if redirect.operator == ">" and redirect.target and _what(redirect.target) in read:
                yield "destroys", f"> {redirect.target.text}"


def _what(word: Word) -> str:
    """The same for `f` and `"f"`."""
    return word.value if word.value is not None else word.text


def _given(command: Command) -> Iterator[str]:
    """What may be files here among the arguments: no patterns, no folders, no text for another shell."""
    for argument in command.arguments:
        if isinstance(argument, Operand) and argument.type not in NO_FILES and argument.word.value not in (".", ".."):
            yield _what(argument.word)
        elif isinstance(argument, Inner):
            yield from _given(argument.command)
        elif isinstance(argument, Flag):
            kinds = (*argument.types, *[""] * len(argument.values))
            yield from (_what(w) for w, kind in zip(argument.values, kinds, strict=False) if kind in ("File", "Path"))
            if argument.inner:
                yield from _given(argument.inner)


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


def _command(command: Command, *, nested: bool = False) -> Iterator[Cause]:
    if not nested:  # an inner command's words are also the outer command's
        for substitution in substitutions(command):
            yield from causes(substitution.body)
    for redirect in command.redirects:
        yield from _redirect(redirect, command)
    yield from prompts(command)
    if command.name is None:
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
        if RUN_BY_NAME.match(assignment.name):
            yield "unknown", f"{assignment.name}="


def _inner(command: Command) -> Iterator[Cause]:
    """What xargs, -exec, sudo, `sh -c` and ssh run."""
    if command.utility == "command" and any(names & {"-v", "-V"} for _, names in flag_names(command)):
        return
    yield from _replaced(command)
    yield from _named_by_input(command)
    for argument in command.arguments:
        if isinstance(argument, Inner):
            yield from _command(argument.command, nested=True)
        elif isinstance(argument, InnerScript):
            yield from _text(argument.script, argument.words, argument.words[0].text)
        elif isinstance(argument, Flag):
            if argument.inner:
                yield from _command(argument.inner, nested=True)
            elif argument.types == ("Command",):
                yield "unknown", argument.name
            if argument.script or argument.types == ("Script",):
                yield from _text(argument.script, argument.values, argument.name)


def _text(script: Script | None, words: tuple[Word, ...], name: str) -> Iterator[Cause]:
    """Shell text for another shell, which reads what a variable holds as more of it."""
    if script is None:
        yield "unknown", name
        return
    yield from causes(script)
    for part in (part for word in words for part in word.parts):
        if isinstance(part, Expansion) and not HOLDS_A_NUMBER.fullmatch(part.text):
            yield "unknown", f"{part.text} in shell text"


def _replaced(command: Command) -> Iterator[Cause]:
    """`find -exec sh -c 'f {}'`: the names of files become shell text."""
    marks = ["{}"] if command.utility == "find" else []
    if command.utility == "xargs":
        marks = [flag.values[0].value or "{}" for flag, names in flag_names(command) if "-I" in names and flag.values]
        marks += ["{}" for flag, names in flag_names(command) if names & {"-i"} and not flag.values]
    if not marks:
        return
    for inner in _run_by(command):
        for argument in inner.arguments:
            given = argument.values if isinstance(argument, Flag) and argument.script else ()
            given = argument.words if isinstance(argument, InnerScript) and inner.utility != "parallel" else given
            for mark in marks:
                if any(mark in word.text for word in given):
                    yield "unknown", f"{mark} in shell text"


def _named_by_input(command: Command) -> Iterator[Cause]:
    """`xargs env`, `xargs git`: what is read names what is done."""
    if command.utility != "xargs":
        return
    for last in list(_run_by(command))[-1:]:
        known = find_utility(last.utility)
        runs = known is not None and any(kind.startswith("Command") for kind in known.operands)
        is_told = any(isinstance(one, Operand) for one in last.arguments) and not runs
        if runs or (last.utility in effects().tools and not is_told):
            yield "unknown", f"xargs {last.utility}"


def _run_by(command: Command) -> Iterator[Command]:
    for argument in command.arguments:
        inner = argument.command if isinstance(argument, Inner) else getattr(argument, "inner", None)
        if isinstance(inner, Command):
            yield inner
            yield from _run_by(inner)


def _carried(command: Command) -> Iterator[Cause]:
    """An alias, a trap or an eval is weighed as if its text ran."""
    for written, text in shell_texts(command):
        inside = risk_of(text) if text is not None else Risk("unknown")
        if inside.level != "reads":
            yield inside.level, written
            yield from ((inside.level, word) for word in inside.words if command.utility == "eval")


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
    return (_what(target) in set(_given(command)) and command.utility not in ("echo", "printf")) or any(
        r.operator == "<" and r.target and _what(r.target) == _what(target) for r in command.redirects
    )
