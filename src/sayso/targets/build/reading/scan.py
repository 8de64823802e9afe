"""Every signal of a tree: each file read by the scanner of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sayso.targets.build.reading import signals_c as c
from sayso.targets.build.reading import signals_languages as languages
from sayso.targets.build.reading.documents import documents_of
from sayso.targets.build.reading.signals import Signal, Text
from sayso.targets.build.reading.signals_prose import prose, tree_signals
from sayso.targets.build.reading.tree import SourceTree

Scanner = Callable[[Text], Iterator[Signal]]
SCANNERS: tuple[tuple[re.Pattern[str], Scanner], ...] = (
    (
        re.compile(
            r"configure\.(?:ac|in)$|\.m4$|autogen\.sh$|bootstrap(?:\.sh)?$|buildconf(?:\.sh)?$|(?:^|/)configure$"
        ),
        c.autoconf,
    ),
    (re.compile(r"makefile(?:\.(?!pl$)\w+)?$|\.mk(?:\.in)?$|\.pr[oif]$|SConstruct$|wscript$", re.I), c.makefile),
    (re.compile(r"CMakeLists\.txt$|\.cmake$"), c.cmake),
    (re.compile(r"meson\.build$"), c.meson),
    (re.compile(r"(?:Makefile|Build)\.PL$|cpanfile$|dist\.ini$"), languages.perl),
    (re.compile(r"setup\.(?:py|cfg)$|requirements[\w.-]*\.txt$"), languages.python),
    (re.compile(r"pyproject\.toml$"), languages.pyproject),
    (re.compile(r"go\.mod$"), languages.go),
    (re.compile(r"Cargo\.toml$"), languages.cargo),
    (re.compile(r"pom\.xml$"), languages.maven),
    (re.compile(r"build\.xml$|\.classpath$"), languages.ant),
    (re.compile(r"\.gradle(?:\.kts)?$"), languages.gradle),
    (re.compile(r"\.cabal$|package\.yaml$"), languages.cabal),
    (re.compile(r"package\.json$"), languages.node),
    (re.compile(r"dune(?:-project)?$|opam$|\.opam$|_oasis$|(?:^|/)META$"), languages.ocaml),
    (re.compile(r"\.gemspec$|Gemfile$"), languages.ruby),
)


def scan(tree: SourceTree) -> Iterator[Signal]:
    """Build files first, nearest the top first, then documents, then the tree itself."""
    prosaic = documents_of(tree)
    for path in sorted(tree.texts, key=lambda path: (path.count("/"), path)):
        for pattern, scanner in SCANNERS:
            if pattern.search(path):
                yield from scanner(Text(path, tree.texts[path]))
    for path in sorted(prosaic, key=lambda path: (path.count("/"), path)):
        yield from prose(path, tree.texts[path])
    yield from tree_signals(tree)
