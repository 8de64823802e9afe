"""What a user gives to be built: a folder as it is, or an archive, unpacked aside with care and only to be read.

A folder is packed for the sandbox: plain files, and links that stay inside. Archives keep their own form.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.builds.source import MOST_BYTES, MOST_FILES, Source, read_files, unpack
from sayso.targets.build.planning.folder import SKIPPED

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".zip")
LARGEST = 512 << 20
"""Bytes of an archive, and of all the files of a folder that is packed."""
HINT = "give a folder with sources, or a .tar.gz, .tar.xz, .tar.bz2 or .zip of one"


@dataclass(frozen=True)
class Given:
    """`folder` is to be read; `name` what it is called."""

    name: str
    folder: Path
    archive: Path | None = None


@contextmanager
def open_given(path: Path) -> Iterator[Given]:
    """A folder, or an archive that lies unpacked as long as the context lasts."""
    if path.is_dir():
        yield Given(path.resolve().name or "source", path.resolve())
        return
    if not path.exists():
        raise MissingData(f"there is no {path}", HINT)
    if not path.is_file() or not path.name.lower().endswith(ARCHIVES):
        raise BadFile(f"{path} is neither a folder nor an archive of sources", HINT)
    if path.stat().st_size > LARGEST:
        raise BadFile(f"{path} has more than {LARGEST >> 20} MB, the most that is unpacked", HINT)
    with TemporaryDirectory(prefix="sayso-build-") as aside:
        name = path.name[: -len(next(end for end in ARCHIVES if path.name.lower().endswith(end)))]
        if path.suffix.lower() == ".zip":
            top = unzip(path, Path(aside) / "tree")
            yield Given(name, top)
        else:
            yield Given(name, unpack(read_files(name, "", [path]), Path(aside) / "tree"), path)


def unzip(path: Path, target: Path) -> Path:
    """Plain files of a zip, by names that stay below the target, never more bytes than its own list promises."""
    target.mkdir(parents=True)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MOST_FILES or sum(one.file_size for one in members) > MOST_BYTES:
                raise BadFile(
                    f"{path} is too large to unpack", f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MB in all"
                )
            for one in members:
                parts = PurePosixPath(one.filename.replace("\\", "/")).parts
                if not parts or parts[0] == "/" or ".." in parts or ":" in parts[0]:
                    raise BadFile(f"{path} holds {one.filename[:80]!r}, which leads out of it", "do not trust it")
                kind = one.external_attr >> 28
                if one.is_dir() or kind not in (0, 8):  # plain files alone: no links, no devices
                    continue
                place = target.joinpath(*parts)
                place.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(one) as source, place.open("wb") as out:
                    copy_up_to(source, out, one.file_size, path)
                place.chmod(0o755 if (one.external_attr >> 16) & 0o100 else 0o644)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise BadFile(f"{path} cannot be unpacked: {error}", "get it again, or unpack it yourself") from error
    tops = list(target.iterdir())
    return tops[0] if len(tops) == 1 and tops[0].is_dir() else target


def copy_up_to(source, out, most: int, path: Path) -> None:  # type: ignore[no-untyped-def]
    left = most
    while piece := source.read(1 << 20):
        left -= len(piece)
        if left < 0:
            raise BadFile(f"{path} holds more than it says: a bomb", "do not trust it")
        out.write(piece)


def source_of(given: Given, cache: Path) -> Source:
    """What the sandbox builds: the archive itself, or the folder packed now, under its sum in the cache."""
    if given.archive:
        return read_files(given.name, "", [given.archive])
    folder = packed_below(cache)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = folder / "partial"
    try:
        pack(given.folder, partial)
        digest = hashlib.sha256(partial.read_bytes()).hexdigest()
        packed = folder / f"{digest}.tar"
        partial.replace(packed)
    finally:
        partial.unlink(missing_ok=True)
    return read_files(given.name, "", [packed])


def pack(folder: Path, target: Path) -> None:
    """The same bytes for the same files at the same times; what version control keeps is left out."""
    size = 0
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as archive:
        for parent, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if name not in SKIPPED)
            for name in sorted([*names, *(one for one in folders if Path(parent, one).is_symlink())]):
                path = Path(parent, name)
                inside = path.relative_to(folder)
                if path.is_symlink():
                    if not stays_inside(path, folder):
                        continue
                elif not path.is_file():
                    continue
                member = archive.gettarinfo(path, f"source/{inside}")
                member.uid = member.gid = 0
                member.uname = member.gname = ""
                member.pax_headers = {}
                member.mtime = int(member.mtime)
                size += member.size
                if size > LARGEST:
                    raise BadFile(f"{folder} has more than {LARGEST >> 20} MB of files", "build a smaller folder")
                if member.isreg():
                    with path.open("rb") as file:
                        archive.addfile(member, file)
                else:
                    archive.addfile(member)


def stays_inside(link: Path, folder: Path) -> bool:
    target = link.readlink()
    if target.is_absolute():
        return False
    return os.path.normpath(link.parent / target).startswith(f"{folder}{os.sep}")


def packed_below(cache: Path) -> Path:
    """A folder of this process alone."""
    return cache / "build" / "given" / str(os.getpid())


def forget(cache: Path) -> None:
    """What was packed for the sandbox: a copy of everything in the user's folder, which nobody needs afterwards."""
    shutil.rmtree(packed_below(cache), ignore_errors=True)
