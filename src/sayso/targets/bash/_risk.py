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
from sayso.targets.bash._effects import effects
from sayso.targets.bash._knowledge import find_utility
from sayso.targets.bash._parse import parse
from sayso.targets.bash._programs import awk_effect, sed_effect
from sayso.targets.bash._tree import (
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

ORDER: dict[RiskLevel, int] = {"reads": 0, "writes": 1, "unknown": 2, "destroys": 3}
Cause = tuple[RiskLevel, str]

HARMLESS_TARGETS = re.compile(r"/dev/(null|zero|stdout|stderr|tty|full|fd/\d+|pts/\d+)|/proc/self/fd/\d+")
DEVICES = re.compile(r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|mapper/|disk|loop|md|dm-|mem|kmem|port|rdisk|sr|st)\w*.*")
SYSTEM = re.compile(r"/(etc|boot|bin|sbin|lib\w*|usr|sys|proc|System|Library)(/.*)?")
WHOLE = re.compile(
    r"/|/\*|~|~/|~/\*|\$HOME/?\*?|\.|\.\.|/(etc|boot|bin|sbin|lib\w*|usr|var|home|root|opt|dev|sys|proc)/?\*?"
)
SYSTEM_FOLDERS = re.compile(r"/(?:usr/)?(?:local/)?s?bin/[^/]+")
SHELL_STATE = {"alias", "set", "export", "declare", "typeset", "local", "readonly"}
WRAPPERS = {
    "sudo", "doas", "env", "nohup", "time", "nice", "ionice", "timeout", "stdbuf", "chronic", "xargs", "exec",
    "command", "builtin", "setsid", "caffeinate", "strace", "ltrace", "unbuffer", "chroot", "su", "watch", "ssh",
    "parallel", "gtime", "coproc", "flock", "taskset", "unshare", "runuser", "rlwrap", "entr", "find",
}  # fmt: skip
# Without a command of their own these open a shell or read commands from their input.
OPENS_A_SHELL = {"sudo", "doas", "su", "ssh", "chroot", "parallel", "flock", "runuser", "entr", "unshare", "coproc"}
AWK = {"awk", "gawk", "mawk", "nawk"}


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
    """Text piped into a shell or an interpreter is run; nothing says what it is."""
    for item in node.items[1:]:
        target = _innermost(item)
        if target and _reads_program(target):
            yield "unknown", f"| {target.utility}"


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
    yield from _own(command)


def _assignments(command: Command) -> Iterator[Cause]:
    for assignment in command.assignments:
        if assignment.name in ("LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "BASH_ENV", "ENV", "PAGER", "EDITOR"):
            yield "unknown", f"{assignment.name}="


def _inner(command: Command) -> Iterator[Cause]:
    """What xargs, -exec, sudo, `sh -c` and ssh run."""
    if command.utility == "command" and any(names & {"-v", "-V"} for _, names in _flag_names(command)):
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


def _own(command: Command) -> Iterator[Cause]:
    """The level of the utility itself, its flags and its operands."""
    name = command.utility
    known = effects()
    level = "destroys" if name.startswith("mkfs.") else known.level.get(name)
    if _is_local(command):
        yield "unknown", command.name.text if command.name else name
        return
    if _only_looks(command):
        return
    if name in known.subcommands:
        yield from _subcommand(command)
    elif name in known.shells or name in known.interpreters:
        if not any(isinstance(a, Flag) and a.script for a in command.arguments):
            yield "unknown", name
    elif name in WRAPPERS:
        yield from _wrapper(command)
    elif name in SPECIAL:
        yield from SPECIAL[name](command)
    elif level in ("writes", "destroys"):
        yield _level(level), name
        yield from _doubtful_paths(command) if level == "destroys" else _whole_system(command)
    elif level is None and name not in SHELL_STATE:
        yield "unknown", name
    yield from _flags(command)


def _is_local(command: Command) -> bool:
    """`./ls`, `~/bin/ls`: named like a utility, but it may be anything."""
    value = command.name.value if command.name else None
    return value is not None and "/" in value and not SYSTEM_FOLDERS.fullmatch(value)


def _only_asks_version(command: Command) -> bool:
    return len(command.words) == 2 and command.words[1].value in ("--version", "-V", "--help", "-h")


def _flag_names(command: Command) -> Iterator[tuple[Flag, set[str]]]:
    """Each flag with all names it goes by, abbreviations of long ones included."""
    utility = find_utility(command.utility)
    for argument in command.arguments:
        if isinstance(argument, Flag):
            entry = utility.flag(argument.name) if utility else None
            yield argument, {argument.name, *(entry.names if entry else ())}


def _flags(command: Command) -> Iterator[Cause]:
    levels = effects().flags.get(command.utility, {})
    for flag, names in _flag_names(command):
        for name in names & levels.keys():
            yield _level(levels[name]), flag.name
    if effects().level.get(command.utility) == "reads" and find_utility(command.utility):
        for flag, _ in _flag_names(command):
            if not flag.known:
                yield "unknown", flag.name


def _level(name: str) -> RiskLevel:
    return next(level for level in ORDER if level == name)


def _only_looks(command: Command) -> bool:
    looks = effects().looks.get(command.utility, frozenset())
    return _only_asks_version(command) or any(names & looks for _, names in _flag_names(command))


# --- utilities that ask for more than a table ------------------------------------------------------------------------


def _subcommand(command: Command) -> Iterator[Cause]:
    words = [w.value or "" for w in command.words[1:4]]
    plain = [w.value or "" for w in command.words[1:] if (w.value or "-")[0] != "-"]
    table = effects().subcommands[command.utility]
    tried = [" ".join(words[:2]), " ".join(plain[:2]), words[0] if words else "", plain[0] if plain else ""]
    tried += [f"{plain[0]} {w.value}" for w in command.words[2:] if w.value] if plain else []
    levels = [(_level(table[key]), key) for key in tried if key in table]
    if not levels:
        yield "unknown", " ".join([command.utility, *plain[:1]])
        return
    two = [found for found in levels if " " in found[1]]
    level, key = max(two or levels, key=lambda found: ORDER[found[0]])
    if level != "reads":
        yield level, f"{command.utility} {key}"


def _wrapper(command: Command) -> Iterator[Cause]:
    name = command.utility
    if name in ("sudo", "doas", "su", "chroot", "runuser"):
        yield "reads", name
    runs = any(
        isinstance(a, (Inner, InnerScript))
        or (isinstance(a, Flag) and (a.script or a.types[:1] in (("Script",), ("Command",))))
        for a in command.arguments
    )
    if not runs and name in (
        "sudo",
        "doas",
        "su",
        "ssh",
        "chroot",
        "parallel",
        "flock",
        "runuser",
        "entr",
        "unshare",
        "coproc",
    ):
        if not _only_asks_version(command) and not any(
            names & {"-l", "-v", "-k", "-V"} for _, names in _flag_names(command)
        ):
            yield "unknown", name
    elif not runs and find_utility(name) is None and len(command.words) > 1:
        yield "unknown", name
    if (name == "find" and runs) or (name == "find" and any(f.name == "-delete" for f, _ in _flag_names(command))):
        yield from _doubtful_paths(command)


def _files(command: Command) -> list[Word]:
    return [a.word for a in command.arguments if isinstance(a, Operand)]


def _doubtful_paths(command: Command) -> Iterator[Cause]:
    """`rm -rf $DIR/*`: an empty variable makes it another path; `/` and `~` speak for themselves."""
    for word in _files(command):
        first = word.parts[0] if word.parts else None
        if isinstance(first, Expansion) and not re.match(r"\$\{\w+:[?-]", first.text):
            yield "reads", f"{first.text} may be empty"
        if WHOLE.fullmatch(word.text) and (command.utility != "find" or word.text != "."):
            yield "reads", word.text


def _whole_system(command: Command) -> Iterator[Cause]:
    """`chmod -R 777 /`: changes without a way back."""
    recursive = any(names & {"-R", "-r", "--recursive"} for _, names in _flag_names(command))
    if command.utility in ("chmod", "chown", "chgrp", "chattr", "setfacl") and recursive:
        for word in _files(command)[1:]:
            if WHOLE.fullmatch(word.text) and word.text not in (".", ".."):
                yield "destroys", word.text
    if command.utility in ("cp", "mv", "tee", "install", "ln", "rsync"):
        for word in _files(command)[-1:]:
            if word.value and DEVICES.fullmatch(word.value):
                yield "destroys", word.text
    if command.utility == "mv":
        for word in _files(command):
            if word.value == "/dev/null" or (WHOLE.fullmatch(word.text) and word is not _files(command)[-1]):
                yield "destroys", word.text


def _sed(command: Command) -> Iterator[Cause]:
    for word in _programs(command, {"-e", "-f"}):
        if word is None or word.value is None:
            yield "unknown", "-f" if word is None else word.text
        elif (effect := _level(sed_effect(word.value))) != "reads":
            yield effect, word.text


def _awk(command: Command) -> Iterator[Cause]:
    for word in _programs(command, {"-e", "-f", "-E"}):
        if word is None:
            yield "unknown", "-f"
        elif (effect := _level(awk_effect(word.value if word.value is not None else word.text))) != "reads":
            yield effect, word.text


def _programs(command: Command, flags: set[str]) -> Iterator[Word | None]:
    """The program texts of sed and awk; None for one in a file."""
    given = [(names, flag) for flag, names in _flag_names(command) if names & flags]
    for names, flag in given:
        yield flag.values[0] if "-e" in names and flag.values else None
    if not given:
        yield from _files(command)[:1]


def _uniq(command: Command) -> Iterator[Cause]:
    if len(_files(command)) > 1:
        yield "writes", _files(command)[1].text


def _tar(command: Command) -> Iterator[Cause]:
    if _only_looks(command):
        return
    names = {name for _, names in _flag_names(command) for name in names}
    if names & {"-c", "-x", "-r", "-u", "-A"}:
        extracts_to_screen = "-O" in names and "-x" in names
        archive = next((f.values[0].value for f, n in _flag_names(command) if "-f" in n and f.values), "-")
        packs_to_screen = "-c" in names and archive == "-"
        if not extracts_to_screen and not packs_to_screen:
            yield "writes", "tar"
    else:
        yield "unknown", "tar"


def _dd(command: Command) -> Iterator[Cause]:
    for flag, _ in _flag_names(command):
        if flag.name == "of" and flag.values and not HARMLESS_TARGETS.fullmatch(flag.values[0].value or ""):
            yield "destroys", f"of={flag.values[0].text}"


def _curl(command: Command) -> Iterator[Cause]:
    for flag, names in _flag_names(command):
        method = flag.values[0].value if flag.values else None
        if names & {"-X", "--request"} and method not in ("GET", "HEAD"):
            yield ("destroys" if method == "DELETE" else "writes"), f"-X {method or '?'}"


def _wget(command: Command) -> Iterator[Cause]:
    if _only_looks(command):
        return
    for flag, names in _flag_names(command):
        if (
            names & {"-O", "--output-document"}
            and flag.values
            and flag.values[0].value in ("-", "/dev/null", "/dev/stdout")
        ):
            return
        if flag.name.startswith("-qO-") or flag.name == "-O-":
            return
    yield "writes", "wget"


def _crontab(command: Command) -> Iterator[Cause]:
    for word in _files(command):
        yield "destroys", f"crontab {word.text}"


def _alias(command: Command) -> Iterator[Cause]:
    """An alias is weighed as if it were used."""
    for word in _files(command):
        _, equals, value = (word.value or word.text).partition("=")
        if equals and value:
            if word.value is None:
                yield "unknown", word.text
                continue
            inside = risk_of(value)
            if inside.level != "reads":
                yield inside.level, word.text


def _trap(command: Command) -> Iterator[Cause]:
    """What a trap runs is weighed as if it ran."""
    for word in _files(command)[:1]:
        inside = risk_of(word.value) if word.value else Risk("unknown")
        if word.value not in ("", "-") and inside.level != "reads":
            yield inside.level, word.text


def _eval(command: Command) -> Iterator[Cause]:
    values = [w.value for w in command.words[1:]]
    if any(v is None for v in values):
        yield "unknown", "eval"
        return
    inside = risk_of(" ".join(v or "" for v in values))
    yield inside.level, "eval"
    yield from ((inside.level, word) for word in inside.words)


def _tee(command: Command) -> Iterator[Cause]:
    adds = any("-a" in names for _, names in _flag_names(command))
    for word in _files(command):
        if not HARMLESS_TARGETS.fullmatch(word.value or ""):
            yield _target_level(word, adds), word.text


def _setter(command: Command) -> Iterator[Cause]:
    """date, hostname, ifconfig, mount: with an operand that is no question they change the machine."""
    words = _files(command)
    name = command.utility
    if name == "date" and any(not w.lead.startswith("+") for w in words):
        yield "writes", words[0].text
    if name == "hostname" and words:
        yield "writes", words[0].text
    if name in ("ifconfig", "route", "arp") and len(words) > 1:
        yield "writes", " ".join([name, *(w.text for w in words)])
    if name in ("mount", "umount") and len(command.words) > 1 and not _only_asks_version(command):
        yield "writes", name


def _source(command: Command) -> Iterator[Cause]:
    yield "unknown", command.utility


SPECIAL = {
    "sed": _sed, "gsed": _sed, "uniq": _uniq, "tar": _tar, "gtar": _tar, "bsdtar": _tar, "dd": _dd, "curl": _curl,
    "wget": _wget, "crontab": _crontab, "alias": _alias, "eval": _eval, "trap": _trap, "tee": _tee, "date": _setter,
    "hostname": _setter, "ifconfig": _setter, "route": _setter, "arp": _setter, "mount": _setter, "umount": _setter,
    "source": _source, ".": _source, **dict.fromkeys(AWK, _awk),
}  # fmt: skip


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
    level = _target_level(target, operator in (">>", "&>>"))
    if operator == ">|" or (operator in (">", "&>", ">&") and isinstance(node, Command) and _truncates(node, target)):
        level = "destroys"
    yield level, text


def _takes_program(command: Command) -> bool:
    target = _innermost(command)
    return target is not None and _reads_program(target)


def _target_level(target: Word, adds: bool) -> RiskLevel:
    value = target.value or ""
    if DEVICES.fullmatch(value) or (SYSTEM.fullmatch(value) and not adds):
        return "destroys"
    return "writes"


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
