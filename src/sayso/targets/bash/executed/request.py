"""What a request says that its reference must heed to be a measure of others; read from the two texts alone.

A reference that leaves a constant of its request out, works in a place that the request does not name, or tells
capitals from small letters where it is told not to, does something else than was asked. No candidate is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.errors import BadInstruction
from sayso.english.constants import Token, word_set
from sayso.english.tokens import tokenise
from sayso.targets.bash.executed.facts import GREPS
from sayso.targets.bash.executed.samples import expand_braces
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, commands

CASELESS = re.compile(
    r"case[- ]?insensitiv|insensitive(ly)? (to|of|in|for) (the )?case|\bnot case[- ]?sensitiv"
    r"|(ignor|regardless of|irrespective of|disregard|without regard (to|for))\w*( the| letter| upper/lower)* case",
    re.I,
)
ASKED = re.compile(
    r"""\b(?:us(?:e|es|ing)|via|through|with|by|(?:pass|pip|fe)\w*\b[^.]{0,30}?\b(?:to|into))\s+
    (?:the\s+)?(?:output\s+of\s+)?["'`]?([a-zA-Z][\w-]*)\b(?!\.)""",
    re.I | re.X,
)
FOLDING = {"-i", "--ignore-case", "-f", "-iname", "-ipath", "-iregex", "-iwholename", "-ilname"}
PLACES = frozenset(("File", "Path", "Directory"))
NAMING = {"-name", "-path", "-regex", "-wholename", "-lname"}
# Kinds whose text stands in a command as it stands in a request.
LITERAL = frozenset(("string", "file", "glob", "extension", "regex", "path"))
# Quoted words that name a class of users or a variable of the shell, which a command may leave unsaid.
UNSAID = frozenset(("user", "group", "other", "others", "all", "reply"))
# Words by which a request says where, and that something is to be seen.
WHERE = word_set(
    "current working this here home root system filesystem directory folder tree disk machine computer server drive "
    "path under below within beneath inside everywhere whole entire"
)
SHOWING = word_set(
    "print prints show shows display displays list lists listing output outputs count counts number report view see "
    "verbose verbosely verbosity echo tell stdout screen terminal"
)
ANYWHERE = frozenset((".", "./", "/", "~", "~/"))
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def departs(request: str, reference: str) -> bool:
    """Whether a reference passes over something that its request says plainly."""
    found = missing_constants(request, reference) or invented_places(request, reference)
    return bool(found) or tells_case(request, reference)


def programs_asked_for(request: str, reference: str) -> set[str]:
    """('list them using xargs', 'find . | xargs ls') -> {'xargs'}: programs that the request says to use."""
    return {name.lower() for name in ASKED.findall(request)} & utilities_of(reference)


def names_a_place(request: str) -> bool:
    """Whether a request says where: ('find files of inode 7') -> False, ('… in the current folder') -> True"""
    words = set(re.findall(r"[a-z]+", request.lower()))
    return bool(words & WHERE) or any(token.kind == "path" for token in tokenise(request))


def moved_to(reference: str, candidate: str) -> str:
    """('find / -inum 7', 'find . -inum 7') -> 'find / -inum 7': the candidate where the reference searches.

    Only where each searches one place and that is the start folder, the home folder or the root; else it stays.
    """
    goals, places = _searched(reference), _searched(candidate)
    if len(goals) != 1 or len(places) != 1 or not {goals[0][2], places[0][2]} <= ANYWHERE:
        return candidate
    start, end, _ = places[0]
    return f"{candidate[:start]}{' ' * (start == end)}{goals[0][2]}{candidate[end:]}"


def _searched(command: str) -> list[tuple[int, int, str]]:
    """Where the folders of each find stand in a command, and what they are; '.' behind the name where there is none."""
    try:
        nodes = [node for node in commands(parse(command)) if node.utility == "find" and node.name]
    except BadInstruction:
        return []
    found = []
    for node in nodes:
        given = [one.word for one in node.arguments if isinstance(one, Operand) and one.type == "Path"]
        found += [(word.start, word.end, word.value or "") for word in given]
        if not given and node.name:
            found.append((node.name.end, node.name.end, "."))
    return found


def asks_for_lines(request: str) -> bool:
    """Whether lines are what is asked for first: ('print the lines with x in all files') -> True"""
    found = re.search(
        r"\b(files?|director(?:y|ies)|folders?|names?|paths?|lines?|occurrences?|match(?:es|ing lines?))\b",
        request,
        re.I,
    )
    return found is not None and found[1].lower().startswith(("line", "occurrence", "match"))


def asks_to_see(request: str) -> bool:
    """Whether a request says that something is to be shown, and not only done."""
    return bool(set(re.findall(r"[a-z]+", request.lower())) & SHOWING)


def repeated_tests(command: str) -> set[tuple[str, ...]]:
    """('find . -user ann -user ann') -> {('-user', 'ann')}: what a reader takes for a slip, though it does no harm."""
    try:
        nodes = [node for node in commands(parse(command)) if node.utility == "find"]
    except BadInstruction:
        return set()
    found: set[tuple[str, ...]] = set()
    for node in nodes:
        tests = [
            (argument.name, *(word.value or "" for word in argument.values))
            for argument in node.arguments
            if isinstance(argument, Flag) and argument.values and argument.inner is None and argument.script is None
        ]
        found |= {test for test in tests if tests.count(test) > 1}
    return found


def utilities_of(command: str) -> set[str]:
    """The programs of a command; none of what does not parse."""
    try:
        return {node.utility for node in commands(parse(command))} - {""}
    except BadInstruction:
        return set()


def invented_places(request: str, reference: str) -> list[str]:
    """('find gz files in a folder', 'find /home/foo -name "*.gz"') -> ['/home/foo']"""
    try:
        nodes = list(commands(parse(reference)))
    except BadInstruction:
        return []
    said = _letters(request)
    words = [
        argument.word.value
        for node in nodes
        for argument in node.arguments
        if isinstance(argument, Operand) and argument.type in PLACES and argument.word.value
    ]
    plain = (word for word in words if re.fullmatch(r"~?[\w./-]+", word) and not word.startswith("/dev/"))
    return [
        word for word in plain if (letters := _letters(word.rstrip("/").rsplit("/", 1)[-1])) and letters not in said
    ]


def tells_case(request: str, reference: str) -> bool:
    """('find "a" ignoring case', 'find . -name a') -> True"""
    if not CASELESS.search(request):
        return False
    try:
        nodes = list(commands(parse(reference)))
    except BadInstruction:
        return False
    flags = [_flags(node) for node in nodes if node.utility in ("find", "sort", "uniq", *GREPS)]
    could = any(node.utility in GREPS for node in nodes) or any(found & NAMING for found in flags)
    folds = any(found & FOLDING for found in flags) or re.search(r"\[(\w)(?i:\1)\]|/I\b", reference)
    return could and not folds


def _flags(command: Command) -> set[str]:
    return {argument.name for argument in command.arguments if isinstance(argument, Flag)}


def missing_constants(request: str, reference: str) -> list[str]:
    """Constants of the request that stand in the reference in no spelling; letters and digits are compared."""
    written = _letters(" ".join([reference, *expand_braces(reference)]))
    numbers = {int(number) for number in re.findall(r"\d+", reference) if len(number) < 15}
    return [token.value for token in tokenise(request) if _is_missing(token, written, numbers)]


def _is_missing(token: Token, written: str, numbers: set[int]) -> bool:
    if token.kind in LITERAL:
        if token.kind == "path" and not re.match(r"[/~.]|.*[._]", token.value):
            return False
        letters = _letters(token.value)
        return letters not in UNSAID and letters not in written
    if token.kind == "permission" and (mode := re.fullmatch(r"0*([0-7]{2,4})", token.value)):
        modes = {number for number in numbers if number > 9}
        return bool(modes) and int(mode[1]) not in modes
    if token.kind in ("number", "timespan", "size") and (found := re.search(r"\d+", token.text)):
        return not numbers & set(_equal(token, int(found[0][:15])))
    return False


def _equal(token: Token, number: int) -> Iterator[int]:
    """The numbers that a quantity may be written with: 2 days -> 2, 48, 2880 …, and one more or less."""
    yield from (number - 1, number, number + 1)
    if span := re.fullmatch(r"(\d+)([smhdw])", token.value):
        seconds = int(span[1]) * SECONDS[span[2]]
        for unit in SECONDS.values():
            yield from (seconds // unit, seconds // unit - 1, seconds // unit + 1)
    if token.kind == "size":
        for factor in (2, 1000, 1024, 2048, 1000**2, 1024**2, 1024**3, 1024**2 * 2):
            yield number * factor
            if not number % factor:
                yield number // factor


def _letters(text: str) -> str:
    """ "My-File.txt -> myfiletxt"""
    return re.sub(r"[\W_]", "", text.lower())
