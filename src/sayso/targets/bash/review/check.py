"""What a reader would point at: unknown utilities and flags, missing values, values of a wrong type, open brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache

from sayso.core.errors import BadInstruction
from sayso.core.types import Finding
from sayso.targets.bash.effects.effects import effects, tools
from sayso.targets.bash.forms.find import read_expression
from sayso.targets.bash.knowledge.utilities import Find, Utility, find_subcommand, find_utility, utility_names
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import (
    Argument,
    Chain,
    Command,
    Compound,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Node,
    Operand,
    Operator,
    Pipeline,
    Script,
    Word,
    children,
    commands,
    inner_commands,
    scripts_in,
)
from sayso.targets.bash.syntax.types import MODE
from sayso.targets.bash.syntax.utility import entry_at

NUMBER = re.compile(r"[-+]?\d+")
# What a literal value must look like. Only types whose every form is known stand here.
FORMS: dict[str, dict[str, re.Pattern[str]]] = {
    "find": {
        "Number": NUMBER,
        "Timespan": re.compile(r"[-+]?\d+(\.\d+)?"),
        "Size": re.compile(r"[-+]?\d+[bcwkMG]?"),
        "Type": re.compile(r"[bcdpflsD](,[bcdpflsD])*"),
        "Permission": re.compile(rf"[-/+]?({MODE.pattern}|[0-7]{{1,5}})"),
    },
    "cut": {"Fields": re.compile(r"[\d,\s-]+")},
    "head": {"Number": re.compile(r"-?\d+(b|[kKmMGTPEZY]i?B?)?")},
    "tail": {"Number": re.compile(r"[-+]?\d+(b|[kKmMGTPEZY]i?B?)?")},
    "xargs": {"Number": re.compile(r"\d+")},
    "grep": {"Number": NUMBER},
    "chmod": {"Permission": re.compile(rf"{MODE.pattern}|[0-7]{{1,5}}")},
    "mkdir": {"Permission": re.compile(rf"{MODE.pattern}|[0-7]{{1,5}}")},
    "fold": {"Number": re.compile(r"\d+")},
    "uniq": {"Number": re.compile(r"\d+")},
}


# Utilities that read their input where they are given one word, unless they have one of these flags.
NEEDS_INPUT = {
    "grep": frozenset(
        (
            "-r",
            "-R",
            "-e",
            "-f",
            "-V",
            "--recursive",
            "--dereference-recursive",
            "--regexp",
            "--file",
            "--version",
            "--help",
        )
    ),
    "jq": frozenset(("-n", "-f", "--null-input", "--from-file", "--help", "--version")),
}


# Utilities that read their input where no file stands behind so many words; whoever types such a line waits for ever.
READS_INPUT = {
    **dict.fromkeys(
        ("sort", "uniq", "wc", "cat", "head", "tail", "tac", "rev", "nl", "cut", "fold", "paste", "column"), 0
    ),
    **{"tr": 2, "sed": 1, "base64": 0, "md5sum": 0, "sha256sum": 0},
}
READ_ELSEWHERE = frozenset(("--help", "--version", "--files0-from"))
# Those that read their input whatever words stand behind them, and the flags that name a file instead.
ALWAYS_READS = {
    "xargs": frozenset(("-a", "--arg-file", "--help", "--version")),
    "tee": frozenset(("--help", "--version")),
}
PROGRAM_BY_FLAG = frozenset(("-e", "-f", "--expression", "--file"))


# What is the same after the second time as after the first.
SETTLED = frozenset(("touch", "mkdir", "chmod", "chown", "ln", "rm", "rmdir", "cp", "mv"))

# A name that is hardly a folder's: conf.d is one.
FILE_NAME = re.compile(r"[^/*?]*[^/*?\s]\.(?!d$)[A-Za-z]\w{0,4}")
# What find does with what it finds; what it only shows, or stays out of, is often meant for the last alone.
SHOWS = frozenset(("-print", "-ls", "-prune", "-quit"))
DOES = SHOWS | {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-print0", "-printf", "-fprint", "-fprintf", "-fls"}


def findings(command: str, find: Find = find_utility) -> list[Finding]:
    """Everything found, in the order in which it stands; text that does not parse is one finding."""
    try:
        script = parse(command, find)
    except BadInstruction as error:
        return [unreadable(error, command)]
    return findings_in(script, find)


def unreadable(error: BadInstruction, command: str) -> Finding:
    return Finding(error.message, error.offset, min(len(command), error.offset + 1))


def findings_in(script: Script, find: Find = find_utility) -> list[Finding]:
    """The same of a tree."""
    defined = {node.name for node in functions_in(script)}
    fed = {id(inner) for outer in commands(script) for inner in _fed(outer)}
    found = [finding for item in commands(script) for finding in _command(item, defined, id(item) in fed, find)]
    found += [finding for item in script.items for finding in _waits(item)]
    found += [finding for loop in compounds_in(script, "for") for finding in _same_again(loop)]
    return sorted(found, key=lambda finding: (finding.start, finding.end))


def _waits(node: Node) -> Iterator[Finding]:
    """`grep x` and `jq .a` as the first command of a line: nothing is sent into them, and no file is named."""
    if isinstance(node, (Chain, Pipeline)):
        for item in node.items if isinstance(node, Chain) else node.items[:1]:
            yield from _waits(item)
        return
    if not isinstance(node, Command) or not node.name:
        return
    if node.utility in READS_INPUT and not node.redirects:
        yield from _reads_nothing(node, node.name)
    flags = {argument.name for argument in node.arguments if isinstance(argument, Flag)}
    is_sent = any(redirect.operator.startswith("<") for redirect in node.redirects)
    if node.utility in ALWAYS_READS and not is_sent and flags.isdisjoint(ALWAYS_READS[node.utility]):
        yield Finding(f"{node.utility} waits for input: nothing is piped into it", node.name.start, node.name.end)
    if node.utility not in NEEDS_INPUT:
        return
    words = [argument.word for argument in node.arguments if isinstance(argument, Operand)]
    if len(words) == 1 and words[0].value is not None and not is_sent and flags.isdisjoint(NEEDS_INPUT[node.utility]):
        text = f"{node.utility} waits for input: no file is named"
        yield Finding(text, node.name.start, node.name.end, fatal=True)


def _reads_nothing(command: Command, name: Word) -> Iterator[Finding]:
    """`sort` alone: right for who types the lines, and else a line that never ends."""
    words = [argument for argument in command.arguments if not isinstance(argument, Flag)]
    flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
    most = READS_INPUT[command.utility]
    if command.utility == "sed" and flags & PROGRAM_BY_FLAG:
        most = 0
    if len(words) <= most and flags.isdisjoint(READ_ELSEWHERE):
        yield Finding(f"{command.utility} waits for input: no file is named", name.start, name.end)


def functions_in(node: Node | Script) -> Iterator[Compound]:
    """Functions that it defines."""
    return compounds_in(node, "function")


def compounds_in(node: Node | Script, kind: str) -> Iterator[Compound]:
    if isinstance(node, Compound) and node.kind == kind:
        yield node
    for child in children(node):
        yield from compounds_in(child, kind)


def _same_again(loop: Compound) -> Iterator[Finding]:
    """`for i in 1 2 3; do mkdir a; done`: what is there after the first time is there, so the others do nothing."""
    body = " ".join(loop.text[one.start - loop.start : one.end - loop.start] for one in loop.bodies)
    does = {command.utility for one in loop.bodies for command in commands(one)}
    if does and does <= SETTLED and not re.search(rf"\$\{{?[#!]?{re.escape(loop.name)}\b", body):
        yield Finding(f"every round does the same: nothing in the loop says ${loop.name}", loop.start, loop.end)


def _fed(command: Command) -> Iterator[Command]:
    """Commands that get more arguments than are written: those of xargs and parallel."""
    for inner in inner_commands(command):
        if isinstance(inner, Command):
            if command.utility in ("xargs", "parallel"):
                yield inner
            yield from _fed(inner)


def _command(command: Command, defined: set[str], is_fed: bool, find: Find) -> Iterator[Finding]:
    if command.name is None or not command.utility:
        return
    utility = find(command.utility)
    if utility is None:
        yield from _unknown_utility(command, defined)
        return
    before: Argument | None = None
    for argument in command.arguments:
        before, after_unknown = argument, isinstance(before, Flag) and not before.known
        if isinstance(argument, Flag):
            if entry := entry_at(command, argument.start, find):
                yield from _flag(argument, entry)
        elif isinstance(argument, Operand) and argument.type == "Stray":
            if after_unknown or argument.word.value is None:  # most likely its value, or what cannot be known
                continue
            yield Finding(
                f"find takes paths before its tests: {argument.word.text}", argument.word.start, argument.word.end
            )
        elif isinstance(argument, Operand):
            yield from _form(argument.word, argument.type, utility, "")
    if utility.syntax == "find":
        yield from _brackets(command)
        yield from _acts_on_the_last(command)
    elif utility.syntax == "subcommands":
        yield from _subcommand(command, utility, find)
    elif not is_fed:
        yield from _operands(command, utility)
    if utility.name in ("mv", "cp"):
        yield from _misplaced(command)
    elif utility.name == "date":
        yield from _torn_date(command)


def _unknown_utility(command: Command, defined: set[str]) -> Iterator[Finding]:
    name, word = command.utility, command.name
    if word is None or name in _rated() or name in defined or "/" in (word.value or ""):
        return
    start = set(name[:2])
    alike = [other for n in range(-2, 3) for other in _by_length().get(len(name) + n, ()) if start & set(other[:2])]
    near = get_close_matches(name, sorted(alike), n=1, cutoff=0.75)
    guess = f"; did you mean {near[0]}?" if near else ""
    yield Finding(f"unknown utility {name}{guess}", word.start, word.end, known=False)


@cache
def _rated() -> frozenset[str]:
    """Utilities whose effect is known, or is known to be anything."""
    known = effects()
    return frozenset({*known.level, *known.anything, *known.shells, *known.interpreters, *known.modes, *known.tools})


@cache
def _by_length() -> Mapping[int, list[str]]:
    """The names that a mistyped one may have meant, by how long they are."""
    found: dict[int, list[str]] = {}
    for name in {*utility_names(), *_rated()}:
        if " " not in name:
            found.setdefault(len(name), []).append(name)
    return found


def _subcommand(command: Command, utility: Utility, find: Find) -> Iterator[Finding]:
    """A sub-command that is not known but looks like one that is; anything else may be the user's own."""
    words = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    if not words or not words[0].value or find_subcommand(utility.name, [w.value or "" for w in words], find):
        return
    word = words[0]
    rated = tools().get(utility.name)
    if rated and any(path.split()[0] == word.value for path in rated.levels):
        return
    known = [name.removeprefix(utility.name + " ") for name in utility_names() if name.startswith(utility.name + " ")]
    if near := get_close_matches(words[0].value, known, n=1, cutoff=0.75):
        message = f"{utility.name} has no sub-command {word.value} that is known here; did you mean {near[0]}?"
        yield Finding(message, word.start, word.end)


def _flag(flag: Flag, utility: Utility) -> Iterator[Finding]:
    entry = utility.flag(flag.name)
    if not flag.known:
        near = get_close_matches(flag.name, utility.index, n=1, cutoff=0.7)
        guess = f"; did you mean {near[0]}?" if near else ""
        if flag.name in utility.index:
            guess = " after its paths"
        yield Finding(f"{utility.name} has no flag {flag.name}{guess}", flag.start, flag.end)
        return
    if entry and "gnu" not in entry.dialects and flag.style != "bare":
        where = " and ".join(entry.dialects)
        yield Finding(f"{flag.name} is a flag of {utility.name} on {where}, not on GNU systems", flag.start, flag.end)
    if flag.name in ("-exec", "-execdir", "-ok", "-okdir"):
        if not flag.inner:
            yield Finding(f"{flag.name} needs a command", flag.start, flag.end)
        elif not flag.closer:
            yield Finding(f"{flag.name} is not closed by \\; or {{}} +", flag.start, flag.end)
    elif entry and not entry.optional and len(flag.values) < len(entry.arguments):
        yield Finding(f"{flag.name} needs a value: {entry.arguments[len(flag.values)]}", flag.start, flag.end)
    for word, kind in zip(flag.values, flag.types, strict=False):
        yield from _form(word, kind, utility, flag.name)


def _form(word: Word, kind: str, utility: Utility, flag: str) -> Iterator[Finding]:
    form = FORMS.get(utility.name, {}).get(kind)
    if form is None or word.value is None or word.value == "{}" or not _is_literal(word):
        return
    if not form.fullmatch(word.value):
        where = f" of {flag}" if flag else ""
        yield Finding(f"{word.text}{where} is no {kind} that {utility.name} understands", word.start, word.end)


def _is_literal(word: Word) -> bool:
    """No pattern, brace or stand-in such as NUM that could be something else."""
    if word.value and re.fullmatch(r"[A-Z_]{2,}", word.value):
        return False
    return not any(isinstance(part, Literal) and re.search(r"[*?\[{<]", part.text) for part in word.parts)


def _brackets(command: Command) -> Iterator[Finding]:
    rest = [a for a in command.arguments if not isinstance(a, Operand)]
    options = [a for a in rest if isinstance(a, Flag) and a.name in ("-H", "-L", "-P")]
    expression = [a for a in rest if a not in options]
    if expression and read_expression(expression) is None:
        at = next((a for a in expression if isinstance(a, Operator)), expression[0])
        start, end = (at.start, at.end) if isinstance(at, (Operator, Flag)) else (command.start, command.end)
        yield Finding("the brackets and operators of find's expression do not fit together", start, end)


def _acts_on_the_last(command: Command) -> Iterator[Finding]:
    """What is done binds closer than -o: of `find . -name a -o -name b -delete` only b is deleted."""
    depth, behind = 0, False
    for argument in command.arguments:
        if isinstance(argument, Operator):
            depth += {"(": 1, "\\(": 1, ")": -1, "\\)": -1}.get(argument.text, 0)
            behind = behind or (not depth and argument.text in ("-o", "-or"))
        elif isinstance(argument, Flag) and argument.name in DOES:
            if behind and not depth and argument.name not in SHOWS:
                text = f"{argument.name} is done only for what stands behind the last -o, unless brackets hold the rest"
                yield Finding(text, argument.start, argument.end)
            return


def _operands(command: Command, utility: Utility) -> Iterator[Finding]:
    """Fewer operands than the synopsis asks for, where nothing that is written could expand to more."""
    if any(isinstance(a, (Inner, InnerScript)) for a in command.arguments):
        return
    names = {name for a in command.arguments if isinstance(a, Flag) for name in _names(a, utility)}
    if names & {"--help", "--version", "-V", "-t", "--target-directory", "-l", "-L", "-p"}:
        return
    instead = any(e.instead for n in names if (e := utility.index.get(n)))
    spec = utility.operands[1 if instead else 0 :]
    fixed = [kind for kind in spec if not kind.endswith(("?", "…"))]
    # `Path… Path` asks for two: what repeats before something else stands there at least once.
    needed = [spec[0].rstrip("…"), *fixed] if fixed and spec[0].endswith("…") else fixed
    words = [a.word for a in command.arguments if isinstance(a, Operand)]
    if any(word.value is None or next(scripts_in(word), None) or not _is_literal(word) for word in words):
        return
    if len(words) < len(needed) and command.name:
        missing = needed[len(words)]
        text = f"{utility.name} needs one more argument: {missing}"
        yield Finding(text, command.name.start, command.name.end, fatal=utility.name in ("mv", "cp"))


def _misplaced(command: Command) -> Iterator[Finding]:
    """mv a a; cp a.txt b.txt c.txt, where c.txt is hardly a folder."""
    flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
    words = [argument.word for argument in command.arguments if isinstance(argument, Operand)]
    if len(words) < 2 or flags & {"-t", "--target-directory"}:
        return
    last = words[-1]
    if not last.value or not _is_literal(last):
        return
    if any(word.value == last.value for word in words[:-1]):
        text = f"{command.utility} has {last.text} as what to take and as where to put it"
        yield Finding(text, last.start, last.end, fatal=True)
    elif command.utility == "mv" and any(word.value.rstrip("/") in (".", "..") for word in words[:-1] if word.value):
        yield Finding("mv cannot move the folder that it is in", last.start, last.end, fatal=True)
    elif len(words) > 2 and FILE_NAME.fullmatch(last.value):
        yield Finding(f"{command.utility} puts several files into {last.text}", last.start, last.end, fatal=True)


def _torn_date(command: Command) -> Iterator[Finding]:
    """date -d last monday: the flag takes one word only."""
    flags = {argument.name for argument in command.arguments if isinstance(argument, Flag)}
    for argument in command.arguments if flags & {"-d", "--date"} else ():
        if isinstance(argument, Operand) and argument.word.value and argument.word.value[0] != "+":
            word = argument.word
            yield Finding(
                f"date takes one word as its date: {word.text} is left over", word.start, word.end, fatal=True
            )


def _names(flag: Flag, utility: Utility) -> tuple[str, ...]:
    entry = utility.flag(flag.name)
    return entry.names if entry else (flag.name,)
