"""What one utility does to the machine: the tables of `data/effects.toml`, its flags, and what it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.effects.effects import ReadingMode, effects
from sayso.targets.bash.effects.flags import Cause, flag_causes, flag_names, level_of, unknown_flags
from sayso.targets.bash.effects.shell_state import RUN_BY_NAME
from sayso.targets.bash.effects.special import DEVICES, SPECIAL, files, named
from sayso.targets.bash.effects.subcommands import subcommand
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.parser import reread
from sayso.targets.bash.syntax.quote import has_braces
from sayso.targets.bash.syntax.tree import Command, Expansion, Flag, Inner, InnerScript, Literal, Word

WHOLE = re.compile(
    r"/|/\*|~|~/|~/\*|\$HOME/?\*?|\.|\.\.|/(etc|boot|bin|sbin|lib\w*|usr|var|home|root|opt|dev|sys|proc)/?\*?"
)
SYSTEM_FOLDERS = re.compile(r"/(?:usr/)?(?:local/)?s?bin/[^/]+")
PYTHON = re.compile(r"python[23]?(\.\d+)?")
SHELL_STATE = {"set", "export", "declare", "typeset", "local", "readonly"}
RIGHTS = {"chmod", "chown", "chgrp", "chattr", "setfacl"}
CARRY_TEXT = {"alias", "trap", "eval"}
WRAPPERS = {
    "sudo", "doas", "env", "nohup", "time", "nice", "ionice", "timeout", "stdbuf", "chronic", "xargs", "exec",
    "command", "builtin", "setsid", "caffeinate", "strace", "ltrace", "unbuffer", "chroot", "su", "watch", "ssh",
    "parallel", "gtime", "coproc", "flock", "taskset", "unshare", "runuser", "rlwrap", "entr", "find",
}  # fmt: skip
# Without a command of their own these open a shell or read commands from their input, and what they are asked instead.
OPENS_A_SHELL = {"sudo", "doas", "su", "ssh", "chroot", "parallel", "flock", "runuser", "entr", "unshare", "coproc"}
ASKED_INSTEAD = {"sudo": {"-l", "-v", "-k", "-K", "-V", "-n", "-U"}, "ssh": {"-V", "-Q"}, "parallel": {"--citation"}}
# What these run is found under another root, where any name may be any program.
OTHER_ROOT = {"chroot", "unshare", "nsenter"}
SETS_VARIABLES = {"env", "sudo", "doas"}
# Where -h and -V are no questions: `shutdown -h`, `bash -h`.
ONLY_LONG_QUESTIONS = {"shutdown", "halt", "reboot", "poweroff", "init", "telinit", "vi", "vim"}
# Built-ins that evaluate a word as a variable's name with a subscript, in which substitutions run.
EVALUATES = {
    "let", "test", "[", "unset", "read", "printf", "declare", "typeset", "local", "export", "readonly", "mapfile",
    "readarray", "getopts", "wait",
}  # fmt: skip
SUBSCRIPT = re.compile(r"\[.*(\$\(|`|\$\{)", re.S)


def acts(command: Command) -> Iterator[Cause]:
    """The level of the utility itself, its flags and its operands."""
    name = command.utility
    known = effects()
    if _is_local(command):
        yield "unknown", command.name.text if command.name else name
        return
    yield from unknown_flags(command)
    yield from _hidden_flags(command)
    if _only_looks(command):
        yield from flag_causes(command, looking=True)
        return
    level = "destroys" if name.startswith("mkfs.") else known.level.get(name)
    if name in known.tools:
        yield from subcommand(command)
    elif name in known.modes:
        if not any(names & known.flags[name].keys() for _, names in flag_names(command)):
            yield "unknown", name
    elif PYTHON.fullmatch(name) and [word.value for word in command.words[1:3]] == ["-m", "pip"]:
        words = command.words[2:]
        yield from acts(Command(words[0].start, command.end, words[0], "pip", words, reread(words)))
    elif name in known.shells or name in known.interpreters:
        if not any(isinstance(a, Flag) and a.script for a in command.arguments):
            yield "unknown", name
    elif name in WRAPPERS:
        yield from _wrapper(command)
        yield from _whole_system(command)
    elif name in SPECIAL:
        yield from SPECIAL[name](command)
    elif level in ("writes", "destroys"):
        yield level_of(level), name
        yield from doubtful_paths(command) if level == "destroys" else _whole_system(command)
    elif level is None and name not in SHELL_STATE and name not in CARRY_TEXT:
        yield "unknown", name
    yield from flag_causes(command)
    if name in EVALUATES:
        yield from (("unknown", w.text) for w in command.words[1:] if SUBSCRIPT.search(w.value or ""))


def _is_local(command: Command) -> bool:
    """`./ls`, `~/bin/ls`: named like a utility, but it may be anything."""
    value = command.name.value if command.name else None
    return value is not None and "/" in value and not SYSTEM_FOLDERS.fullmatch(value)


def _only_looks(command: Command) -> bool:
    looks = effects().looks.get(command.utility, frozenset())
    return (
        _only_asks_version(command)
        or any(names & looks for _, names in flag_names(command))
        or any(_is_in(mode, command) for mode in effects().reading.get(command.utility, ()))
    )


def _is_in(mode: ReadingMode, command: Command) -> bool:
    """Whether this mode is chosen, and nothing else that may be one: of two modes none is sure to win."""
    given = list(flag_names(command))
    levels = effects().flags.get(command.utility, {})
    quiet = mode.flags | mode.beside

    def leaves_it(flag: Flag, names: set[str]) -> bool:
        level = levels.get(flag.name, "reads")
        # A name of its own level is not excused by a shorter one: rpm's -i asks beside -q, --install never does.
        return flag.name in quiet or (level == "reads" and bool(names & quiet)) or level in ("anyway", "unknown")

    return any(names & mode.flags for _, names in given) and all(leaves_it(*one) for one in given)


def _only_asks_version(command: Command) -> bool:
    """A question, put to a program that is known to answer it."""
    known = effects()
    name = command.utility
    if name in known.shells or name in ONLY_LONG_QUESTIONS:
        questions = {"--version", "--help"}
    elif name in known.level or name in known.interpreters or name in known.anything or find_utility(name):
        questions = {"--version", "--help", "-V", "-h"}
    else:
        return False
    return len(command.words) == 2 and command.words[1].value in questions


def _hidden_flags(command: Command) -> Iterator[Cause]:
    """`find . -{delete,print}`, `find {,.}-delete`: braces become several words, and one of them may be a flag."""
    for word in command.words[1:]:
        if "{" not in word.text or command.utility in ("echo", "printf"):
            continue
        text = "".join(part.text for part in word.parts if isinstance(part, Literal))
        lead = text.partition("{")[0]
        hides = re.search(r"[{,]-|(?:\{,|,,)[^}]*\}-|,\}-", text) if not lead else lead[0] == "-" and "=" not in lead
        if hides and has_braces(word):
            yield "unknown", word.text


def _wrapper(command: Command) -> Iterator[Cause]:
    name = command.utility
    if name in ("sudo", "doas", "su", "chroot", "runuser"):
        yield "reads", name
    runs = any(
        isinstance(a, (Inner, InnerScript))
        or (isinstance(a, Flag) and (a.script or a.types[:1] in (("Script",), ("Command",))))
        for a in command.arguments
    )
    if not runs and name in OPENS_A_SHELL:
        asked = ASKED_INSTEAD.get(name, set())
        given = [names for _, names in flag_names(command)]
        if not given or not all(names & asked for names in given):
            yield "unknown", name
    elif not runs and find_utility(name) is None and len(command.words) > 1:
        yield "unknown", name
    if name in OTHER_ROOT:
        yield "unknown", name
    if name in PARTICULAR:
        yield from PARTICULAR[name](command)
    if name in SETS_VARIABLES:
        yield from (("unknown", word.text) for word in files(command) if RUN_BY_NAME.match(word.lead))
    if name == "find" and (runs or any(flag.name == "-delete" for flag, _ in flag_names(command))):
        yield from doubtful_paths(command)


def _xargs(command: Command) -> Iterator[Cause]:
    """What stands for the input must not be the name of what runs."""
    inner = next((a.command for a in command.arguments if isinstance(a, Inner)), None)
    for flag, names in flag_names(command):
        mark = flag.values[0].value if flag.values else None
        if names & {"-I", "-J", "-i"} and mark and inner and mark in inner.utility:
            yield "unknown", f"{mark} as a command"


def _parallel(command: Command) -> Iterator[Cause]:
    for word in command.words[1:]:
        if "{=" in word.text:
            yield "unknown", "{= … =} runs Perl"


def _trace(command: Command) -> Iterator[Cause]:
    for flag, names in flag_names(command):
        if "-o" in names and flag.values and (flag.values[0].value or "|")[:1] in ("|", "!"):
            yield "unknown", f"-o {flag.values[0].text}"


def _ssh(command: Command) -> Iterator[Cause]:
    for flag, _ in flag_names(command):
        if flag.name in ("-F", "-I", "-w"):
            yield "unknown", flag.name
        elif flag.name == "-E":
            yield "writes", flag.name


def _nohup(command: Command) -> Iterator[Cause]:
    if len(command.words) > 1 and not any(r.operator in (">", ">>", "&>", "&>>", ">&") for r in command.redirects):
        yield "writes", "nohup.out"


def _flock(command: Command) -> Iterator[Cause]:
    yield "writes", "flock"


def _exec(command: Command) -> Iterator[Cause]:
    """`exec < f`: the shell goes on with what stands in f."""
    if len(command.words) == 1:
        for redirect in command.redirects:
            if redirect.operator.startswith("<") and redirect.descriptor in ("", "0") and redirect.operator != "<&":
                yield "unknown", "exec <"


PARTICULAR = {
    "xargs": _xargs, "parallel": _parallel, "strace": _trace, "ltrace": _trace, "ssh": _ssh, "nohup": _nohup,
    "flock": _flock, "exec": _exec,
}  # fmt: skip


def doubtful_paths(command: Command) -> Iterator[Cause]:
    """`rm -rf $DIR/*`: an empty variable makes it another path; `/` and `~` speak for themselves."""
    for word in files(command):
        first = word.parts[0] if word.parts else None
        if isinstance(first, Expansion) and not re.match(r"\$\{\w+:[?-]", first.text):
            yield "reads", f"{first.text} may be empty"
        if _is_whole(word) and (command.utility != "find" or word.text != "."):
            yield "reads", word.text


def _is_whole(word: Word) -> bool:
    """`/`, also as `//`, `"/"` or `/./`; a home, a system folder."""
    plain = re.sub(r"/(\.?/)+", "/", word.value if word.value is not None else word.text.replace('"', ""))
    return WHOLE.fullmatch(word.text) is not None or WHOLE.fullmatch(plain) is not None


def _whole_system(command: Command) -> Iterator[Cause]:
    """`chmod -R 777 /`, `find / -exec chown x {} +`: changes without a way back."""
    words = files(command)
    reached = words[1:] if command.utility in RIGHTS and named(command) & {"-R", "--recursive"} else []
    if command.utility == "find" and any(inner.utility in RIGHTS for inner in _runs(command)):
        reached = words
    for word in reached:
        if _is_whole(word) and word.text not in (".", ".."):
            yield "destroys", word.text
    if command.utility in ("cp", "mv", "tee", "install", "ln", "rsync"):
        for word in words[-1:]:
            if word.value and DEVICES.fullmatch(word.value):
                yield "destroys", word.text
    if command.utility == "mv":
        for word in words:
            if word.value == "/dev/null" or (_is_whole(word) and word is not words[-1]):
                yield "destroys", word.text


def _runs(command: Command) -> Iterator[Command]:
    """What it runs, and what that runs: `find -exec sudo chown`."""
    inner = [argument.command for argument in command.arguments if isinstance(argument, Inner)]
    inner += [argument.inner for argument in command.arguments if isinstance(argument, Flag) and argument.inner]
    for one in inner:
        yield one
        yield from _runs(one)


def shell_texts(command: Command) -> Iterator[tuple[str, str | None]]:
    """Shell text that alias, trap and eval carry, as written and as a shell would read it; None where it expands."""
    words = files(command)
    if command.utility == "alias":
        for word in words:
            _, equals, value = (word.value or word.text).partition("=")
            if equals and value:
                yield word.text, value if word.value is not None else None
    elif command.utility == "trap" and words and words[0].value not in ("", "-"):
        yield words[0].text, words[0].value
    elif command.utility == "eval":
        values = [word.value for word in command.words[1:]]
        yield "eval", None if None in values else " ".join(value or "" for value in values)
