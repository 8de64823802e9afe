"""What a log says went wrong, by class: a table of what compilers and build tools print, written for no package."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAIL = 60_000
"""Characters of a log that are read, from its end."""


@dataclass(frozen=True)
class Failure:
    """`kind` is a class of the table; `what` the name that the message holds; `line` the message itself."""

    kind: str
    what: str = ""
    line: str = ""


TABLE: tuple[tuple[str, str], ...] = (
    ("network", r"(?i)could not resolve (?:host|proxy)|temporary failure in name resolution|network is unreachable|failed to clone|unable to access 'https?"),
    ("stale autotools", r"'?(?P<what>(?:aclocal|automake|autoconf)[\d.-]*)'? is missing on your system|(?P<w2>aclocal-[\d.]+|automake-[\d.]+): (?:command )?not found|version mismatch.  This is (?P<w3>Automake|libtool)|(?P<w4>Version mismatch error).  This is libtool"),
    ("no configure", r"(?:\./|: )(?P<what>configure): (?:not found|No such file|Permission denied)|can't open '?(?P<w2>configure)"),
    ("no makefile", r"no makefile found|does not appear to contain (?P<what>CMakeLists\.txt)|Neither (?P<w2>[\w/.-]*) (?:nor|directory contains)"),
    ("no install", r"No rule to make target '?`?(?P<what>install)'"),
    ("no rule", r"No rule to make target '?`?(?P<what>[^'\s,]+)'?"),
    ("nothing there", r"(?:install|cp): cannot stat '(?P<what>[^']+)'|(?P<w2>cp: missing destination)"),
    ("missing header", r"fatal error: (?P<what>[^\s:]+\.\w+|[\w/]+): No such file or directory|error: .*?\bcannot find (?P<w2>[\w/]+\.h)"),
    ("missing library", r"cannot find -l(?::)?(?P<what>[\w.+-]+)|library '?(?P<w2>[\w.+-]+)'? not found"),
    ("missing package", r"(?i)No package '(?P<what>[^']+)' found|Package '?(?P<w2>[\w.+-]+)'?,? .*?not found|Dependency \"(?P<w3>[^\"]+)\" not found|Could NOT find (?P<w4>\w+)|configuration file provided by \"(?P<w5>[^\"]+)\"|Can't locate (?P<w6>[\w/]+)\.pm|No module named '?(?P<w7>[\w.]+)|BackendUnavailable|Cannot import '(?P<w8>[\w.]+)'"),
    ("missing tool", r"(?:^|[\s:])(?P<what>[\w.+-]+): (?:command )?not found|Program '?(?P<w2>[\w.+-]+)'? (?:found: NO|not found)|make(?:\[\d+\])?: (?P<w3>[\w.+-]+): No such file or directory|(?P<w4>[\w.+-]+) is required|configure: error: (?P<w5>\w+) (?:is )?(?:required|not found)"),
    ("warnings as errors", r"\[-Werror(?:=[\w-]+)?\]|warnings being treated as errors"),
    ("wants fPIC", r"recompile with -fPIC"),
    ("common symbols", r"multiple definition of"),
    ("missing maths", r"undefined reference to (?:symbol )?['`](?P<what>pow|sqrt|exp|log|sin|cos|floor|ceil|fmod|atan2?|log10|tan|round|lround)(?:@@[\w.]+)?'"),
    ("missing symbols", r"undefined reference to (?:symbol )?['`](?P<what>\w+)"),
    ("wants root", r"(?i)(?P<what>ldconfig|chown|chgrp|cannot change owner(?:ship)?|invalid user|invalid group)[^\n]*|Operation not permitted"),
    ("wrong prefix", r"(?:cannot (?:create|remove|stat|overwrite)[^\n]*?['‘](?P<what>/(?!tmp|home)[^'’]+)['’]|(?P<w2>/(?!tmp|home|dev)[\w./+-]+)[^\n]{0,40}): (?:Permission denied|Read-only file system|No such file or directory)"),
    ("tests", r"(?m)^(?:FAIL: |# FAIL:\s+[1-9]|\d+% tests passed, [1-9]\d* tests failed)|\*\*\* \[[^\]]*(?:check|test)[^\]]*\] Error"),
    ("newer language", r"(?i)ISO C\+\+\d\d does not allow|error: .*(?:only available with|requires) .?-?-?std=|ISO C99|register.*storage class specifier"),
    ("wrong option", r"(?i)unrecognized option:? ['`]?(?P<what>[^\s'`]+)|unknown option[: ]+['`\"]?(?P<w2>[^\s'`\"]+)|no such option:? (?P<w3>\S+)"),
    ("configure failed", r"configure: error: (?P<what>[^\n]*)|CMake Error[^\n]*|meson\.build:\d+:\d+: ERROR: (?P<w2>[^\n]*)"),
)  # fmt: skip
COMPILED = tuple((kind, re.compile(pattern, re.M)) for kind, pattern in TABLE)


def read_failure(log: str, stopped: str = "") -> Failure:
    """The first class of the table that the end of a log speaks of; "unknown" where none is."""
    if stopped:
        return Failure("never ended" if stopped in ("cpu", "wall") else "too much", stopped)
    text = log[-TAIL:]
    for kind, pattern in COMPILED:
        found = None
        for found in pattern.finditer(text):
            if kind not in ("wrong prefix", "missing tool", "no rule"):
                break
        if found is None:
            continue
        what = next((value for value in found.groupdict().values() if value), "")
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        return Failure(kind, what.strip(), text[start : end if end >= 0 else len(text)].strip()[:300])
    last = [line.strip() for line in text.splitlines() if line.strip()]
    return Failure("unknown", "", last[-1][:300] if last else "")
