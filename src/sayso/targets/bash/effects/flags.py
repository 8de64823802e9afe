"""Flags that change what a utility does, under all their names, from the tables of `data/effects.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sayso.core.types import RiskLevel
from sayso.targets.bash.effects.effects import effects
from sayso.targets.bash.syntax.tree import Command, Flag
from sayso.targets.bash.syntax.utility import entry_at

ORDER: dict[RiskLevel, int] = {"reads": 0, "writes": 1, "unknown": 2, "destroys": 3}
Cause = tuple[RiskLevel, str]

# Options of ssh that start no program, in small letters as ssh compares them.
SSH_OPTIONS = {
    "addressfamily", "batchmode", "challengeresponseauthentication", "checkhostip", "ciphers",
    "compression", "connectionattempts", "connecttimeout", "controlmaster", "controlpath",
    "controlpersist", "exitonforwardfailure", "forwardagent", "forwardx11", "globalknownhostsfile",
    "gssapiauthentication", "hashknownhosts", "hostkeyalgorithms", "hostkeyalias", "hostname",
    "identitiesonly", "identityfile", "kbdinteractiveauthentication", "kexalgorithms", "loglevel",
    "macs", "numberofpasswordprompts", "passwordauthentication", "port", "preferredauthentications",
    "proxyjump", "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes", "pubkeyauthentication",
    "requesttty", "serveralivecountmax", "serveraliveinterval", "stricthostkeychecking",
    "tcpkeepalive", "updatehostkeys", "user", "userknownhostsfile", "visualhostkey",
}  # fmt: skip
PACKER = re.compile(r"(zstd|zstdmt|pigz|pixz|pbzip2|lbzip2|gzip|bzip2|xz|lz4|lzip)( -(\d+|T\d+|[dkc]))*")
SSH_WORD = re.compile(r"-[46ACKTXakntvqx]+|-[pilc]\S*|[\w@.:/~-]+")


def level_of(name: str) -> RiskLevel:
    return next(level for level in ORDER if level == name)


def flag_names(command: Command) -> Iterator[tuple[Flag, set[str]]]:
    """Each flag with all names it goes by, abbreviations of long ones included."""
    for argument in command.arguments:
        if isinstance(argument, Flag):
            entry = entry_at(command, argument.start)
            found = entry.flag(argument.name) if entry else None
            yield argument, {argument.name, *(found.names if found else ())}


def flag_causes(command: Command, *, looking: bool = False) -> Iterator[Cause]:
    """What the flags add; beside a flag that only looks, those count that run something or write `anyway`."""
    levels = effects().flags.get(command.utility, {})
    for flag, names in flag_names(command):
        for name in sorted(names & levels.keys()) or _abbreviated(command, flag, levels):
            level = "writes" if levels[name] == "anyway" else levels[name]
            to_screen = (
                name in ("-o", "--output") and flag.values and flag.values[0].value in ("/dev/null", "/dev/stdout")
            )
            if level != "reads" and not to_screen and (not looking or levels[name] in ("anyway", "unknown")):
                yield level_of(level), flag.name
        harmless = next((RUNS_VALUE[key] for name in names if (key := (command.utility, name)) in RUNS_VALUE), None)
        for word in flag.values if harmless else ():
            if harmless and not harmless(word.value or "?"):
                yield "unknown", f"{flag.name} {word.text}"


def _abbreviated(command: Command, flag: Flag, levels: Mapping[str, str]) -> list[str]:
    """`--outp` of a utility or sub-command that the knowledge base does not have: it may stand for any with a level."""
    entry = entry_at(command, flag.start)
    if not flag.name.startswith("--") or len(flag.name) < 4 or (entry and entry.flag(flag.name)):
        return []
    return [key for key in levels if key.startswith(flag.name)]


def unknown_flags(command: Command) -> Iterator[Cause]:
    """A flag that is not known may do anything."""
    for argument in command.arguments:
        if isinstance(argument, Flag) and not argument.known:
            yield "unknown", argument.name


def _is_ssh_option(value: str) -> bool:
    """`ConnectTimeout=5`; ProxyCommand and whatever else is not listed may start something."""
    name = re.match(r"\w+", value)
    return name is not None and name[0].lower() in SSH_OPTIONS


def _is_plain_ssh(value: str) -> bool:
    """`ssh -p 22 -o BatchMode=yes`, as rsync -e takes it."""
    first = (value.split() or [""])[0]
    if first not in ("ssh", "/usr/bin/ssh", "/bin/ssh"):
        return False
    options = re.findall(r"-o *(\S+)", value)
    words = re.sub(r"-o *\S+", "", value).split()[1:]
    return all(map(_is_ssh_option, options)) and all(SSH_WORD.fullmatch(word) for word in words)


def _is_packer(value: str) -> bool:
    """`zstd -d`, as tar -I takes it."""
    return PACKER.fullmatch(value) is not None


def _is_rsync(value: str) -> bool:
    return value in ("rsync", "sudo rsync", "/usr/bin/rsync", "sudo /usr/bin/rsync")


RUNS_VALUE = {
    ("rsync", "-e"): _is_plain_ssh,
    ("rsync", "--rsync-path"): _is_rsync,
    ("ssh", "-o"): _is_ssh_option,
    ("tar", "-I"): _is_packer,
    ("scp", "-o"): _is_ssh_option,
    ("sftp", "-o"): _is_ssh_option,
}
