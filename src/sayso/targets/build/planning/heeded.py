"""What documents say of the ways to build: one is recommended, one is broken, one is for other systems than ours."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sayso.targets.build.planning.plan import Ground, Said
from sayso.targets.build.reading.tree import Evidence

OTHERS = re.compile(
    r"(?i)\b(?:windows|win32|win64|ms-?dos|dos|mac ?osx?|os ?x|vms|amiga\w*|mingw\w*|cygwin|msys\d?|msvc|nmake|borland"
    r"|visual (?:c|studio)|turbo c|solaris|hp-?ux|aix|irix|android|ios|emscripten|haiku|homebrew|(?:free|open|net)bsd"
    r"|cross[- ]compil\w+)\b"
)
OURS = re.compile(r"(?i)\b(?:linux|unix\w*|posix|gnu|debian|ubuntu|fedora|gcc)\b|\*nix")
WAYS: Mapping[str, re.Pattern[str]] = {
    "autotools": re.compile(r"(?i)\./configure\b|\bconfigure script|\bautotools\b|\bautoconf\b"),
    "cmake": re.compile(r"(?i)\bcmake\b|CMakeLists"),
    "meson": re.compile(r"(?i)\bmeson\b"),
    "make": re.compile(r"\b[Mm]akefile\b|`+make`+|\bwith make\b|\bplain make\b|\bGNU make\b"),
    "scons": re.compile(r"(?i)\bscons\b|SConstruct"),
    "python": re.compile(r"setup\.py"),
}
SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:[-*#]|\d+[.)])\s)|,\s+(?:so|but)\s+")
REFUSED = re.compile(
    r"(?i)\b(?:do not|don't|never|please avoid|avoid|no need to|should not|shouldn't|must not)\s+(?:\w+\s+){0,2}?"
    r"(?:run|use|using|call|type|try|rely on|touch)\b|\b(?:deprecated|obsolete|unmaintained|unsupported|left ?over"
    r"|broken|experimental|no longer \w+|not (?:supported|maintained|recommended|complete|finished|working)"
    r"|(?:do|does) not (?:work|install|build)|(?:maintainers?|developers?|development|windows) only"
    r"|only for (?:maintainers|developers|development|windows))\b"
)
ADVISED = re.compile(
    r"(?i)\b(?:recommended|preferred|the supported way|officially supported|the usual way|easiest way)\b"
)
NOT_ADVISED = re.compile(r"(?i)\b(?:not|no longer|isn't)\s+(?:\w+\s+)?(?:recommended|preferred)")
MOST_TEXT = 60_000


def is_for_others(said: Said) -> bool:
    """Whether the heading above a command, or the line that leads to it, names other systems and not ours."""
    return any(OTHERS.search(text) and not OURS.search(text) for text in (said.lead, said.section))


def ways_heeded(ground: Ground) -> tuple[dict[str, Evidence], dict[str, Evidence]]:
    """Build systems that documents advise against, and those that they advise, each with the line that does.

    A sentence counts for the one system that it names; one that names none counts for the heading above it.
    """
    against: dict[str, Evidence] = {}
    advised: dict[str, Evidence] = {}
    for path in dict.fromkeys(one.cause.file for one in ground.said):
        text = ground.text(path)[:MOST_TEXT]
        heading = ""
        at = 0
        for sentence in SENTENCE.split(text):
            begins = text.find(sentence, at)
            at = max(at, begins)
            refused = REFUSED.search(sentence)
            favoured = ADVISED.search(sentence) and not NOT_ADVISED.search(sentence)
            own = [name for name, pattern in WAYS.items() if pattern.search(sentence)]
            if sentence.lstrip().startswith("#") or (len(sentence) < 60 and "\n" not in sentence.strip() and own):
                heading = sentence
            named = own or [name for name, pattern in WAYS.items() if pattern.search(heading)]
            if len(named) != 1 or not (refused or favoured):
                continue
            found = (refused or ADVISED.search(sentence)) if sentence else None
            line = text.count("\n", 0, begins + (found.start() if found else 0)) + 1
            evidence = Evidence(path, line, text.splitlines()[line - 1].strip() if text else "")
            (against if refused else advised).setdefault(named[0], evidence)
    return against, advised
