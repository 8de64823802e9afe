"""How the output of a reference is to be compared: what its programs lay out, sort or list, what its request says."""

from __future__ import annotations

import re

from sayso.english.constants import word_set
from sayso.targets.bash.executed.comparison import Reading
from sayso.targets.bash.executed.facts import GREPS
from sayso.targets.bash.executed.request import asks_for_lines, asks_to_see
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, Script, commands

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
EMPTY_LINES = re.compile(r"\b(empty|blank)\b.{0,12}\blines?\b", re.I)
SILENCE = re.compile(r"\b(silent|quiet|suppress|verbos|without (any )?(output|message|print))", re.I)


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
        asks_to_see=asks_to_see(request) or not request,
        asks_silence=SILENCE.search(request) is not None,
        asks_lines=asks_for_lines(request),
        keeps_empty=EMPTY_LINES.search(request) is not None and not scattered,
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
            words = [word.value or word.text for word in node.words[1:]]
            names += [
                re.split(r"\+?=", word)[0] for word in words if re.fullmatch(r"[A-Za-z_]\w*(\+?=.*)?", word, re.S)
            ]
            if node.utility == "read":
                names.append("REPLY")
    return tuple(dict.fromkeys(name for name in names if re.fullmatch(r"[A-Za-z_]\w*", name)))
