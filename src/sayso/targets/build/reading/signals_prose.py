"""What documents ask for in words, and what the tree shows by its files: grammars, translations, manuals, tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.build.reading.markup import Line, read_lines
from sayso.targets.build.reading.signals import Signal
from sayso.targets.build.reading.tree import Evidence, SourceTree
from sayso.targets.build.reading.words import listed

ASKS = re.compile(
    r"\b(?:requires?|required|requirements?|needs?|needed|depend(?:s|ing|ency|encies)?|prerequisites?|must have|"
    r"install(?:ed)?|uses|"
    r"link(?:s|ed)? (?:with|against)|available from|or (?:later|newer|higher|above)|version|>=)\b",
    re.I,
)
SECTION = re.compile(r"requir|depend|prerequisite|need|librar|install|build|compil", re.I)
OPTIONAL = re.compile(
    r"\b(?:optional(?:ly)?|if you want|recommended|may|can be|support for|not required|without)\b", re.I
)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.+:/]+[A-Za-z0-9+]+)*\+*")
APT = re.compile(
    r"\b(?:apt(?:-get|itude)?|dnf|yum|zypper|apk|pacman|brew|port)\b[^|;&\n]*?\b(?:install|add|build-dep|-S)\b(.*)"
)
PACKAGE = re.compile(r"(?<![\w-])([a-z0-9][a-z0-9+.-]+)")
LONGEST_NAME, MOST_WORDS = 40, 1500
TREE_SUFFIXES = listed("suffixes")
TREE_NAMES = re.compile(
    r"(?:^|/)(Doxyfile(?:\.in)?|Makefile\.(?:am|PL|in)|Build\.PL|configure\.(?:ac|in)|configure|CMakeLists\.txt|meson\.build|setup\.(?:py|cfg)|pyproject\.toml|tox\.ini"
    r"|conf\.py|POTFILES(?:\.in)?|LINGUAS|autogen\.sh|gtk-doc\.make|intltool-\w+(?:\.in)?|dune(?:-project)?|_oasis|META|build\.xml|pom\.xml|go\.mod|Cargo\.toml|package\.json|Rakefile"
    r"|.*-docs?\.(?:xml|sgml)|xmake\.lua|SConstruct|wscript|conftest\.py|pytest\.ini|\w+\.gemspec|\w+\.cabal|\w+\.opam|cpanfile|dist\.ini|acinclude\.m4|aclocal\.m4|ltmain\.sh|config\.rpath|mkinstalldirs|runtests?\w*"
    r"|\w+\.bash-completion|bash-completion|completions?|systemd|dbus|polkit|udev|pam|locale|po|t|xt|tests?|testsuite|spec|examples?|docs?|man|python|perl|ruby|java|lua|tcl|php|gtest|catch\.hpp|vendor|third_party|contrib|debian)(?:/|$)",
)  # fmt: skip


def prose(path: str, text: str) -> Iterator[Signal]:
    """Names in lines that ask for something, or in sections about it; each once a document."""
    seen: set[tuple[str, str]] = set()
    for line in read_lines(text):
        if line.form in ("blank", "fence"):
            continue
        for signal in asked_in(path, line):
            if (signal.kind, signal.name) not in seen and len(seen) < MOST_WORDS:
                seen.add((signal.kind, signal.name))
                yield signal


def asked_in(path: str, line: Line) -> Iterator[Signal]:
    evidence = Evidence(path, line.number, line.text.strip()[:120])
    text = line.bare
    if asked := APT.search(text):
        for word in PACKAGE.findall(asked[1]):
            yield Signal("debian", word, evidence)
    strong, inside = bool(ASKS.search(text)), bool(SECTION.search(line.section))
    optional = bool(OPTIONAL.search(text))
    kind = "prose" if strong and inside else "prose-line" if strong else "prose-section" if inside else "word"
    for word in NAME.findall(text):
        if 2 < len(word) <= LONGEST_NAME:
            yield Signal(kind, word.lower().rstrip(".:/"), evidence, optional)


def tree_signals(tree: SourceTree) -> Iterator[Signal]:
    """One for each kind of file and each telling name, with the first path that shows it."""
    seen: dict[str, str] = {}
    for path, _ in tree.files:
        name = path.rpartition("/")[2]
        for suffix in TREE_SUFFIXES:
            if name.endswith(suffix):
                seen.setdefault(f"*{suffix}", path)
        if match := TREE_NAMES.search(path):
            seen.setdefault(match[1], path)
            if "/" not in path:
                seen.setdefault(f"/{match[1]}", path)
    for name, path in seen.items():
        yield Signal("tree", name, Evidence(path, 0, ""))
