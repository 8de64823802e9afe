"""Follow-ups on how results are printed: "as csv", "full paths", "only the names", "with 3 lines of context"."""

from __future__ import annotations

import re

from sayso.targets.bash.follow_up.deeds import without_display
from sayso.targets.bash.follow_up.order import is_file_list
from sayso.targets.bash.follow_up.words import Edit, Found, number, said
from sayso.targets.bash.syntax.line_edits import (
    Line,
    has_flag,
    kind_of,
    piped,
    places,
    read_line,
    unwrapped,
    with_flag,
    with_test,
    without_flags,
)
from sayso.targets.bash.syntax.quote import quote


def as_csv(line: Line, found: re.Match[str]) -> Found:
    last = line.last
    if last.utility == "du":
        return [Edit(piped(line, "tr '\\t' ','"), "tr puts a comma between size and path")]
    if last.utility == "find" and is_file_list(line):
        base = read_line(without_flags(line, last, "-print", "-ls")) or line
        text = with_test(base, base.first, "-printf '%p,%s,%TY-%Tm-%Td\\n'")
        return [Edit(text, "-printf writes path, size and date")] if text else "that find is too involved to change"
    if kind_of(last) == "git log":
        base = read_line(without_flags(line, last, "--oneline", "--format", "--pretty")) or line
        return [Edit(with_flag(base, base.last, "--format='%h,%an,%ad,%s'"), "--format writes commas between fields")]
    return [Edit(piped(line, "awk -v OFS=, '{$1=$1; print}'"), "awk puts commas between the columns")]


def as_one_line(line: Line, found: re.Match[str]) -> Found:
    glue = "," if "comma" in found[0].lower() else " "
    return [Edit(piped(line, f"paste -sd {quote(glue)}"), "paste -s joins the lines")]


def as_json(line: Line, found: re.Match[str]) -> Found:
    flag = {"docker ps": "--format json", "lsblk": "-J", "ip addr": "-j", "ip": "-j", "journalctl": "-o json"}
    name = kind_of(line.last)
    for key in (name, line.last.utility):
        if key in flag:
            return [Edit(with_flag(line, line.last, flag[key]), f"{flag[key]} writes JSON")]
    return [Edit(piped(line, "jq -R . | jq -s ."), "jq makes a list of the lines")]


def names_only(line: Line, found: re.Match[str]) -> Found:
    last = line.last
    if last.utility == "find" and is_file_list(line):
        base = read_line(without_flags(line, last, "-print")) or line
        text = with_test(base, base.first, "-printf '%f\\n'")
        return [Edit(text, "-printf '%f' prints the name without the folders")] if text else "too involved to change"
    if last.utility == "ls" and has_flag(last, "-l"):
        return [Edit(without_flags(line, last, "-l", "-h"), "without -l, ls prints only names")]
    if last.utility == "grep":
        return [Edit(with_flag(line, last, "-l"), "grep -l prints only the names of files")]
    if kind_of(last) in ("git diff", "git show"):
        return [Edit(with_flag(line, last, "--name-only"), "--name-only prints only names")]
    if is_file_list(line):
        return [Edit(piped(line, "xargs -d '\\n' -r -n 1 basename"), "basename takes the folders away")]
    return f"the results of {last.utility} are no file names"


def full_paths(line: Line, found: re.Match[str]) -> Found:
    first = line.first
    if first.utility == "find" and len(line.stages) == 1:
        words = list(places(first))
        if words and words[0].text in (".", "./"):
            return [Edit(line.replaced(words[0].start, words[0].end, '"$PWD"'), 'from "$PWD", find prints full paths')]
        if words and words[0].text.startswith(("/", "~", '"$PWD"')):
            return "it prints full paths already"
    if is_file_list(without_display(line)):
        return [Edit(piped(without_display(line), "xargs -d '\\n' -r realpath --"), "realpath prints full paths")]
    return f"the results of {line.last.utility} are no paths"


def context(line: Line, found: re.Match[str]) -> Found:
    """Lines around each match of grep."""
    last = next((unwrapped(one) for one in reversed(line.stages) if unwrapped(one).utility in ("grep", "rg")), None)
    if last is None:
        return f"{line.last.utility} has no matches to show lines around"
    where = said(found, "where")
    flag = "-A" if where in ("after", "below", "following") else "-B" if where in ("before", "above") else "-C"
    base = read_line(without_flags(line, last, flag)) or line
    grep = next(unwrapped(one) for one in reversed(base.stages) if unwrapped(one).utility in ("grep", "rg"))
    return [Edit(with_flag(base, grep, f"{flag} {number(said(found, 'n', '2'))}"), f"{flag} shows lines around")]
