"""Debian's index of files read for names: which package brings a header, a .pc file, a module, a program.

The index is 46 MB, brought by `sayso data get contents`; a table of names made from it is embedded (names.py).
"""

from __future__ import annotations

import gzip
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from sayso.targets.build.reading.names import Known

LIB = r"usr/lib/(?:x86_64-linux-gnu/)?"
PY = "usr/lib/python3/dist-packages/"
PERL = r"usr/(?:share/perl5|share/perl/[\d.]+|lib/x86_64-linux-gnu/(?:perl5/[\d.]+|perl/[\d.]+|perl-base))/"
PATTERNS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    ("pkg-config", re.compile(r"usr/(?:lib/x86_64-linux-gnu|lib|share)/pkgconfig/([^/]+)\.pc"), lambda m: m[1]),
    (
        "cmake",
        re.compile(r"usr/(?:lib/x86_64-linux-gnu|lib|share)/(?:[^/]+/)?(?:cmake/)?[^/]+/([^/]+?)(?:Config|-config)\.cmake"),
        lambda m: m[1].lower(),
    ),
    ("library", re.compile(LIB + r"lib([^/]+)\.(?:so|a)"), lambda m: m[1]),
    ("header", re.compile(r"usr/include/(?:x86_64-linux-gnu/)?([^/]+\.h(?:pp|h)?)"), lambda m: m[1]),
    ("header", re.compile(r"usr/include/(?:x86_64-linux-gnu/)?([^/]+)/(?:[^/]+/)*[^/]+"), lambda m: m[1] + "/"),
    ("inner", re.compile(r"usr/include/(?:x86_64-linux-gnu/)?[^/]+/([^/]+\.h(?:pp|h)?)"), lambda m: m[1]),
    ("inner", re.compile(r"usr/include/(?:x86_64-linux-gnu/)?[^/]*[-.\d][^/]*/([^/]+)/[^/]+"), lambda m: m[1] + "/"),
    ("program", re.compile(r"(?:usr/)?s?bin/([^/]+)"), lambda m: m[1]),
    ("python", re.compile(PY + r"([A-Za-z]\w*)(?:\.py|\.cpython[^/]*\.so|/__init__\.py)"), lambda m: m[1].lower()),
    ("python", re.compile(PY + r"([A-Za-z][\w.]*?)-[\d.]+[^/]*\.(?:egg|dist)-info(?:/.*)?"), lambda m: m[1].lower()),
    ("perl", re.compile(PERL + r"((?:[A-Za-z]\w*/){0,2}\w+)\.pm"), lambda m: m[1].replace("/", "::")),
    ("go", re.compile(r"usr/share/gocode/src/([^/]+\.[^/]+/[^/]+/[^/]+|[^/]+\.[^/]+/[^/]+)/.*"), lambda m: m[1]),
    ("java", re.compile(r"usr/share/maven-repo/(.+)/([^/]+)/[^/]+/\2-[^/]+\.pom"), lambda m: m[2]),
    ("node", re.compile(r"usr/(?:share|lib)/nodejs/((?:@[^/]+/)?[^/]+)/package\.json"), lambda m: m[1]),
    ("ocaml", re.compile(r"usr/lib/ocaml/(?:[\d.]+/)?([^/]+)/META"), lambda m: m[1]),
    ("aclocal", re.compile(r"usr/share/aclocal(?:-[\d.]+)?/([^/]+)\.m4"), lambda m: m[1].lower()),
)  # fmt: skip
BY_NAME: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("haskell", re.compile(r"libghc-(.+)-dev")),
    ("rust", re.compile(r"librust-(.+?)(?:\+.*)?(?:-\d[\d.]*)?-dev")),
    ("ruby", re.compile(r"ruby-(.+)")),
    ("r", re.compile(r"r-(?:cran|bioc)-(.+)")),
    ("lua", re.compile(r"lua-(.+?)(?:-dev)?")),
    ("node", re.compile(r"node-(.+)")),
)
CLEAR = 0.8
"""A name stands for a source where at least this share of the files that bear it are of that source."""


def sources() -> dict[str, str]:
    """Binary package -> its source, as this machine's apt knows them."""
    said = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, check=True).stdout.decode(
        "utf-8", "replace"
    )
    found: dict[str, str] = {}
    for paragraph in said.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if re.match(r"(?:Package|Source): ", line))
        if "Package" in fields:
            found[fields["Package"]] = fields.get("Source", fields["Package"]).split()[0]
    return found


def files(path: Path) -> Iterator[tuple[str, str]]:
    """(path, binary package) of an index; a file of several packages is the first's."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            name, _, owner = line.rstrip("\n").rpartition(" ")
            yield name.rstrip(), owner.split(",", 1)[0].rpartition("/")[2]


def counted(
    rows: Iterable[tuple[str, str]], source_of: Mapping[str, str]
) -> dict[tuple[str, str], Counter[tuple[str, str]]]:
    found: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for path, binary in rows:
        source = source_of.get(binary)
        if source is None or path.startswith(("usr/share/doc", "usr/share/man", "usr/share/icons", "usr/share/locale")):
            continue
        for kind, pattern, name in PATTERNS:
            if match := pattern.fullmatch(path):
                found[kind, name(match)][source, binary] += 1
    return found


def settled(counts: Mapping[tuple[str, str], Counter[tuple[str, str]]]) -> Iterator[Known]:
    """One source a name, where one is clear; of its packages the one with most, a -dev where there is one."""
    for (kind, name), owners in counts.items():
        by_source: Counter[str] = Counter()
        for (source, _), n in owners.items():
            by_source[source] += n
        source, n = by_source.most_common(1)[0]
        clear = n / by_source.total() >= (1.0 if kind == "inner" else CLEAR) or plainly(name, source)
        if clear:
            binaries = {binary: n for (owner, binary), n in owners.items() if owner == source}
            best = max(binaries, key=lambda binary: (binary.endswith("-dev"), binaries[binary], -len(binary), binary))
            yield Known("header" if kind == "inner" else kind, name, best, source)


def plainly(name: str, source: str) -> bool:
    return source.lower() in (name.rstrip("/").lower(), "lib" + name.lower())


def names_in(paths: Iterable[Path], source_of: Mapping[str, str]) -> dict[tuple[str, str], Known]:
    """Every name of an index, by kind and name."""
    counts = counted((row for path in paths for row in files(path)), source_of)
    for binary, source in source_of.items():
        for kind, pattern in BY_NAME:
            if match := pattern.fullmatch(binary):
                counts[kind, match[1]][source, binary] += 1
    known: dict[tuple[str, str], Known] = {}
    # A header that stands at the top is meant before one that lies deeper.
    for one in sorted(settled(counts), key=lambda one: (one.kind, one.name)):
        if "\t" not in one.name:
            known.setdefault((one.kind, one.name), one)
    return known
