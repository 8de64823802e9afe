"""Follow-ups on what is done and how it runs: "delete them", "save it to out.txt", "as root"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.narrow import as_find, constant
from sayso.targets.bash.follow_up.order import is_file_list
from sayso.targets.bash.follow_up.outcome import reads, written_back
from sayso.targets.bash.follow_up.words import UNKNOWN, Edit, Found, number, said
from sayso.targets.bash.knowledge.utilities import find_subcommand, find_utility
from sayso.targets.bash.syntax.line_edits import (
    ACTIONS,
    Line,
    end_of_arguments,
    flags,
    has_flag,
    kind_of,
    piped,
    read_line,
    unwrapped,
    with_flag,
    with_test,
    without_flags,
    without_stage,
    words_of,
)
from sayso.targets.bash.syntax.quote import quote, quote_path
from sayso.targets.bash.syntax.tree import Operand

VERBS = {
    "delete": "rm --", "move": "mv -t {to} --", "copy": "cp -t {to} --", "open": "xdg-open", "view": "less --",
    "size": "du -ch --", "lines": "wc -l --",
}  # fmt: skip
# What is said for each.
HANDED = {
    "move": "move|put",
    "copy": "copy",
    "open": "open",
    "view": "view|read|page",
    "size": "size|total|how (?:big|large|much)",
    "lines": "(?:count |how many )?(?:the )?lines",
}


FOLLOWS = ("tail", "journalctl", "docker logs")
"""What has a flag to show what comes."""


def delete(line: Line, found: re.Match[str]) -> Found:
    base = without_display(line)
    if base.first.utility == "ls" and len(base.stages) == 1 and not is_file_list(base):
        base = as_find(base) or base  # names in another folder mean something else here
    first = base.first
    if first.utility == "find" and len(base.stages) == 1:
        if any(one.name not in ("-print", "-print0") for one in flags(first, *ACTIONS)):
            return f"find already does something else with them ({flags(first, *ACTIONS)[0].name})"
        base = read_line(without_flags(base, first, "-print", "-print0")) or base
        folders = any(one.values and one.values[0].value == "d" for one in flags(base.first, "-type"))
        action = "-exec rm -r -- {} +" if folders and not has_flag(base.first, "-empty") else "-delete"
        asks = with_test(base, base.first, "-ok rm -r -- {} \\;" if folders else "-ok rm -- {} \\;")
        text = with_test(base, base.first, action)
        if not text:
            return "that find is too involved to change"
        second = [Edit(asks, "-ok asks before each one", 0.6)] if asks else []
        return [Edit(text, f"{action.split(' --')[0]} removes what was found"), *second]
    if not is_file_list(base):
        return f"the results of {base.last.utility} are no files to delete"
    return [Edit(handed(base, VERBS["delete"]), "xargs hands the names to rm")]


def hand_over(line: Line, found: re.Match[str]) -> Found:
    """Move, copy, open or measure what was found."""
    verb = next(name for name, words in HANDED.items() if re.match(words, said(found, "verb")))
    to = quote_path(constant(found["text"])) if found.groupdict().get("text") else ""
    command = VERBS[verb].format(to=to)
    base = without_display(line)
    if base.first.utility == "ls" and len(base.stages) == 1 and not is_file_list(base):
        base = as_find(base) or base
    first = base.first
    if first.utility == "find" and len(base.stages) == 1 and is_file_list(base):
        base = read_line(without_flags(base, first, "-print")) or base
        text = with_test(base, base.first, f"-exec {command} {{}} +".replace("-- {}", "{}"))
        return [Edit(text, f"-exec runs {command.split()[0]} on what was found")] if text else "too involved to change"
    if not is_file_list(base):
        return f"the results of {base.last.utility} are no files"
    return [Edit(handed(base, command), f"xargs hands the names to {command.split()[0]}")]


def tool_on_each(line: Line, found: re.Match[str]) -> Found:
    """A tool that is named, on the files that were found: "gzip each of them"."""
    tool = said(found, "tool")
    entry = find_utility(tool)
    if entry is None or not any(kind in ("File…", "Path…") for kind in entry.operands) or entry.operands[1:]:
        return f'{UNKNOWN} "{found[0]}"'
    base = without_display(line)
    if not is_file_list(base):
        return f"the results of {base.last.utility} are no files"
    first = base.first
    if first.utility == "find" and len(base.stages) == 1:
        base = read_line(without_flags(base, first, "-print")) or base
        text = with_test(base, base.first, f"-exec {tool} {{}} +")
        return [Edit(text, f"-exec runs {tool} on what was found")] if text else "too involved to change"
    return [Edit(handed(base, f"{tool} --"), f"xargs hands the names to {tool}")]


def handed(line: Line, command: str) -> str:
    """Names, one a line, as arguments; NULs between them where grep can write those."""
    if line.last.utility == "grep" and has_flag(line.last, "-l", "-L") and len(line.stages) == 1:
        zero = read_line(with_flag(line, line.last, "-Z")) or line
        return piped(zero, f"xargs -0 -r {command}")
    return piped(line, f"xargs -d '\\n' -r {command}")


def without_display(line: Line) -> Line:
    """Without the parts that only show: `ls -l` -> `ls`, a last `wc -l`, find's -ls."""
    while len(line.stages) > 1 and line.last.utility in ("wc", "less", "more", "nl"):
        line = read_line(without_stage(line, -1)) or line
    if line.first.utility == "ls" and has_flag(line.first, "-l"):
        line = _without_title(line)
        line = read_line(without_flags(line, line.first, "-l", "-h", "-s")) or line
    if line.first.utility == "find" and has_flag(line.first, "-ls"):
        line = read_line(without_flags(line, line.first, "-ls")) or line
    return line


def _without_title(line: Line) -> Line:
    """`ls -l | head -n 6` shows five: its first line is no file, and goes with the -l."""
    second = line.stages[1] if len(line.stages) > 1 else None
    for one in flags(second, "-n") if second and second.utility == "head" else ():
        if one.values and (one.values[0].value or "").isdigit():
            count = int(one.values[0].value or 0) - 1
            return read_line(line.replaced(one.start, one.end, f"-n {max(count, 0)}")) or line
    return line


def archive(line: Line, found: re.Match[str]) -> Found:
    name = quote_path(constant(found["text"])) if found.groupdict().get("text") else "archive.tar.gz"
    base = without_display(line)
    if not is_file_list(base):
        return f"the results of {base.last.utility} are no files"
    if name.endswith(".zip"):
        return [Edit(piped(base, f"zip {name} -@"), "zip -@ reads the names")]
    if base.first.utility == "find" and len(base.stages) == 1:
        text = with_test(read_line(without_flags(base, base.first, "-print")) or base, base.first, "-print0")
        again = read_line(text) if text else None
        if again:
            return [Edit(piped(again, f"tar -czf {name} --null -T -"), "tar -T - reads the names")]
    return [Edit(piped(base, f"tar -czf {name} -T -"), "tar -T - reads the names")]


def save(line: Line, found: re.Match[str]) -> Found:
    name = constant(found["text"]) if found.groupdict().get("text") else "output.txt"
    sign = ">>" if re.search(r"append|\badd|>>|end of", found[0], re.I) else ">"
    if sign == ">" and (word := reads(line, name)):
        return written_back(line, word)
    for one in line.stages[-1].redirects:
        if one.operator in (">", ">>") and one.descriptor in ("", "1"):
            return [Edit(line.replaced(one.start, one.end, f"{sign} {quote_path(name)}"), f"written to {name}")]
    at = line.stages[-1].end
    return [Edit(line.replaced(at, at, f" {sign} {quote_path(name)}"), f"{sign} writes to {name}")]


def also_shown(line: Line, found: re.Match[str]) -> Found:
    name = quote_path(constant(found["text"])) if found.groupdict().get("text") else "output.txt"
    return [Edit(piped(line, f"tee {name}"), f"tee shows it and writes it to {name}")]


def as_root(line: Line, found: re.Match[str]) -> Found:
    if line.stages[0].utility in ("sudo", "doas"):
        return "it runs as root already"
    return [Edit(line.replaced(line.stages[0].start, line.stages[0].start, "sudo "), "sudo runs it as root")]


def not_as_root(line: Line, found: re.Match[str]) -> Found:
    first = line.stages[0]
    if first.utility not in ("sudo", "doas"):
        return "it does not run as root"
    return [Edit(line.replaced(first.start, line.first.start, ""), "as the user who runs it")]


def uncounted(line: Line, found: re.Match[str]) -> Found:
    """What was counted, itself."""
    if line.last.utility == "wc" and len(line.stages) > 1:
        return [Edit(without_stage(line, -1), "without wc, it is listed")]
    if has_flag(line.last, "-c") and line.last.utility == "grep":
        return [Edit(without_flags(line, line.last, "-c"), "without -c, grep prints the lines")]
    return "it does not count"


def either(line: Line, found: re.Match[str]) -> Found:
    """A second pattern for grep."""
    last = line.last
    words = [one for one in last.arguments if isinstance(one, Operand)]
    if last.utility != "grep" or not words or has_flag(last, "-e", "-f"):
        return f"{last.utility} searches for nothing"
    first, more = words[0].word, quote(constant(found["text"]))
    return [Edit(line.replaced(first.start, first.end, f"-e {first.text} -e {more}"), "-e gives each pattern")]


def mine(line: Line, found: re.Match[str]) -> Found:
    first = line.first
    if kind_of(first) == "git log":
        return [Edit(with_flag(line, first, '--author="$(git config user.name)"'), "only commits under your name")]
    if first.utility == "ps":
        rest = line.replaced(first.words[0].end, first.words[-1].end, ' -f -u "$USER"')
        return [Edit(rest, "ps -u shows those of a user")]
    if first.utility == "find":
        text = with_test(line, first, '-user "$USER"')
        return [Edit(text, "-user keeps those of a user")] if text else "that find is too involved to change"
    return f"{first.utility} cannot choose by that"


def in_background(line: Line, found: re.Match[str]) -> Found:
    return "it does already" if line.text.endswith("&") else [Edit(f"{line.text} &", "& runs it in the background")]


def quiet(line: Line, found: re.Match[str]) -> Found:
    first = line.stages[0]
    if any(one.descriptor == "2" for one in first.redirects):
        return "its errors are hidden already"
    at = end_of_arguments(first)
    return [Edit(line.replaced(at, at, " 2>/dev/null"), "2>/dev/null hides error messages")]


def watched(line: Line, found: re.Match[str]) -> Found:
    if line.stages[0].utility == "watch":
        return "it is repeated already"
    if not said(found, "n") and kind_of(line.last) in FOLLOWS:
        return f"{kind_of(line.last)} goes on by itself"
    every = f"-n {number(said(found, 'n'))} " if said(found, "n") else ""
    plain = len(line.stages) == 1 and len(line.script.items) == 1 and re.fullmatch(r"[\w\s./=-]+", line.text)
    what = line.text if plain else quote(line.text)
    return [Edit(f"watch {every}{what}", "watch repeats it")]


def timed(line: Line, found: re.Match[str]) -> Found:
    return [Edit(f"time {line.text}", "time says how long it took")]


def named_flag(line: Line, found: re.Match[str]) -> Found:
    """ "add -h", "with --color", "without -l": a flag that is named, where the utility has it."""
    name = found["flag"]
    for command in reversed(line.stages):
        first = unwrapped(command)
        if re.match(r"without|no|drop|remove", found[0], re.I):
            if has_flag(first, name):
                return [Edit(without_flags(line, first, name), f"without {name}")]
            continue
        entry = find_subcommand(first.utility, [one.value or "" for one in words_of(first)]) or find_utility(
            first.utility
        )
        known = entry.flag(name.split("=")[0]) if entry else None
        if known and (not known.arguments or known.optional or "=" in name):
            flag, equals, given = name.partition("=")
            written = f"{flag}={quote(given)}" if equals else flag
            return [Edit(with_flag(line, first, written), f"{flag}: {known.gloss}" if known.gloss else f"with {flag}")]
    return f"{kind_of(line.last)} has no flag {name} that is known here"
