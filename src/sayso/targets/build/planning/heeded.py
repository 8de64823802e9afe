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
    "make": re.compile(r"\b[Mm]akefile\b|`+make`+|\b(?:[Ww]ith|[Pp]lain|GNU) make\b"),
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
GENERIC = re.compile(r"generic installation instructions|^Basic Installation$", re.M)
"""The text that comes with every configure, which speaks of all that may go wrong with any of them."""
THIS = re.compile(r"(?i)\W*(?:this|it|that)\b")
NEAR, LONGEST_HEADING = 20, 60
MOST_TEXT = 60_000


def is_for_others(said: Said) -> bool:
    """Whether the heading above a command, or the line that leads to it, names other systems and not ours."""
    return any(OTHERS.search(text) and not OURS.search(text) for text in (said.lead, said.section))


def ways_heeded(ground: Ground) -> tuple[dict[str, Evidence], dict[str, Evidence]]:
    """Build systems that documents advise against, and those that they advise, each with the line that does."""
    against: dict[str, Evidence] = {}
    advised: dict[str, Evidence] = {}
    for path in dict.fromkeys(one.cause.file for one in ground.said):
        text = ground.text(path)[:MOST_TEXT]
        if GENERIC.search(text):
            continue
        heading, at = "", 0
        for sentence in SENTENCE.split(text):
            at = max(at, text.find(sentence, at))
            if is_heading(sentence):
                heading = sentence
            for pattern, found in ((REFUSED, against), (ADVISED, advised)):
                word = pattern.search(sentence)
                if word is None or (pattern is ADVISED and NOT_ADVISED.search(sentence)):
                    continue
                names = systems_near(sentence, word) or (systems_near(heading) if THIS.match(sentence) else [])
                if len(names) == 1:
                    line = text.count("\n", 0, at + word.start()) + 1
                    found.setdefault(names[0], Evidence(path, line, text.splitlines()[line - 1].strip()))
    return against, advised


def is_heading(sentence: str) -> bool:
    words = sentence.strip()
    return words.startswith("#") or (len(words) <= LONGEST_HEADING and "\n" not in words and bool(systems_near(words)))


def systems_near(text: str, word: re.Match[str] | None = None) -> list[str]:
    """The build systems that a text names, close to a word of it where one is given."""
    found = []
    for name, pattern in WAYS.items():
        for match in pattern.finditer(text):
            if word is None or max(match.start() - word.end(), word.start() - match.end()) <= NEAR:
                found.append(name)
                break
    return found
