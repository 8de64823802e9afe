"""What a tarball of upstream holds, read without unpacking it: its tree, documents and build files, all of them capped.

Paths lose the folder that everything lies in; `debian/` is the distribution's and is left out.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, cast

from sayso.core.errors import BadFile
from sayso.core.given import open_plain
from sayso.core.packed import CHUNK, MEMORY
from sayso.targets.build.corpus.records import Document, Entry

MOST_BYTES, MOST_MEMBERS, MOST_ENTRIES = 256 << 20, 100_000, 400
MOST_DOCUMENTS, LONGEST_DOCUMENT = 12, 20_000
MOST_OTHERS, LONGEST_OTHER = 5, 4_000
MOST_BUILD_FILES, LONGEST_BUILD_FILE = 10, 12_000

DOCUMENTS = re.compile(r"(read[-_ ]?me|install|build|building|compil|hacking|contributing|quick[-_]?start)", re.I)
OTHERS = re.compile(r"(copying|licen[cs]e|authors|changelog|changes|news|todo|faq|thanks|credits)", re.I)
ENDINGS = re.compile(r"(\.(md|txt|rst|html?|org|pod|a(scii)?doc|markdown|1st|linux|unix))?", re.I)

BUILD_SYSTEMS: dict[str, str] = {
    r"configure\.(ac|in)|Makefile\.am": "autotools",
    r"CMakeLists\.txt": "cmake",
    r"meson\.build": "meson",
    r"configure": "configure",
    r"(Makefile|Build)\.PL": "perl",
    r"setup\.py|pyproject\.toml|setup\.cfg": "python",
    r"go\.mod": "go",
    r"Cargo\.toml": "cargo",
    r"pom\.xml": "maven",
    r"build\.xml": "ant",
    r"build\.gradle(\.kts)?": "gradle",
    r".*\.cabal": "cabal",
    r"dune-project|_oasis": "ocaml",
    r".*\.gemspec|Rakefile": "ruby",
    r".*\.pro": "qmake",
    r"SConstruct": "scons",
    r"wscript": "waf",
    r"package\.json": "node",
    r"(GNUm|[Mm])akefile": "make",
}
"""File name -> build system; where a tree has several, the first here counts."""
NOT_READ = {"configure"}  # made by autoconf, and long


@dataclass(frozen=True)
class Upstream:
    """The part of a record that systems may read."""

    documents: tuple[Document, ...]
    tree: tuple[Entry, ...]
    build_files: tuple[Document, ...]
    build_system: str


class Xz:
    """What an .xz file holds; its header may ask for four gigabytes of memory, and gets a part of that."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.frame = file, lzma.LZMADecompressor(memlimit=MEMORY)

    def read(self, size: int) -> bytes:
        while True:
            if self.frame.eof:
                rest = (self.frame.unused_data or self.file.read(CHUNK)).lstrip(b"\0")
                if not rest:
                    return b""
                self.frame = lzma.LZMADecompressor(memlimit=MEMORY)
            else:
                rest = self.file.read(CHUNK) if self.frame.needs_input else b""
                if self.frame.needs_input and not rest:
                    raise EOFError("it ends before the end of what was packed")
            if content := self.frame.decompress(rest, size):
                return content


class Capped(io.RawIOBase):
    """A stream that ends in BadFile after so many bytes: a small file may unpack to any number of them."""

    def __init__(self, inner: IO[bytes], name: str, most: int) -> None:
        self.inner, self.name, self.left, self.most = inner, name, most, most

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        content = self.inner.read(min(size if size >= 0 else 1 << 20, 1 << 20))
        self.left -= len(content)
        if self.left < 0:
            raise BadFile(f"{self.name} unpacks to more than {self.most:,} bytes", "nothing that large is read")
        return content


@contextmanager
def opened_stream(path: Path, most: int) -> Iterator[Capped]:
    """What a file packed with gzip, bzip2, xz or nothing holds; anything wrong with it is a BadFile."""
    try:
        with open_plain(path) as file:
            start = file.peek(6)[:6]
            inner: IO[bytes] = file
            if start.startswith(b"\x1f\x8b"):
                inner = cast(IO[bytes], gzip.GzipFile(fileobj=file))
            elif start.startswith(b"BZh"):
                inner = cast(IO[bytes], bz2.BZ2File(file))
            elif start.startswith(b"\xfd7zXZ"):
                inner = cast(IO[bytes], Xz(file))
            yield Capped(inner, path.name, most)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError) as error:
        raise BadFile(f"{path.name} cannot be read: {error}", "get it again") from error


def members(path: Path) -> Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
    """The members of a tarball in order; read one before asking for the next."""
    with opened_stream(path, MOST_BYTES) as stream:
        try:
            with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", errorlevel=1) as archive:
                for number, member in enumerate(archive):
                    if number >= MOST_MEMBERS:
                        raise BadFile(
                            f"{path.name} has more than {MOST_MEMBERS:,} members", "nothing that large is read"
                        )
                    yield member, archive
        except (ValueError, RecursionError, OverflowError) as error:
            raise BadFile(f"{path.name} cannot be read: {error}", "get it again") from error


def read_upstream(path: Path) -> Upstream:
    entries: list[Entry] = []
    documents: list[Document] = []
    others: list[Document] = []
    build_files: list[Document] = []
    for member, archive in members(path):
        inside = cleaned(member.name)
        if not inside or member.isdir() or "debian" in inside.split("/")[:2]:
            continue
        points = member.linkname if member.islnk() or member.issym() else ""
        entries.append(Entry(inside, member.size if member.isfile() else 0, points))
        name = PurePosixPath(inside)
        if not member.isfile() or len(name.parts) > 4:
            continue
        for fits, found, longest in (
            (is_document(name, DOCUMENTS), documents, LONGEST_DOCUMENT),
            (is_document(name, OTHERS), others, LONGEST_OTHER),
            (bool(system_of(name.name)) and name.name not in NOT_READ, build_files, LONGEST_BUILD_FILE),
        ):
            if fits:
                found.append(Document(inside, text_of(archive, member, longest), member.size))
                break
    tops = {one.path.partition("/")[0] for one in entries}
    top = f"{tops.pop()}/" if len(tops) == 1 else ""
    shallow = sorted((replace(one, path=one.path.removeprefix(top)) for one in entries), key=depth)
    return Upstream(
        (*shallowest(documents, top, MOST_DOCUMENTS), *shallowest(others, top, MOST_OTHERS)),
        tuple(shallow[:MOST_ENTRIES]),
        shallowest(build_files, top, MOST_BUILD_FILES),
        build_system(shallow),
    )


def cleaned(name: str) -> str:
    """ "./foo-1.0/src/a.c" -> "foo-1.0/src/a.c"; "" for a path that leaves the tree."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return "" if ".." in parts else "/".join(parts)


def depth(one: Entry | Document) -> tuple[int, str]:
    return one.path.count("/"), one.path


def is_document(name: PurePosixPath, pattern: re.Pattern[str]) -> bool:
    return bool(pattern.match(name.name) and (ENDINGS.fullmatch(name.suffix) or name.name.isupper()))


def text_of(archive: tarfile.TarFile, member: tarfile.TarInfo, longest: int) -> str:
    file = archive.extractfile(member)
    content = file.read(4 * longest) if file else b""
    return content.decode("utf-8", "replace").replace("\0", "\ufffd")[:longest]


def shallowest(found: list[Document], top: str, most: int) -> tuple[Document, ...]:
    return tuple(replace(one, path=one.path.removeprefix(top)) for one in sorted(found, key=depth)[:most])


def system_of(name: str) -> str:
    return next((system for pattern, system in BUILD_SYSTEMS.items() if re.fullmatch(pattern, name)), "")


def build_system(entries: list[Entry]) -> str:
    """By the files at the top, else by those one folder down, else "none"."""
    for level in (0, 1):
        names = [PurePosixPath(one.path).name for one in entries if one.path.count("/") == level]
        present = {system_of(name) for name in names}
        for system in BUILD_SYSTEMS.values():
            if system in present:
                return system
    return "none"
