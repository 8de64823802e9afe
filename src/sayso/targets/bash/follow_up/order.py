"""Follow-ups on how many and in which order: "only the newest five", "sort by size", "count them"."""

from __future__ import annotations

import re

from sayso.english.words import superlatives
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.syntax.line_edits import (
    ACTIONS,
    Line,
    flags,
    has_flag,
    kind_of,
    piped,
    places,
    read_line,
    with_flag,
    with_test,
    without_flags,
    without_stage,
)
from sayso.targets.bash.syntax.tree import Command, Flag

# Word → (what to sort by, whether the most of it comes first).
ORDERS = superlatives()
KEYS = {
    "time": r"(?:modification |change )?(?:date|time|age|mtime|recency)|modification",
    "size": r"(?:file )?size|length|(?:disk )?usage",
    "name": r"(?:file ?)?names?|alphabet(?:ically)?|alphabetical order|path",
    "memory": r"memory(?: use| usage)?|ram|mem|rss",
    "cpu": r"cpu(?: use| usage)?|processor",
    "number": r"number|value|count|numeric(?:al)?(?:ly)?(?: order)?|frequency",
    "extension": r"extension|type|file type",
}
LS_SORT = {"time": "-t", "size": "-S", "extension": "-X"}
FIND_KEY = {"time": "%T@", "size": "%s"}
PS_SORT = {"memory": "%mem", "size": "rss", "cpu": "%cpu", "time": "start_time", "name": "comm"}
LEADING_NUMBERS = ("du", "wc", "uniq")
STRIP = "cut -d' ' -f2-"


def limit(line: Line, found: re.Match[str]) -> Found:
    """The first or last N lines of what is printed."""
    count = number(said(found, "n", "1"))
    if line.last.utility == "wc" and not of_several(line.last):
        return "it prints one line only"
    if said(found, "end") == "top" and line.last.utility in LEADING_NUMBERS:
        return sorted_by(without_ends(line), "size", True, count)
    end = "tail" if said(found, "end") in ("last", "final", "bottom") else "head"
    return [Edit(text, f"{end} keeps {count}") for text in limited(line, count, end)]


def of_several(command: Command) -> bool:
    """Whether it names more than one file."""
    named = [word.text for word in places(command)]
    return len(named) > 1 or any(re.search(r"[*?{]", one) for one in named)


def limited(line: Line, count: int, end: str = "head") -> list[str]:
    last = line.last
    name = kind_of(last)
    if name in ("git log", "journalctl"):  # newest first, or the newest anyway: the last five are the first five
        return [with_value(line, last, "-n", str(count))]
    if last.utility == end and (value := next((one for one in flags(last, "-n") if one.values), None)):
        extra = 1 if len(line.stages) == 2 and end == "head" and has_header(line.first) else 0
        return [line.replaced(value.start, value.end, f"-n {count + extra}")]
    if last.utility == end and not has_flag(last, "-n", "-c"):
        return [with_flag(line, last, f"-n {count}")]
    if last.utility in ("head", "tail") and len(line.stages) == 1:
        assert last.name
        text = line.replaced(last.name.start, last.name.end, end)
        return limited(other, count, end) if (other := read_line(text)) else []
    extra = 1 if end == "head" and len(line.stages) == 1 and has_header(last) else 0
    return [piped(line, f"{end} -n {count + extra}")]


def has_header(command: Command) -> bool:
    """Whether its first line is no result: `total 12`, the titles of ps and df."""
    if command.utility == "ls":
        return has_flag(command, "-l")
    return command.utility in ("ps", "df", "free", "ss", "netstat", "lsof") and not has_flag(command, "--no-headers")


def with_value(line: Line, command: Command, name: str, value: str) -> str:
    """A flag with a value, in place of the same flag with another one."""
    for one in flags(command, name):
        if one.values:
            return line.replaced(one.start, one.end, f"{name} {value}")
    return with_flag(line, command, f"{name} {value}")


def best(line: Line, found: re.Match[str]) -> Found:
    """ "the newest five": sort by what the word says, then keep N."""
    word = said(found, "order")
    key, most_first = ORDERS.get(word) or (next(k for k, words in KEYS.items() if re.fullmatch(words, word)), True)
    return sorted_by(without_ends(line), key, most_first, number(said(found, "n") or said(found, "m", "1")))


def without_ends(line: Line) -> Line:
    """The line without the `head`, `tail` and `sort` it ends in: a new order needs all of the lines."""
    while len(line.stages) > 1 and line.last.utility in ("head", "tail", "sort", "tac"):
        shorter = read_line(without_stage(line, -1))
        if shorter is None:
            break
        line = shorter
    return line


def order(line: Line, found: re.Match[str]) -> Found:
    """ "sort by size", "newest first", "oldest at the top"."""
    word, direction = said(found, "order"), said(found, "way")
    if word == "frequency" and line.last.utility not in LEADING_NUMBERS and not counted(line):
        return tally(line, found)
    if word in ORDERS:
        key, most_first = ORDERS[word]
    else:
        key = next(name for name, words in KEYS.items() if re.fullmatch(words, word))
        most_first = key not in ("name", "extension")
    if re.match(r"rev|back", direction) or said(found, "end"):
        most_first = not most_first
    elif direction:
        most_first = re.match(r"asc|increas|small|old|low", direction) is None
    return sorted_by(without_ends(line), key, most_first, 0)


def sorted_by(line: Line, key: str, most_first: bool, count: int) -> Found:
    """The line with its results in this order, and only `count` of them unless 0."""
    first, name = line.first, line.first.utility
    if name == "ls" and len(line.stages) == 1 and key in (*LS_SORT, "name"):
        return _ls(line, key, most_first, count)
    if name == "find" and len(line.stages) == 1 and key in ("time", "size", "name"):
        return _find(line, key, most_first, count)
    if name == "ps" and len(line.stages) == 1 and key in PS_SORT:
        sign = "-" if most_first else ""
        text = with_value_equals(line, first, "--sort", f"{sign}{PS_SORT[key]}")
        return _kept(text, count, f"ps --sort orders by {key}")
    if name == "git" and key == "time":
        text = line.text if most_first else with_flag(line, first, "--reverse")
        return _kept(text, count, "git log shows the newest first")
    if is_file_list(line) and key in LS_SORT:
        flag = LS_SORT[key] + ("" if most_first else "r")
        return _kept(piped(line, f"xargs -r -d '\\n' ls -d {flag}"), count, f"ls {flag} orders them by {key}")
    if key == "time":
        return f"the results of {line.last.utility} hold no time to sort by"
    return _lines(line, key, most_first, count)


def _lines(line: Line, key: str, most_first: bool, count: int) -> Found:
    """Any lines: `sort` by the number that they begin with, or by their text."""
    utility = line.last.utility
    if key == "name":
        return _kept(piped(line, "sort" if not most_first else "sort -r"), count, "sort orders by text")
    if key in ("memory", "cpu", "extension"):
        return f"the results of {utility} hold no {key} to sort by"
    human = has_flag(line.first, "-h") and line.first.utility in ("du", "df", "ls")
    column = {"df": "-k3,3", "ls": "-k5,5"}.get(line.first.utility, "")
    letters = ("h" if human else "n") + ("r" if most_first else "")
    flag = f"-{letters} {column}".strip() if column else f"-{letters}"
    if len(line.stages) == 1 and has_header(line.first):
        line = read_line(piped(line, "tail -n +2")) or line
    return _kept(piped(line, f"sort {flag}"), count, f"sort {flag} orders by the number")


def _ls(line: Line, key: str, most_first: bool, count: int) -> Found:
    bare = read_line(without_flags(line, line.first, "-t", "-S", "-X", "-v", "-r", "-U", "--sort"))
    if bare is None:
        return "that ls cannot be changed"
    text = with_flag(bare, bare.first, LS_SORT[key]) if key in LS_SORT else bare.text
    reverse = (not most_first) if key in ("time", "size") else most_first
    if reverse and (again := read_line(text)):
        text = with_flag(again, again.first, "-r")
    return _kept(text, count, f"ls {LS_SORT.get(key, '')} orders by {key}".replace("  ", " "))


def _find(line: Line, key: str, most_first: bool, count: int) -> Found:
    acts = [one for one in line.first.arguments if isinstance(one, Flag) and one.name in ACTIONS]
    if key == "name" and acts and all(one.name in ("-print", "-printf", "-ls") for one in acts):
        return _kept(piped(line, "sort" + (" -r" if most_first else "")), count, "sort orders by text")
    if any(one.name not in ("-print", "-prune") for one in acts):
        return f"find's {acts[-1].name} leaves nothing to sort"
    line = read_line(without_flags(line, line.first, "-print")) or line
    if key == "name":
        return _kept(piped(line, "sort" + (" -r" if most_first else "")), count, "sort orders by path")
    shown = with_test(line, line.first, f"-printf '{FIND_KEY[key]} %p\\n'")
    again = read_line(shown) if shown else None
    if again is None:
        return "that find is too involved to change"
    text = piped(again, f"sort -{'rn' if most_first else 'n'}")
    if count and (again := read_line(text)):
        text = piped(again, f"head -n {count}")
    again = read_line(text)
    assert again
    return [Edit(piped(again, STRIP), f"-printf puts the {key} before each path, sort orders by it, cut takes it away")]


def _kept(text: str, count: int, why: str) -> Found:
    line = read_line(text)
    if line is None:
        return "that cannot be sorted"
    if not count:
        return [Edit(text, why)]
    return [Edit(one, f"{why}, head keeps {count}") for one in limited(line, count)]


def with_value_equals(line: Line, command: Command, name: str, value: str) -> str:
    for one in flags(command, name):
        return line.replaced(one.start, one.end, f"{name}={value}")
    return with_flag(line, command, f"{name}={value}")


def reverse(line: Line, found: re.Match[str]) -> Found:
    last = line.last
    if last.utility in ("sort", "ls"):
        if has_flag(last, "-r"):
            return [Edit(without_flags(line, last, "-r"), "the order turned back")]
        return [Edit(with_flag(line, last, "-r"), f"{last.utility} -r turns the order around")]
    if kind_of(last) == "git log":
        return [Edit(with_flag(line, last, "--reverse"), "git log --reverse turns the order around")]
    return [Edit(piped(line, "tac"), "tac prints the last line first")]


def count(line: Line, found: re.Match[str]) -> Found:
    while len(line.stages) > 1 and line.last.utility in ("sort", "tac"):
        line = read_line(without_stage(line, -1)) or line
    last = line.last
    if last.utility == "uniq" and has_flag(last, "-c"):
        return "it counts each already"
    if last.utility == "wc":
        return "it counts them already" if has_flag(last, "-l") else "wc counts already"
    if last.utility == "grep" and not has_flag(last, "-r", "-c", "-o", "-l", "-L") and len(last.words) < 4:
        return [Edit(with_flag(line, last, "-c"), "grep -c prints how many lines match")]
    if last.utility == "find" and any(one.name in ACTIONS - {"-print", "-prune"} for one in flags(last, *ACTIONS)):
        return "find's action leaves nothing to count"
    if last.utility == "ls" and has_flag(last, "-l"):
        line = read_line(without_flags(line, last, "-l", "-h", "-t", "-S", "-r")) or line
    elif last.utility == "ps" and len(line.stages) == 1:
        line = read_line(with_flag(line, last, "--no-headers")) or line
    elif kind_of(last) == "git log" and not has_flag(last, "--oneline"):
        line = read_line(with_flag(line, last, "--oneline")) or line
    elif kind_of(last) in ("docker ps", "docker images"):
        line = read_line(with_flag(line, last, "-q")) or line
    return [Edit(piped(line, "wc -l"), "wc -l counts the lines")]


def measure(line: Line, found: re.Match[str]) -> Found:
    """Words, characters or bytes, in place of lines where those are counted."""
    flag = {"words": "-w", "bytes": "-c"}.get(said(found, "what"), "-m")
    last = line.last
    if last.utility == "wc":
        bare = read_line(without_flags(line, last, "-l", "-w", "-c", "-m")) or line
        return [Edit(with_flag(bare, bare.last, flag), f"wc {flag} counts {said(found, 'what')}")]
    return [Edit(piped(line, f"wc {flag}"), f"wc {flag} counts {said(found, 'what')}")]


def sort_text(line: Line, found: re.Match[str]) -> Found:
    """In the order of the lines themselves, or of the numbers that they begin with."""
    flag = "-n" if said(found, "how") else ""
    if line.last.utility == "sort":
        return [Edit(with_flag(line, line.last, flag), "sort -n orders by number")] if flag else "it is sorted already"
    return [Edit(piped(line, f"sort {flag}".strip()), "sort puts the lines in order")]


def unique(line: Line, found: re.Match[str]) -> Found:
    if line.last.utility == "sort":
        return [Edit(with_flag(line, line.last, "-u"), "sort -u keeps one of each")]
    return [Edit(piped(line, "sort -u"), "sort -u keeps one of each")]


def counted(line: Line) -> bool:
    """Whether each line of it begins with how often it is there."""
    return any(one.utility == "uniq" and has_flag(one, "-c") for one in line.stages)


def tally(line: Line, found: re.Match[str]) -> Found:
    if counted(line):
        return "it counts each already"
    line = without_ends(line)
    count = number(said(found, "n") or said(found, "m", "0"))
    tail = f" | head -n {count}" if count else ""
    return [Edit(piped(line, f"sort | uniq -c | sort -rn{tail}"), "uniq -c counts each, most frequent first")]


def is_file_list(line: Line) -> bool:
    """Whether each line of what it prints is the name of a file."""
    last = line.last
    if last.utility == "grep":
        return has_flag(last, "-l", "-L")
    if last.utility == "find":
        return not any(one.name in ACTIONS - {"-print", "-prune"} for one in flags(last, *ACTIONS))
    if last.utility == "ls":  # of another folder it prints names that mean something else here
        elsewhere = any(not re.search(r"[*?]", word.text) for word in places(last))
        return not has_flag(last, "-l", "-R", "-s", "-i", "-Q", "-F") and not elsewhere
    if kind_of(last) in ("git ls-files", "locate", "fd"):
        return True
    if last.utility == "cut":
        return _ends_in_paths(line)
    if last.utility in ("head", "tail", "sort", "uniq", "tac", "grep") and len(line.stages) > 1:
        shorter = read_line(without_stage(line, -1))
        prefixed = has_flag(last, "-c", "-n", "-o", "-H") and last.utility in ("uniq", "grep")
        return shorter is not None and not prefixed and is_file_list(shorter)
    return False


def _ends_in_paths(line: Line) -> bool:
    """`find -printf '%s %p\\n' | sort | cut -d' ' -f2-` prints paths again."""
    return line.text.rstrip().endswith(STRIP) and line.first.utility == "find"
