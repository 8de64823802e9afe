"""What one utility does to the machine: the tables of `data/effects.toml`, its flags, and the few that ask for more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.types import RiskLevel
from sayso.targets.bash._effects import effects
from sayso.targets.bash._knowledge import find_utility
from sayso.targets.bash._programs import awk_effect, sed_effect
from sayso.targets.bash._tree import Command, Expansion, Flag, Inner, InnerScript, Operand, Word

ORDER: dict[RiskLevel, int] = {"reads": 0, "writes": 1, "unknown": 2, "destroys": 3}
Cause = tuple[RiskLevel, str]

HARMLESS_TARGETS = re.compile(r"/dev/(null|zero|stdout|stderr|tty|full|fd/\d+|pts/\d+)|/proc/self/fd/\d+")
DEVICES = re.compile(r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|mapper/|disk|loop|md|dm-|mem|kmem|port|rdisk|sr|st)\w*.*")
SYSTEM = re.compile(r"/(etc|boot|bin|sbin|lib\w*|usr|sys|proc|System|Library)(/.*)?")
WHOLE = re.compile(
    r"/|/\*|~|~/|~/\*|\$HOME/?\*?|\.|\.\.|/(etc|boot|bin|sbin|lib\w*|usr|var|home|root|opt|dev|sys|proc)/?\*?"
)
SYSTEM_FOLDERS = re.compile(r"/(?:usr/)?(?:local/)?s?bin/[^/]+")
SHELL_STATE = {"set", "export", "declare", "typeset", "local", "readonly"}
CARRY_TEXT = {"alias", "trap", "eval"}
WRAPPERS = {
    "sudo", "doas", "env", "nohup", "time", "nice", "ionice", "timeout", "stdbuf", "chronic", "xargs", "exec",
    "command", "builtin", "setsid", "caffeinate", "strace", "ltrace", "unbuffer", "chroot", "su", "watch", "ssh",
    "parallel", "gtime", "coproc", "flock", "taskset", "unshare", "runuser", "rlwrap", "entr", "find",
}  # fmt: skip
# Without a command of their own these open a shell or read commands from their input.
OPENS_A_SHELL = {"sudo", "doas", "su", "ssh", "chroot", "parallel", "flock", "runuser", "entr", "unshare", "coproc"}
# Flags whose value is run, or may be, unless it begins like HARMLESS_VALUE.
RUNS_VALUE = {"rsync": {"-e", "--rsh", "--rsync-path"}, "ssh": {"-o"}, "scp": {"-o"}, "rename": {"-e", "-E"}}
HARMLESS_VALUE = re.compile(r"(ssh|rsync|sudo rsync)\b(?!.*Command)|(?!\w*Command)[A-Z]\w+[= ]|s/")
AWK = {"awk", "gawk", "mawk", "nawk"}


def acts(command: Command) -> Iterator[Cause]:
    """The level of the utility itself, its flags and its operands."""
    name = command.utility
    known = effects()
    level = "destroys" if name.startswith("mkfs.") else known.level.get(name)
    if _is_local(command):
        yield "unknown", command.name.text if command.name else name
        return
    yield from _unknown_flags(command)
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
        yield level_of(level), name
        yield from _doubtful_paths(command) if level == "destroys" else _whole_system(command)
    elif level is None and name not in SHELL_STATE and name not in CARRY_TEXT:
        yield "unknown", name
    yield from _flags(command)


def _is_local(command: Command) -> bool:
    """`./ls`, `~/bin/ls`: named like a utility, but it may be anything."""
    value = command.name.value if command.name else None
    return value is not None and "/" in value and not SYSTEM_FOLDERS.fullmatch(value)


def _only_asks_version(command: Command) -> bool:
    return len(command.words) == 2 and command.words[1].value in ("--version", "-V", "--help", "-h")


def flag_names(command: Command) -> Iterator[tuple[Flag, set[str]]]:
    """Each flag with all names it goes by, abbreviations of long ones included."""
    utility = find_utility(command.utility)
    for argument in command.arguments:
        if isinstance(argument, Flag):
            entry = utility.flag(argument.name) if utility else None
            yield argument, {argument.name, *(entry.names if entry else ())}


def _flags(command: Command) -> Iterator[Cause]:
    levels = effects().flags.get(command.utility, {})
    for flag, names in flag_names(command):
        for name in names & levels.keys():
            yield level_of(levels[name]), flag.name
        for word in flag.values if flag.name in RUNS_VALUE.get(command.utility, ()) else ():
            if not HARMLESS_VALUE.match(word.value or "?"):
                yield "unknown", f"{flag.name} {word.text}"


def _unknown_flags(command: Command) -> Iterator[Cause]:
    """A flag that is not known may do anything."""
    for flag, _ in flag_names(command):
        if not flag.known:
            yield "unknown", flag.name


def level_of(name: str) -> RiskLevel:
    return next(level for level in ORDER if level == name)


def _only_looks(command: Command) -> bool:
    looks = effects().looks.get(command.utility, frozenset())
    return _only_asks_version(command) or any(names & looks for _, names in flag_names(command))


# --- utilities that ask for more than a table ------------------------------------------------------------------------


def _subcommand(command: Command) -> Iterator[Cause]:
    words = [w.value or "" for w in command.words[1:4]]
    plain = [w.value or "" for w in command.words[1:] if (w.value or "-")[0] != "-"]
    table = effects().subcommands[command.utility]
    tried = [" ".join(words[:2]), " ".join(plain[:2]), words[0] if words else "", plain[0] if plain else ""]
    tried += [f"{plain[0]} {w.value}" for w in command.words[2:] if w.value] if plain else []
    levels = [(level_of(table[key]), key) for key in tried if key in table]
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
            names & {"-l", "-v", "-k", "-V"} for _, names in flag_names(command)
        ):
            yield "unknown", name
    elif not runs and find_utility(name) is None and len(command.words) > 1:
        yield "unknown", name
    if (name == "find" and runs) or (name == "find" and any(f.name == "-delete" for f, _ in flag_names(command))):
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
    recursive = any(names & {"-R", "-r", "--recursive"} for _, names in flag_names(command))
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
        elif (effect := level_of(sed_effect(word.value))) != "reads":
            yield effect, word.text


def _awk(command: Command) -> Iterator[Cause]:
    for word in _programs(command, {"-e", "-f", "-E"}):
        if word is None:
            yield "unknown", "-f"
        elif (effect := level_of(awk_effect(word.value if word.value is not None else word.text))) != "reads":
            yield effect, word.text


def _programs(command: Command, flags: set[str]) -> Iterator[Word | None]:
    """The program texts of sed and awk; None for one in a file."""
    given = [(names, flag) for flag, names in flag_names(command) if names & flags]
    for names, flag in given:
        yield flag.values[0] if "-e" in names and flag.values else None
    if not given:
        yield from _files(command)[:1]


def _uniq(command: Command) -> Iterator[Cause]:
    if len(_files(command)) > 1:  # the second one is written
        yield "writes", _files(command)[1].text


def _tar(command: Command) -> Iterator[Cause]:
    if _only_looks(command):
        return
    names = {name for _, names in flag_names(command) for name in names}
    if names & {"-c", "-x", "-r", "-u", "-A"}:
        extracts_to_screen = "-O" in names and "-x" in names
        archive = next((f.values[0].value for f, n in flag_names(command) if "-f" in n and f.values), "-")
        packs_to_screen = "-c" in names and archive == "-"
        if not extracts_to_screen and not packs_to_screen:
            yield "writes", "tar"
    else:
        yield "unknown", "tar"


def _dd(command: Command) -> Iterator[Cause]:
    for flag, _ in flag_names(command):
        if flag.name == "of" and flag.values and not HARMLESS_TARGETS.fullmatch(flag.values[0].value or ""):
            yield "destroys", f"of={flag.values[0].text}"


def _curl(command: Command) -> Iterator[Cause]:
    for flag, names in flag_names(command):
        method = flag.values[0].value if flag.values else None
        if names & {"-X", "--request"} and method not in ("GET", "HEAD"):
            yield ("destroys" if method == "DELETE" else "writes"), f"-X {method or '?'}"


def _wget(command: Command) -> Iterator[Cause]:
    if _only_looks(command):
        return
    for flag, names in flag_names(command):
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


def shell_texts(command: Command) -> Iterator[tuple[str, str | None]]:
    """Shell text that alias, trap and eval carry, as written and as a shell would read it; None where it expands."""
    words = _files(command)
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


def _tee(command: Command) -> Iterator[Cause]:
    adds = any("-a" in names for _, names in flag_names(command))
    for word in _files(command):
        if not HARMLESS_TARGETS.fullmatch(word.value or ""):
            yield target_level(word, adds), word.text


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
    "sed": _sed, "gsed": _sed, "uniq": _uniq, "xxd": _uniq, "tar": _tar, "gtar": _tar, "bsdtar": _tar, "dd": _dd,
    "curl": _curl, "wget": _wget, "crontab": _crontab, "tee": _tee, "date": _setter, "hostname": _setter,
    "ifconfig": _setter, "route": _setter, "arp": _setter, "mount": _setter, "umount": _setter, "source": _source,
    ".": _source, **dict.fromkeys(AWK, _awk),
}  # fmt: skip


def target_level(target: Word, adds: bool) -> RiskLevel:
    """What writing into this place does; `adds` where it goes to the end of what is there."""
    value = target.value or ""
    if DEVICES.fullmatch(value) or (SYSTEM.fullmatch(value) and not adds):
        return "destroys"
    return "writes"
