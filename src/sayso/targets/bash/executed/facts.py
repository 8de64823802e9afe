"""What a command needs in order to have something to work on, as values: which places, names, ages, sizes and words."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field, fields

from sayso.english.constants import word_set
from sayso.sandbox.skeleton import WORK

NOON = 1_780_315_200
"""Monday, 1 June 2026, 12:00: when every judged command runs."""
HOME = WORK
HERE = f"{HOME}/work"
"""Where commands run: not in the home folder itself, so that `~` and `.` are two places."""
NUMBERED = {"-inum": "%i", "-uid": "%u", "-gid": "%g"}
"""Tests by a number that the system gives out, and how `stat` prints it."""
FILLER = "maple42"
"""What a variable holds of which nothing else is known: letters and digits."""
DOTTED = "maple42.old.txt"
"""What a variable holds that is called after a file."""
SCRIPT = "tools/script.sh"
"""What `$0` is in a command that looks at it."""
DAY, MINUTE = 86400.0, 60.0
UNITS = {"c": 1, "w": 2, "b": 512, "k": 1024, "M": 1 << 20, "G": 1 << 30, "": 512, "K": 1024, "m": 1 << 20}
KNOWN_VARIABLES = word_set("HOME PWD USER LOGNAME PATH SHELL OLDPWD IFS HOSTNAME LANG TERM UID RANDOM")
GREPS = frozenset(("grep", "egrep", "fgrep", "zgrep", "rgrep"))
SEARCHERS = frozenset(("find", "du", "ls", "tree", "cd", "pushd"))
# The last operand of these is where things go.
PLACERS = frozenset(("cp", "mv", "ln", "install", "rsync", "scp"))
# Facts about the request, or about the reference as a whole, that another command does not change.
PLACES = frozenset(("roots", "files", "folders", "targets", "parents", "marks", "archives"))
OF_THE_REFERENCE = frozenset(("only_files", "only_reads", "asks_case", "asks_force"))
COUNTERS = frozenset(("head", "tail", "split", "shuf"))
MOST_COUNTED = 300
MAKERS = frozenset(("mkdir", "touch", "mktemp", "mkfifo"))
TOGETHER = re.compile(
    r"files?\s*(/|and|or|,|&)\s*(or\s+|and\s+)?(sub)?-?(dir|folder)|(dir\w*|folders?)\s*(/|and|or|&)\s*files?", re.I
)


@dataclass
class Facts:
    """Lists without repeats, in order of appearance."""

    roots: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ages: list[tuple[float, float, str]] = field(default_factory=list)
    """Boundary and unit in seconds, and the sign of the condition."""
    sizes: list[tuple[int, int]] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """Files whose time others are compared with."""
    dates: list[float] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    separators: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    archives: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    """Folders in which the command makes something, and that it does not make itself."""
    linked: list[str] = field(default_factory=list)
    """Where links are asked to lead."""
    programs: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    """Of the shell."""
    numbered: list[tuple[str, str]] = field(default_factory=list)
    """Tests of find by a number that no file can be given, and that number: ("-inum", "752010")."""
    pointers: list[str] = field(default_factory=list)
    """Files that are asked where they lead."""
    asks_names: bool = False
    """It tells files by how many names they have."""
    asks_person: bool = False
    """It reads an answer, perhaps with a prompt, which is shown to a terminal alone."""
    ownerless: bool = False
    count: int = 0
    """How many lines or files the command counts up to (`head -n 20`)."""
    depth: int = 3
    is_shallow: bool = False
    asks_empty: bool = False
    asks_links: bool = False
    asks_spaces: bool = False
    wants_sorted: bool = False
    only_files: bool = False
    only_reads: bool = False
    prunes: bool = False
    asks_case: bool = False
    asks_force: bool = False
    whole_lines: bool = False
    """Some pattern asks for the end of a line, so lines carry no mark there."""
    utilities: set[str] = field(default_factory=set)


def joined(reference: Facts, other: Facts) -> Facts:
    """What both commands ask for; what the reference says of its request stands."""
    made = Facts()
    for item in fields(Facts):
        one, two = getattr(reference, item.name), getattr(other, item.name)
        if item.name in OF_THE_REFERENCE:
            both = one
        elif item.name in PLACES:
            known = {posixpath.normpath(tilde(path)) for path in one}
            both = [*one, *(path for path in two if posixpath.normpath(tilde(path)) not in known)]
        elif isinstance(one, list):
            both = [*one, *(value for value in two if value not in one)]
        else:
            both = {**two, **one} if isinstance(one, dict) else max(one, two) if isinstance(one, int) else one | two
        setattr(made, item.name, both)
    return made


def add(items: list[str], text: str) -> None:
    if text and text not in items and "\0" not in text and len(text) < 200:
        items.append(text)


def tilde(path: str) -> str:
    return HOME + path[1:] if path == "~" or path.startswith("~/") else path
