"""Executed equivalence: does a candidate do the same as a reference, judged by running both on grounded fixtures.

A reference that cannot be judged gives a reason, fixed in REASONS; a candidate that does not parse or run is wrong.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sayso.core.errors import BadInstruction
from sayso.core.types import Limits, Outcome, Sandbox, Unscored
from sayso.english.constants import word_set
from sayso.targets.bash.executed.clock import NOON, ZONE, Clock
from sayso.targets.bash.executed.comparison import STATE, Reading, View, same, view, visible
from sayso.targets.bash.executed.fixture import SHAPES, STDIN, Fixture, Shape, given
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import COUNTERS, GREPS, HERE, MOST_COUNTED, SCRIPT, Facts, ground, joined
from sayso.targets.bash.executed.mutants import mutants
from sayso.targets.bash.executed.request import departs, programs_asked_for, repeated_tests, utilities_of
from sayso.targets.bash.language import risk
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, Script, commands

LIMITS = Limits(
    cpu_seconds=12, wall_seconds=90, memory_mb=256, output_bytes=400_000, file_bytes=1 << 40, disk_mb=64, processes=64
)
# Processor time decides, and far above what any search of the machine takes, so that a busy machine gives the same
# verdicts; the clock only ends what sleeps.
TOGETHER, CPU_SECONDS, SECONDS, MOST_PRINTED, STOPPED = 20, 10, 60, 200_000, 137
ACCESS = re.compile(r"-(?:[ac](?:time|min|newer)|newer[ac]|used)\b|%[xXA]|\bls\s.*-\w*u|--time|\bstat\b")
CONSTANTS = frozenset(("letters", "number", "sign"))
# Constants that change how much is done at a time, and not what.
MOST_MUTANTS = 10
IDLE = frozenset(f"xargs {flag}: number" for flag in ("-n", "-P", "-L", "-l", "--max-procs"))
CROSS_SHAPES: tuple[Shape, ...] = ("rich", "swapped")
MISSING = "No such file"
VERSION = 3

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
    "not told from its mutants": "the fixtures do not tell the reference from itself with another constant",
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
LAYOUT = re.compile(r"\bnull?\b|\bzero byte|separat|delimit|per line|(one|single|each|same) line|\btabs?\b|comma", re.I)
WHOLE_PATHS = re.compile(r"\b(full|absolute|complete|entire|real|canonical)(ly qualified)? (file ?)?(path|name)", re.I)
BLANKERS = word_set("column expand unexpand fmt pr fold tr sed paste")
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
    request: str = ""
    reference: str = ""
    facts: Facts = field(default_factory=Facts)


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
    facts = ground(reference, request)
    facts.only_reads = risk(reference).level == "reads"
    reading = read_reading(tree, facts.only_files, request)
    fixtures = tuple(build(facts, shape, reference, float(NOON)) for shape in SHAPES)
    names = assigned_names(tree)
    runs: list[tuple[Outcome, Outcome]] = []
    for fixture in fixtures:
        outcome, nothing = execute_all([reference, ":"], fixture, names, sandbox)
        if reason := broken(outcome):
            return Unscored(reason)
        if not runs:
            [again] = execute_all([reference], fixture, names, sandbox)
            if view(outcome, fixture, reading) != view(again, fixture, reading):
                reading = replace(reading, masks_times=True)
                if view(outcome, fixture, reading) != view(again, fixture, reading):
                    return Unscored("differs from itself")
        runs.append((outcome, nothing))
    # Where folders are all that a reference shows, it is about them, whatever its request calls them.
    for tried in (reading, replace(reading, drops_folders=False)):
        views = [view(outcome, fixture, tried) for fixture, (outcome, _) in zip(fixtures, runs, strict=True)]
        blank = [view(nothing, fixture, tried) for fixture, (_, nothing) in zip(fixtures, runs, strict=True)]
        if any(map(visible, views, blank)):
            reading = tried
            break
    else:
        return Unscored("does nothing visible")
    ready = Ready(reading, fixtures, tuple(views), names, frozenset(places(tree)), request, reference, facts)
    return ready if is_told(ready, sandbox) else Unscored("not told from its mutants")


def is_told(ready: Ready, sandbox: Sandbox) -> bool:
    """Whether most mutants with another constant show something else; where not, the fixtures say nothing of it."""
    changed = [mutant for mutant in mutants(ready.reference) if mutant.how in CONSTANTS and mutant.what not in IDLE]
    texts = [mutant.text for mutant in changed[:MOST_MUTANTS]]
    return 2 * len(agreeing(ready, texts, sandbox)) <= len(texts)


def agreeing(ready: Ready, candidates: Sequence[str], sandbox: Sandbox) -> set[str]:
    """Those candidates that show the same as the reference on every fixture."""
    wanted_programs = programs_asked_for(ready.request, ready.reference)
    left = [
        candidate
        for candidate in dict.fromkeys(candidates)
        if _parses(candidate)
        and wanted_programs <= utilities_of(candidate)
        and repeated_tests(candidate) <= repeated_tests(ready.reference)
    ]
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
    return {candidate for candidate in left if cross_examined(ready, candidate, sandbox)}


def cross_examined(ready: Ready, candidate: str, sandbox: Sandbox) -> bool:
    """Whether the two show the same also where there is something on either side of what the candidate asks for."""
    facts = joined(ready.facts, ground(candidate, ready.request))
    if facts == ready.facts:
        return True
    for shape in CROSS_SHAPES:
        fixture = build(facts, shape, ready.reference, float(NOON))
        wanted, outcome = execute_all([ready.reference, candidate], fixture, ready.names, sandbox)
        if wanted.stopped or outcome.stopped:
            return False
        if not same(view(wanted, fixture, ready.reading), view(outcome, fixture, ready.reading), ready.reading):
            return False
    return True


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
    readers = [text for text in dict.fromkeys(texts) if text == ":" or leaves_no_trace(text)]
    for at in range(0, len(readers), TOGETHER):
        some = readers[at : at + TOGETHER]
        found.update(zip(some, execute_together(some, fixture, names, sandbox), strict=False))
    for text in texts:
        if text not in found:
            found[text] = _alone(_run([text], fixture, names, sandbox, LIMITS))
    return [found[text] for text in texts]


def leaves_no_trace(text: str) -> bool:
    """Whether what runs after it sees nothing of it; reading moves times of access, which some look at."""
    return risk(text).level == "reads" and not ACCESS.search(text)


def _run(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox, limits: Limits) -> Outcome:
    clock = Clock(int(time.time()))
    moved = clock.moved(fixture)
    return clock.settled(sandbox.run(_script(texts, moved, names, clock.shift), list(moved.files.values()), limits))


def execute_together(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], sandbox: Sandbox) -> list[Outcome]:
    """The outcomes of commands that run one after the other; [] where one of them got in the way of the others."""
    cpu, wall = LIMITS.cpu_seconds * len(texts), LIMITS.wall_seconds * len(texts)
    limits = replace(LIMITS, cpu_seconds=cpu, wall_seconds=wall, output_bytes=8_000_000)
    outcome = _run(texts, fixture, names, sandbox, limits)
    if outcome.stopped or not all(fixture.is_made(change.path) for change in outcome.changes):
        return []
    parts = re.split(rb"\x1d(\d+)\n", outcome.stdout)
    if len(parts) != 2 * len(texts) + 1:
        return []
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


def _script(texts: Sequence[str], fixture: Fixture, names: tuple[str, ...], shift: int) -> str:
    """Each command in a shell of its own, followed by the folder and the variables in which it left that shell."""
    shown = " ".join(f'"${{{name}}}"' for name in names)
    state = f'trap \'printf "%s\\n" "" "{STATE}$PWD" {shown}\' EXIT\n'
    lines = [fixture.prelude(), f"export TZ=:{ZONE}\n"]
    for text in texts:
        told = about_seconds(about_numbers(about_changes_of_status(text), fixture), shift)
        name = f"{HERE}/{SCRIPT}" if re.search(r"\$\{?0\b", text) else "bash"
        body = f"ulimit -t {CPU_SECONDS}\n{fixture.opening}{state}{told}\n"
        lines.append(
            f'timeout -s KILL {SECONDS} bash -c {shlex.quote(body)} {name} "$@" < {STDIN} | head -c {MOST_PRINTED}\n'
            "printf '\\x1d%d\\n' ${PIPESTATUS[0]}\n"
        )
    return "".join(lines)


def about_numbers(command: str, fixture: Fixture) -> str:
    """-inum 752010 becomes the number that the file has which the fixture made for it."""
    for test, number in fixture.numbered:
        command = re.sub(rf"({test}\s+){number}\b", rf"\g<1>${given(test, number)}", command)
    return command


def about_seconds(command: str, shift: int) -> str:
    """@1278999698 is moved with the clock, so that its date is what it would be."""
    return re.sub(r"@(1?\d{9})\b", lambda match: f"@{int(match[1]) + shift}", command)


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
    lists = bool(searches) and utilities <= LISTERS and not counts and not any(map(_says_words, all_commands))
    drops = (
        only_files
        and bool(searches)
        and not utilities & {"du", "dirname"}
        and not any(map(_prints_folders, all_commands))
    )
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
        asks_layout=LAYOUT.search(request) is not None,
        keeps_blanks=bool(utilities & BLANKERS) or any(_is_beside(command) for command in all_commands),
        keeps_places=bool(utilities & {"readlink", "realpath", "pwd"}) or WHOLE_PATHS.search(request) is not None,
        counts_lines=bool(utilities & {"head", "tail", "sed", "awk"}),
    )


def _is_beside(command: Command) -> bool:
    """diff -y sets two files beside each other, a matter of blanks."""
    beside = command.utility == "diff" and _flags(command) & {"-y", "--side-by-side"}
    return command.utility == "sdiff" or bool(beside)


def _says_words(command: Command) -> bool:
    """echo and printf with words of their own, which are then what is asked for."""
    if command.utility not in ("echo", "printf"):
        return False
    words = [argument.word.value or "" for argument in command.arguments if isinstance(argument, Operand)]
    return any(re.search(r"[A-Za-z]{2}", re.sub(r"%\w|\\.", "", word)) and "/" not in word for word in words)


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


def _prints_folders(command: Command) -> bool:
    """find -printf of the folder that something lies in."""
    flags = [argument for argument in command.arguments if isinstance(argument, Flag) and argument.name == "-printf"]
    return any("%h" in (word.value or "") for flag in flags for word in flag.values)


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
