"""The embedded table of names: kind and name of a file that a build asks for -> the package that brings it."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).parent.parent / "data" / "names.tsv.gz"
KEPT = "build/contents/names.tsv.gz"
"""Below the cache: the same table from this machine's own index of files."""


class Known(NamedTuple):
    """A header, a .pc file, a module, a program …; the package that brings it, and the source of that package."""

    kind: str
    name: str
    package: str
    source: str


def write_table(rows: Iterable[Known]) -> bytes:
    """A line a name, in order; what repeats the line above is left empty. The same bytes for the same rows."""
    lines, before = [], ("", "", "", "")
    for one in sorted(rows, key=lambda one: (one.kind, one.source, one.package, one.name)):
        kind = "" if one.kind == before[0] else one.kind
        source = "" if one.source == before[3] else one.source
        package = "" if one.package == before[2] and not source else one.package
        lines.append(f"{kind}\t{source}\t{package}\t{one.name}\n")
        before = (one.kind, one.name, one.package, one.source)
    return gzip.compress("".join(lines).encode(), 9, mtime=0)


def read_table(path: Path = TABLE) -> Iterator[Known]:
    """The inverse of `write_table`; nothing where there is no table."""
    if not path.is_file():
        return
    kind = source = package = ""
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        new_kind, new_source, new_package, name = line.split("\t")
        kind, source, package = new_kind or kind, new_source or source, new_package or package
        yield Known(kind, name, package, source)
