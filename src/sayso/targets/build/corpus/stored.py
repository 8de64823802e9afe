"""The stored corpus: one JSON object a line, packed with a long window, read as a stream (80 MB unpacked)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from sayso.core.errors import BadFile, MissingPart
from sayso.core.given import open_plain, parse_json
from sayso.core.packed import not_here
from sayso.targets.build.corpus.records import Binary, Document, Entry, Package, Recipe, Relation, from_json

FOLDER = "packages"
STORED, FETCHED = "packages.jsonl.zst", "fetched"
WINDOW = 1 << 27
LONGEST_LINE = 64 << 20
HINT = "`sayso data get packages` makes records from the machine's own package sources"
ALPINE_SCRIPTS = {"prepare": "prepare", "build": "build", "check": "check", "package": "install"}
VOID_SCRIPTS = {"do_configure": "configure", "do_build": "build", "do_check": "check", "do_install": "install"}


def read_packages(data: Path) -> Iterator[Package]:
    """The stored records, then those that `sayso data get packages` made here and that are not among them."""
    folder, seen = data / FOLDER, set()
    if not (folder / STORED).is_file() and not (folder / FETCHED).is_dir():
        raise not_here(folder / STORED, "packages", HINT)
    if (folder / STORED).is_file():
        for row in read_rows(folder / STORED):
            try:
                package = package_of(row)
            except (TypeError, KeyError, AttributeError) as error:
                raise BadFile(
                    f"{folder / STORED}: {row['name'][:80]} is not a package record: {error}", HINT
                ) from error
            seen.add(package.name)
            yield package
    for path in sorted((folder / FETCHED).glob("*.json")):
        if path.stem not in seen:
            yield read_fetched(path)


def read_fetched(path: Path) -> Package:
    try:
        with open_plain(path) as file:
            row = parse_json(file.read(LONGEST_LINE))
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} cannot be read: {error}", "delete it and run `sayso data get packages` again") from error
    if not isinstance(row, dict):
        raise BadFile(f"{path} is not a package record", "delete it and run `sayso data get packages` again")
    return from_json(row)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with unpacked(path) as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE):
            number += 1
            try:
                row = parse_json(line)
            except ValueError as error:
                raise BadFile(f"{path}:{number}: not JSON: {str(error)[:200]}", HINT) from error
            if not isinstance(row, dict) or not isinstance(row.get("name"), str):
                raise BadFile(f"{path}:{number}: not a package record", HINT)
            yield row


@contextmanager
def unpacked(path: Path) -> Iterator[io.BufferedReader]:
    """What a .zst file holds, as a stream; raises what tells the user why it cannot be read."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingPart(f"{path.name} needs the zstandard package", "pip install 'sayso[build]'") from error
    try:
        with open_plain(path) as file:
            stream = zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(file)
            yield io.BufferedReader(cast(io.RawIOBase, stream), 1 << 20)
    except FileNotFoundError as error:
        raise not_here(path, "packages", HINT) from error
    except zstandard.ZstdError as error:
        raise BadFile(f"{path} is damaged: {error}", HINT) from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror or error}", HINT) from error


def package_of(row: Mapping[str, Any]) -> Package:
    """One stored row; Debian's is the package, other distributions are recipes of it."""
    debian = row.get("debian", {})
    upstream = row.get("upstream_version", "")
    full = row.get("version", "")
    binaries = tuple(
        Binary(one["name"], one["desc"], section=one["section"], arch=(one["arch"],), requires=plain(one["depends"]))
        for one in debian.get("binaries", ())
    )
    own = {binary.name for binary in binaries}
    needed = dict.fromkeys(need.name for binary in binaries for need in binary.requires if need.name not in own)
    return Package(
        name=row["name"],
        version=upstream or full,
        release=full.rsplit("-", 1)[1] if "-" in full else "",
        summary=debian.get("short") or "",
        description=debian.get("long") or "",
        licence=(row.get("licence") or {}).get("value") or "",
        url=row.get("homepage") or "",
        section=row.get("section") or "",
        arch=tuple(dict.fromkeys(arch for binary in binaries for arch in binary.arch)),
        requires=plain(needed),
        build_requires=tuple(build_relation(one) for one in debian.get("build_depends", ())),
        scripts={"rules": debian["rules"]} if debian.get("rules") else {},
        documents=tuple(Document(one["path"], one["text"], one["size"]) for one in row.get("docs", ())),
        tree=tuple(Entry(*one) for one in row.get("tree", ())),
        build_files=tuple(Document(one["path"], one["text"], one["size"]) for one in row.get("build_files", ())),
        build_system=row.get("build_system", ""),
        group=row.get("group", "") or row["name"],
        by="debian",
        binaries=binaries,
        recipes=tuple(recipe_of(by, row[by]) for by in ("alpine", "void", "homebrew", "spack") if row.get(by)),
    )


def build_relation(row: Mapping[str, Any]) -> Relation:
    return Relation(
        row["name"],
        row.get("ver", ""),
        profiles=tuple(row.get("profile", ())),
        instead=tuple(Relation(name) for name in row.get("alts", ())),
    )


def plain(names: Iterable[str]) -> tuple[Relation, ...]:
    return tuple(map(Relation, names))


def recipe_of(by: str, row: Mapping[str, Any]) -> Recipe:
    """Names as that distribution has them; without a kind, one of Homebrew or Spack is for both."""
    if by in ("homebrew", "spack"):
        build, run = [], []
        for need in row.get("deps", ()):
            kinds = need.get("kind") or need.get("type") or ()
            words = kinds.split(",") if isinstance(kinds, str) else kinds
            if not words or {"build", "link"} & set(words):
                build.append(need["name"])
            if not words or {"run", "link"} & set(words):
                run.append(need["name"])
        scripts = {name: row[name] for name in ("configure", "build", "install") if isinstance(row.get(name), str)}
    else:
        build = [*row.get("hostmakedepends", ()), *row.get("makedepends", ()), *row.get("checkdepends", ())]
        run = row.get("depends", [])
        names = ALPINE_SCRIPTS if by == "alpine" else VOID_SCRIPTS
        scripts = {ours: row[theirs] for theirs, ours in names.items() if row.get(theirs)}
    return Recipe(
        by,
        row["name"],
        row.get("version", ""),
        row.get("confidence", ""),
        plain(dict.fromkeys(run)),
        plain(dict.fromkeys(build)),
        scripts,
    )
