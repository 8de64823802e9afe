"""What a system may read of an upstream source: its tree, its documents and its build files, and nothing else.

An archive is read once as it streams past, and what was seen is kept in the cache by the archive's sum. Debian's folder
in an archive is left out: the maintainers' answer may lie there.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from sayso.core.errors import BadFile, MissingData
from sayso.core.files import write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Piece
from sayso.targets.build.evaluation.sets import Archive

FORMAT = "1"
TREE = "tree"
"""The name of the piece of context that lists the tree: `x SIZE PATH` a line, `-` where a file cannot be executed."""
MOST_FILES, MOST_READ, MOST_TEXT, LONGEST = 20_000, 40, 400_000, 60_000
DEEPEST = 2
DOCUMENT = re.compile(
    r"(?:read[-_. ]?me|install|build(?:ing)?|compiling|hacking|contributing|getting.?started|quick.?start|usage|"
    r"howto|requirements|depend(?:s|encies))\b[^/]*$",
    re.I,
)
NOT_PROSE = re.compile(
    r"\.(?:t|c|h|cc|cpp|py|pl|pm|sh|js|java|m4|am|in|ac|cmake|bat|exe|png|gif|pdf|html?)$|-sh$|^debian/", re.I
)
BUILD_FILE = re.compile(
    r"(?:^|/)(?:configure\.(?:ac|in)|autogen\.sh|bootstrap(?:\.sh)?|buildconf(?:\.sh)?|GNUmakefile|[Mm]akefile(?:\.(?:am|in|PL))?"
    r"|CMakeLists\.txt|meson\.build|meson_options\.txt|Build\.PL|cpanfile|setup\.(?:py|cfg)|pyproject\.toml|build\.xml|pom\.xml"
    r"|SConstruct|wscript|go\.mod|Cargo\.toml|package\.json|Rakefile|dune-project|[^/]+\.pro)$"
)


@dataclass(frozen=True)
class Seen:
    """`tree` holds (path, size, whether it can be executed); `files` (path, text), documents after build files."""

    tree: tuple[tuple[str, int, bool], ...]
    files: tuple[tuple[str, str], ...]

    def pieces(self) -> tuple[Piece, ...]:
        """As context, the documents nearest."""
        listing = "\n".join(f"{'x' if runs else '-'} {size} {path}" for path, size, runs in self.tree)
        return (Piece("text", listing, TREE), *(Piece("file", text, path) for path, text in self.files))


def executables(listing: str) -> dict[str, bool]:
    """A listing -> every path, and whether it can be executed."""
    found: dict[str, bool] = {}
    for line in listing.splitlines():
        mark, _, rest = line.partition(" ")
        _, _, path = rest.partition(" ")
        if mark in ("x", "-") and path:
            found[path] = mark == "x"
    return found


def read_source(folder: Path, archive: Archive, cache: Path) -> Seen:
    """What the archive shows, from the cache where it was read before."""
    kept = cache / "build" / "seen" / f"{archive.sha256}-{FORMAT}.json"
    try:
        row = parse_json(read_plain(kept))
        return Seen(tuple((path, size, runs) for path, size, runs in row["tree"]), tuple(map(tuple, row["files"])))
    except (OSError, ValueError, KeyError, TypeError):  # not read yet, or not by us
        pass
    path = folder / archive.path
    seen = read_archive(path)
    # A stream that was cut between two members looks whole to tarfile.
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != archive.sha256:
            raise BadFile(f"{path} is not the source that the set names: its sum differs", "fetch it again")
    with write_atomically(kept) as file:
        file.write(json.dumps(asdict(seen)).encode())
    return seen


def read_archive(path: Path) -> Seen:
    """A tarball as it streams past; capped, since a stranger may have made it."""
    tree: list[tuple[str, int, bool]] = []
    texts: dict[str, str] = {}
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                name = below_top(member.name)
                if not name or not member.isfile() or name.startswith("debian/") or len(tree) >= MOST_FILES:
                    continue
                tree.append((name, member.size, bool(member.mode & 0o111)))
                if wanted(name) and (file := archive.extractfile(member)):
                    texts[name] = file.read(LONGEST).decode("utf-8", "replace").replace("\0", "")
    except FileNotFoundError as error:
        raise MissingData(f"the source {path.name} is not at {path.parent}", "fetch the set again") from error
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise BadFile(f"{path} is not a tarball that can be read: {error}", "fetch it again") from error
    return Seen(tuple(sorted(tree)), fitting(texts))


def below_top(name: str) -> str:
    """ "pkg-1.0/src/a.c" -> "src/a.c"; what would climb out, or ends a line, is left out."""
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", ".")]
    if ".." in parts or any(not part.isprintable() for part in parts):
        return ""
    return "/".join(parts[1:])


def wanted(path: str) -> bool:
    if path.count("/") >= DEEPEST:
        return False
    return is_document(path) or bool(BUILD_FILE.search(path))


def is_document(path: str) -> bool:
    return bool(DOCUMENT.match(path.rpartition("/")[2])) and not NOT_PROSE.search(path)


def fitting(texts: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """The nearest of the top as far as they fit, build files first and documents last."""
    order = sorted(texts, key=lambda path: (path.count("/"), not is_document(path), path))
    kept: list[str] = []
    room = MOST_TEXT
    for path in order[:MOST_READ]:
        if len(texts[path]) <= room:
            kept.append(path)
            room -= len(texts[path])
    return tuple((path, texts[path]) for path in sorted(kept, key=lambda path: (is_document(path), path)))
