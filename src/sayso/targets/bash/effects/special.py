"""Utilities whose effect asks for more than a table: programs in their arguments, operands that they write or set."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from sayso.core.types import RiskLevel
from sayso.targets.bash.effects.awk import awk_effect
from sayso.targets.bash.effects.flags import Cause, flag_names, level_of
from sayso.targets.bash.effects.sed import sed_effect
from sayso.targets.bash.syntax.tree import Command, Operand, Word

HARMLESS_TARGETS = re.compile(r"/dev/(null|zero|stdout|stderr|tty|full|fd/\d+|pts/\d+)|/proc/self/fd/\d+")
DEVICES = re.compile(r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|mapper/|disk|loop|md|dm-|mem|kmem|port|rdisk|sr|st)\w*.*")
SYSTEM = re.compile(r"/(etc|boot|bin|sbin|lib\w*|usr|sys|proc|System|Library)(/.*)?")
# Substitutions and transliterations of Perl's rename, without the flag that runs their replacement.
PLAIN_RENAMING = re.compile(r"\s*(s|y|tr)([/|,#!:]).*\2.*\2[gimsxrcd]*\s*;?\s*", re.S)
PERL = re.compile(r"[(`;${]|\b(system|exec|unlink|rmdir|kill|open|qx|eval|do|require|print)\b")
# What less takes after a plus sign and cannot run anything.
LESS_START = re.compile(r"\++([GFg]|\d+[gGp%]?|[/?].*)?")
# Flags of wget that keep `wget -O -` and `wget --spider` from writing anything.
WGET_QUIET = {
    "-q", "-v", "-nv", "-S", "-t", "-T", "-w", "-4", "-6", "-U", "-d", "-c", "-nc", "-N", "-O", "--quiet",
    "--no-verbose", "--verbose", "--server-response", "--tries", "--timeout", "--wait", "--spider",
    "--output-document", "--user-agent", "--header", "--referer", "--user", "--password", "--http-user",
    "--http-password", "--no-check-", "certificate", "--max-redirect", "--no-cookies", "--load-cookies",
    "--no-proxy", "--compression", "--content-on-error", "--inet4-only", "--inet6-only", "--connect-timeout",
    "--dns-timeout", "--read-timeout", "--no-cache", "--save-headers", "--show-progress", "--progress",
    "--https-only", "--no-hsts", "--retry-connrefused", "--waitretry", "--limit-rate", "--debug", "--no-clobber",
    "--continue", "--timestamping",
}  # fmt: skip
TO_SCREEN = ("-", "/dev/null", "/dev/stdout")


def files(command: Command) -> list[Word]:
    return [argument.word for argument in command.arguments if isinstance(argument, Operand)]


def named(command: Command) -> set[str]:
    """Every name of every flag that is given."""
    return {name for _, names in flag_names(command) for name in names}


def target_level(target: Word, adds: bool) -> RiskLevel:
    """What writing into this place does; `adds` where it goes to the end of what is there."""
    value = posixpath.normpath(target.value or "x")
    value = "/" + value.lstrip("/") if value.startswith("/") else value
    if DEVICES.fullmatch(value) or (SYSTEM.fullmatch(value) and not adds):
        return "destroys"
    return "writes"


def _sed(command: Command) -> Iterator[Cause]:
    for word in _programs(command, {"-e", "-f"}):
        if word is None or word.value is None:
            yield "unknown", "-f" if word is None else word.text
        elif (effect := level_of(sed_effect(word.value))) != "reads":
            yield effect, word.text


def _awk(command: Command) -> Iterator[Cause]:
    for word in _programs(command, {"-e", "-f", "-E"}):
        if word is None or word.value is None:
            yield "unknown", "-f" if word is None else word.text
        elif (effect := level_of(awk_effect(word.value))) != "reads":
            yield effect, word.text


def _programs(command: Command, flags: set[str]) -> Iterator[Word | None]:
    """The program texts of sed and awk; None for one in a file."""
    given = [(names, flag) for flag, names in flag_names(command) if names & flags]
    for names, flag in given:
        yield flag.values[0] if "-e" in names and flag.values else None
    if not given:
        yield from files(command)[:1]


def _uniq(command: Command) -> Iterator[Cause]:
    if len(files(command)) > 1:  # the second one is written
        yield "writes", files(command)[1].text


def _tar(command: Command) -> Iterator[Cause]:
    names = named(command)
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
        if names & {"-H", "--header", "--proxy-header"} and (method or "").startswith("@"):
            yield "unknown", f"{flag.name} {method}"
        if names & {"-w", "--write-out"} and (method is None or "%output{" in method or method.startswith("@")):
            yield "unknown", flag.name


def _wget(command: Command) -> Iterator[Cause]:
    """`-O FILE` empties the file before anything is asked for, with --spider too."""
    documents = [flag for flag, found in flag_names(command) if "-O" in found]
    to_screen = all(flag.values and flag.values[0].value in TO_SCREEN for flag in documents)
    looks = bool(documents) or "--spider" in named(command)
    if not (looks and to_screen) or not all(found & WGET_QUIET for _, found in flag_names(command)):
        yield "writes", "wget"


def _crontab(command: Command) -> Iterator[Cause]:
    for word in files(command):
        yield "destroys", f"crontab {word.text}"


def _tee(command: Command) -> Iterator[Cause]:
    adds = any("-a" in names for _, names in flag_names(command))
    for word in files(command):
        if not HARMLESS_TARGETS.fullmatch(word.value or ""):
            yield target_level(word, adds), word.text


def _setter(command: Command) -> Iterator[Cause]:
    """date, hostname, ifconfig, mount: with an operand that is no question they change the machine."""
    words = files(command)
    name = command.utility
    if name == "date" and any(not w.lead.startswith("+") for w in words):
        yield "writes", words[0].text
    if name in ("hostname", "mesg") and words:
        yield "writes", words[0].text
    if name in ("ifconfig", "route", "arp") and (len(words) > 1 or "flush" in [word.value for word in words]):
        yield "writes", " ".join([name, *(w.text for w in words)])
    if name in ("mount", "umount") and len(command.words) > 1:
        yield "writes", name


def _sysctl(command: Command) -> Iterator[Cause]:
    """It reads names and sets what is written NAME=value."""
    if named(command) & {"-w", "-p", "--load", "--system", "-f"} or any("=" in word.text for word in files(command)):
        yield "writes", "sysctl"
    if any(word.value is None for word in files(command)):
        yield "writes", "sysctl"


def _rename(command: Command) -> Iterator[Cause]:
    """Perl's rename runs its first operand, also where -n says that no file may change."""
    dry = named(command) & {"-n", "--no-act", "--just-print", "--nono"}
    given = [flag.values[0] for flag, _ in flag_names(command) if flag.name in ("-e", "-E") and flag.values]
    for word in given or files(command)[:1]:
        plain = word.value is not None and PLAIN_RENAMING.fullmatch(word.value)
        if not plain and (dry or PERL.search(word.value or "$")):
            yield "unknown", word.text
    if not dry:
        yield "writes", "rename"


def _less(command: Command) -> Iterator[Cause]:
    """`+cmd` is typed for the user once the file is open."""
    for word in files(command):
        if word.lead.startswith("+") and not LESS_START.fullmatch(word.value or "+!"):
            yield "unknown", word.text


def _vim(command: Command) -> Iterator[Cause]:
    yield "writes", command.utility
    for word in files(command):
        if word.lead.startswith("+") and not re.fullmatch(r"\+(\d*|/.*)", word.value or "+!"):
            yield "unknown", word.text


def _dc(command: Command) -> Iterator[Cause]:
    """`!` runs the rest of the line, but for the comparisons `!<`, `!=` and `!>`."""
    programs = [flag.values[0] for flag, names in flag_names(command) if "-e" in names and flag.values]
    for word in programs:
        if re.search(r"!(?![<=>])|\?", word.value or "!"):
            yield "unknown", word.text
    if not programs or files(command) or named(command) & {"-f", "--file"}:
        yield "unknown", "dc"


def _bind(command: Command) -> Iterator[Cause]:
    """A key may be made to type a line and its end."""
    for word in files(command):
        if re.search(r":\s*[\"']", word.value if word.value is not None else ":'"):
            yield "unknown", word.text


def _service(command: Command) -> Iterator[Cause]:
    words = [word.value for word in files(command)]
    asked = words[1] if len(words) == 2 else None
    if "--status-all" in named(command) and not words:
        return
    if asked in ("start", "restart", "reload", "force-reload"):
        yield "writes", f"service {words[0]} {asked}"
    elif asked == "stop":
        yield "destroys", f"service {words[0]} {asked}"
    elif asked != "status" or words[0] is None:
        yield "unknown", "service"


def _zip(command: Command) -> Iterator[Cause]:
    """With nothing to put in, `zip -T a.zip` only tests."""
    if not (
        named(command) & {"-T"} and len(files(command)) == 1 and named(command) <= {"-T", "--test", "-q", "--quiet"}
    ):
        yield "writes", "zip"


def _source(command: Command) -> Iterator[Cause]:
    yield "unknown", command.utility


SPECIAL: dict[str, Callable[[Command], Iterator[Cause]]] = {
    "sed": _sed, "gsed": _sed, "uniq": _uniq, "xxd": _uniq, "tar": _tar, "gtar": _tar, "bsdtar": _tar, "dd": _dd,
    "curl": _curl, "wget": _wget, "crontab": _crontab, "tee": _tee, "source": _source, ".": _source,
    "sysctl": _sysctl, "rename": _rename, "prename": _rename, "less": _less, "more": _less, "zless": _less,
    "vi": _vim, "vim": _vim, "view": _vim, "dc": _dc, "bind": _bind, "service": _service, "zip": _zip,
    **dict.fromkeys(("date", "hostname", "ifconfig", "route", "arp", "mount", "umount", "mesg"), _setter),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
}  # fmt: skip
