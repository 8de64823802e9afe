"""Executed equivalence: does a candidate do the same as a reference, judged by running both on grounded fixtures.

A reference that cannot be judged gives a reason, fixed in REASONS; a candidate that does not parse or run is wrong.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sayso.core.errors import BadInstruction
from sayso.core.types import Limits, Outcome, Sandbox, Unscored
from sayso.english.constants import word_set
from sayso.targets.bash.executed.comparison import STATE, Reading, View, same, view, visible
from sayso.targets.bash.executed.fixture import SHAPES, STDIN, Fixture
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import COUNTERS, GREPS, MOST_COUNTED, ground
from sayso.targets.bash.executed.request import departs
from sayso.targets.bash.language import risk
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, Script, commands

LIMITS = Limits(
    cpu_seconds=4, wall_seconds=25, memory_mb=256, output_bytes=400_000, file_bytes=1 << 40, disk_mb=64, processes=64
)
# Processor time decides, so that a busy machine gives the same verdicts; the clock only ends what sleeps.
TOGETHER, CPU_SECONDS, SECONDS, MOST_PRINTED, STOPPED = 20, 3, 20, 200_000, 137
MISSING = "No such file"
VERSION = 2

REASONS = {
    "does not parse": "the reference is not Bash",
    "departs from its request": "the reference leaves out a constant, names another place, or tells case unasked",
    "counts too far": "the reference counts to a number that no fixture holds as many lines or bytes of",
    "needs a network": "the reference talks to another machine",
    "needs processes": "the reference is about running programs, sessions or the machine itself",
    "needs devices": "the reference is about disks, mounts or terminals",
    "needs a person": "the reference asks a person, or opens an editor, a pager or a full screen",
    "not installed": "a program of the reference is not on this machine",
    "takes too long": "the reference hits a limit of the sandbox",
    "differs from itself": "two runs of the reference on one fixture do not show the same",
    "does nothing visible": "the reference shows nothing on any fixture that an empty command does not",
}
NETWORK = word_set(
    "ssh scp sftp curl wget ping traceroute nc ncat telnet ftp dig nslookup host whois ifconfig ip netstat ss route "
    "arp rsh rlogin mail sendmail ssh-copy-id nmap iwconfig"
)
PROCESSES = word_set(
    "ps top htop kill killall pkill pgrep jobs fg bg disown wait who w users last finger uptime free vmstat lsof fuser "
    "screen tmux crontab at batch nice renice nohup service systemctl shutdown reboot dmesg history fc bind su passwd "
    "useradd usermod strace ulimit pstree pidof"
)
DEVICES = word_set("mount umount fdisk mkfs fsck df lsblk blkid losetup swapon eject stty tty tput setterm mknod")
PERSON = word_set("vi vim nano emacs ed ex less more most man info watch dialog select visudo")

LISTERS = word_set(
    "find ls xargs grep egrep fgrep rgrep zgrep echo printf sort head tail cat basename dirname readlink realpath cd "
    "pwd locate test [ sh bash tee env sudo uniq"
)
SEARCH = frozenset(("find", "ls", "locate", *GREPS))
ORDERERS = frozenset(("sort", "tac", "nl", "head", "tail"))
UNORDERED = frozenset(("find", "ls", "du", "locate", "tree"))
# What a request says about its output.
DETAIL = re.compile(
    r"\blong\b.{0,20}\b(list|format)|\blist\w*\b.{0,20}\blong\b|\bdetail|\binformation\b|\bverbos|-ls\b", re.I
)
SILENCE = re.compile(r"\b(silent|quiet|suppress|verbos|without (any )?(output|message|print))", re.I)


@dataclass(frozen=True)
class Ready:
    """A reference that can be judged by: its fixtures and what it shows on each."""

    reading: Reading
    fixtures: tuple[Fixture, ...]
    views: tuple[View, ...]
    names: tuple[str, ...]
    places: frozenset[str] = frozenset()
    """Files and folders that it names."""


def prepare(request: str, reference: str, sandbox: Sandbox) -> Ready | Unscored:
    """Run the reference on its fixtures; says why where that tells nothing."""
    try:
        tree = parse(reference)
    except BadInstruction:
        return Unscored("does not parse")
    if reason := out_of_reach(tree):
        return Unscored(reason)
    if departs(request, reference):
        return Unscored("departs from its request")
    if counts_too_far(tree):
        return Unscored("counts too far")
    now = float(int(time.time()))
    facts = ground(reference, request)
    facts.only_reads = risk(reference).level == "reads"
    reading = read_reading(tree, facts.only_files, request)
    fixtures = tuple(build(facts, shape, reference, now) for shape in SHAPES)
    names = assigned_names(tree)
    views: list[View] = []
    seen = False
    for fixture in fixtures:
        outcome, again, nothing = execute_all([reference, reference, ":"], fixture, names, sandbox)
        if reason := broken(outcome):
            return Unscored(reason)
        if not views and view(outcome, fixture, reading) != view(again, fixture, reading):
            reading = replace(reading, masks_times=True)
            if view(outcome, fixture, reading) != view(again, fixture, reading):
                return Unscored("differs from itself")
        views.append(view(outcome, fixture, reading))
        seen = seen or visible(views[-1], view(nothing, fixture, reading))
    if not seen:
        return Unscored("does nothing visible")
    return Ready(reading, fixtures, tuple(views), names, frozenset(places(tree)))


def agreeing(ready: Ready, candidates: Sequence[str], sandbox: Sandbox) -> set[str]:
    """Those candidates that show the same as the reference on every fixture."""
    left = [candidate for candidate in dict.fromkeys(candidates) if _parses(candidate)]
    unnamed = {candidate: set(places(parse(candidate))) - ready.places for candidate in left}
    for fixture, wanted in zip(ready.fixtures, ready.views, strict=True):
        outcomes = execute_all(left, fixture, ready.names, sandbox)
        left = [
            candidate
            for candidate, outcome in zip(left, outcomes, strict=True)
            if not outcome.stopped
            and not complains(outcome, unnamed[candidate])
            and same(wanted, view(outcome, fixture, ready.reading), ready.reading)
        ]
    return set(left)


def complains(outcome: Outcome, unnamed: Collection[str]) -> bool:
    """Whether a command says that one of these, which only it names, is not there."""
    lines = [line for line in outcome.stderr.decode("utf-8", "replace").splitlines() if MISSING in line]
    return any(re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", line) for line in lines for name in unnamed)


def places(tree: Script) -> Iterator[str]:
    """Files and folders that a command names in so many words."""
    for command in commands(tree):
        for argument in command.arguments:
            if isinstance(argument, Operand) and argument.type in ("File", "Path", "Directory") and argument.word.value:
                yield argument.word.value


def _parses(command: str) -> bool:
    try:
        parse(command)
    except BadInstruction:
        return False
    return True


def execute_all(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox) -> list[Outcome]:
    """Each command on a fresh fixture; those that only read share one, which changes nothing but the time it takes."""
    found: dict[str, Outcome] = {}
    readers = [text for text in texts if text == ":" or risk(text).level == "reads"]
    for at in range(0, len(readers), TOGETHER):
        some = readers[at : at + TOGETHER]
        outcomes = execute_together(some, fixture, names, sandbox)
        if outcomes is None:
            continue
        for text, outcome in zip(some, outcomes, strict=True):
            # The same command twice must show the same: keep the one that differs from the first.
            if text in found and found[text].stdout != outcome.stdout:
                found[f"{text}\0again"] = outcome
            else:
                found[text] = outcome
    out = []
    for number, text in enumerate(texts):
        again = f"{text}\0again"
        if text in texts[:number] and again in found:
            out.append(found[again])
        elif text in found:
            out.append(found[text])
        else:
            out.append(sandbox.run(_script([text], fixture, names), list(fixture.files.values()), LIMITS))
            out[-1] = _alone(out[-1])
    return out


def execute_together(
    texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox
) -> list[Outcome] | None:
    """The outcomes of commands that run one after the other; None where one of them got in the way of the others."""
    limits = replace(LIMITS, cpu_seconds=4 + 2 * len(texts), wall_seconds=25 + 4 * len(texts), output_bytes=8_000_000)
    outcome = sandbox.run(_script(texts, fixture, names), list(fixture.files.values()), limits)
    if outcome.stopped or not all(fixture.is_made(change.path) for change in outcome.changes):
        return None
    parts = re.split(rb"\x1d(\d+)\n", outcome.stdout)
    if len(parts) != 2 * len(texts) + 1:
        return None
    outcomes = []
    for number in range(len(texts)):
        code = int(parts[2 * number + 1])
        printed = parts[2 * number]
        outcomes.append(Outcome(code, printed, outcome.stderr, outcome.changes, stopped=_stopped(code, printed)))
    return outcomes


def _alone(outcome: Outcome) -> Outcome:
    parts = re.split(rb"\x1d(\d+)\n", outcome.stdout)
    if len(parts) != 3:
        return outcome
    code = int(parts[1])
    return replace(outcome, stdout=parts[0], exit_code=code, stopped=outcome.stopped or _stopped(code, parts[0]))


def _stopped(code: int, printed: bytes) -> Literal["", "wall", "output"]:
    return "wall" if code == STOPPED else "output" if len(printed) >= MOST_PRINTED else ""


def _script(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...]) -> str:
    """Each command in a shell of its own, followed by the folder and the variables in which it left that shell."""
    shown = " ".join(f'"${{{name}}}"' for name in names)
    state = f'trap \'printf "%s\\n" "" "{STATE}$PWD" {shown}\' EXIT\n'
    sudo = 'sudo() { while [[ $1 == -* ]]; do shift; done; "$@"; }\n'
    lines = [fixture.prelude()]
    for text in texts:
        body = f"ulimit -t {CPU_SECONDS}\n{sudo}{state}{about_changes_of_status(text)}\n"
        lines.append(
            f'timeout -s KILL {SECONDS} bash -c {shlex.quote(body)} bash "$@" < {STDIN} | head -c {MOST_PRINTED}\n'
            "printf '\\x1d%d\\n' ${PIPESTATUS[0]}\n"
        )
    return "".join(lines)


def about_changes_of_status(command: str) -> str:
    """-ctime and -atime change names: no file can be given a time of status change, but it can be given the other."""
    try:
        tree = parse(command)
    except BadInstruction:
        return command
    swap = {"-ctime": "-atime", "-atime": "-ctime", "-cmin": "-amin", "-amin": "-cmin"}
    flags = [
        argument
        for node in commands(tree)
        if node.utility == "find"
        for argument in node.arguments
        if isinstance(argument, Flag) and argument.name in swap
    ]
    if not any(flag.name in ("-ctime", "-cmin") for flag in flags):
        return command
    for flag in sorted(flags, key=lambda flag: -flag.start):
        if command.startswith(flag.name, flag.start):
            command = command[: flag.start] + swap[flag.name] + command[flag.start + len(flag.name) :]
    return command


def out_of_reach(tree: Script) -> str:
    """The reason why a command cannot be judged in a sandbox, "" where it may."""
    for command in commands(tree):
        for words, reason in (
            (NETWORK, "needs a network"),
            (PROCESSES, "needs processes"),
            (DEVICES, "needs devices"),
            (PERSON, "needs a person"),
        ):
            if command.utility in words:
                return reason
        if command.utility == "read" and (command in tree.items or _flags(command) & {"-p", "-s"}):
            return "needs a person"
        if command.utility == "rsync" and any(re.match(r"[\w@.-]+:", word.value or "") for word in command.words):
            return "needs a network"
        if any(re.match(r"/dev/(?!null|zero|stdin|stdout|stderr|tty\b)\w", word.value or "") for word in command.words):
            return "needs devices"
    return ""


def counts_too_far(tree: Script) -> bool:
    """head -n 99999: no fixture tells it from 99998."""
    words = [word.value or "" for node in commands(tree) if node.utility in COUNTERS for word in node.words[1:]]
    return any(int(number[:9]) > MOST_COUNTED for word in words for number in re.findall(r"\d+", word))


def broken(outcome: Outcome) -> str:
    if outcome.stopped:
        return "takes too long"
    if b"command not found" in outcome.stderr or outcome.exit_code in (126, 127):
        return "not installed"
    return ""


def read_reading(tree: Script, only_files: bool, request: str = "") -> Reading:
    """How the outputs of a reference are to be compared."""
    all_commands = list(commands(tree))
    utilities = {command.utility for command in all_commands} - {""}
    searches = utilities & SEARCH
    counts = any(
        (command.utility in GREPS and "-c" in _flags(command)) or (command.utility == "find" and _prints_facts(command))
        for command in all_commands
    )
    times = any(
        command.utility == "touch"
        or (command.utility in ("cp", "rsync") and _flags(command) & {"-p", "-a", "--preserve"})
        for command in all_commands
    )
    sorts = bool(utilities & ORDERERS) or any(
        command.utility == "ls" and _flags(command) & {"-t", "-S", "-r", "-X"} for command in all_commands
    )
    scattered = bool(utilities & UNORDERED) or any(
        command.utility in GREPS and _flags(command) & {"-r", "-R"} for command in all_commands
    )
    lists = bool(searches) and utilities <= LISTERS and not counts
    drops = only_files and bool(searches) and "du" not in utilities
    return Reading(
        lists=lists,
        ordered=sorts or not scattered,
        times=times,
        drops_folders=drops,
        searches_content=bool(utilities & GREPS),
        is_long=any(
            (command.utility == "ls" and _flags(command) & {"-l", "-o", "-g", "-s"})
            or (command.utility == "find" and "-ls" in _flags(command))
            for command in all_commands
        ),
        asks_detail=DETAIL.search(request) is not None,
        asks_silence=SILENCE.search(request) is not None,
    )


def _flags(command: Command) -> set[str]:
    return {argument.name for argument in command.arguments if isinstance(argument, Flag)}


def _prints_facts(command: Command) -> bool:
    """find -printf of anything but paths."""
    for argument in command.arguments:
        if isinstance(argument, Flag) and argument.name in ("-printf", "-fprintf") and argument.values:
            directives = re.findall(r"%[^a-zA-Z%]*([a-zA-Z])", argument.values[-1].value or "")
            if not set(directives) <= set("pPfhH"):
                return True
    return False


def assigned_names(tree: Script) -> tuple[str, ...]:
    """Variables that the command sets and that a user may look at afterwards."""
    names = [assignment.name.rstrip("+") for node in commands(tree) for assignment in node.assignments]
    for node in commands(tree):
        if node.utility in ("shopt", "set"):
            names += ["BASHOPTS", "SHELLOPTS"]
        if node.utility in ("read", "export", "declare", "local"):
            words = [word.value or "" for word in node.words[1:]]
            names += [word.split("=")[0] for word in words if re.fullmatch(r"[A-Za-z_]\w*(=.*)?", word, re.S)]
            if node.utility == "read":
                names.append("REPLY")
    return tuple(dict.fromkeys(name for name in names if re.fullmatch(r"[A-Za-z_]\w*", name)))
