"""A package's source as it is given: an upstream archive, a Debian source package, or a plain folder of files."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from sayso.core.errors import BadFile, MissingData

Kind = Literal["upstream", "debian"]
MOST_FILES = 50_000
MOST_BYTES = 1 << 30
LARGEST_FOLDER = 64 << 20
PIECE = 1 << 20


@dataclass(frozen=True)
class Source:
    """`files` are (absolute path, sha256). An upstream source is built without what Debian adds: no debian/, no
    patches. A folder's own files are named below `folder`; those that may be run stand in `programs`."""

    name: str
    version: str
    files: tuple[tuple[str, str], ...]
    kind: Kind = "upstream"
    folder: str = ""
    programs: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Of what is built and how it is unpacked; where it lies and what it is called do not matter."""
        names = [(self.path_inside(path), sha256) for path, sha256 in self.files]
        facts = [self.kind, bool(self.folder), sorted(names), sorted(self.programs)]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def path_inside(self, path: str) -> str:
        return str(Path(path).relative_to(self.folder)) if self.folder else Path(path).name

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Every file by its path inside, checked against its sum."""
        for path, sha256 in self.files:
            try:
                content = Path(path).read_bytes()
            except OSError as error:
                raise MissingData(
                    f"the source of {self.name} {self.version} is not there: {path}: {error.strerror}",
                    "`sayso data get` says how sources come to this machine",
                ) from error
            if hashlib.sha256(content).hexdigest() != sha256:
                raise BadFile(f"{path} is not the source of {self.name}: its sum differs", "get it again")
            yield self.path_inside(path), content


def read_files(name: str, version: str, paths: Iterable[Path], kind: Kind = "upstream") -> Source:
    """An archive, or the files of a Debian source package with its .dsc first or anywhere; sums are made here."""
    return Source(name, version, tuple((str(path.absolute()), _sum(path)) for path in paths), kind)


def read_folder(name: str, version: str, folder: Path, kind: Kind = "upstream") -> Source:
    """All plain files below a folder; links and devices are refused."""
    files, programs, size = list[tuple[str, str]](), list[str](), 0
    for path in sorted(folder.absolute().rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or not path.is_file():
            raise BadFile(f"{path} is no plain file", "a source folder holds plain files and folders")
        size += path.stat().st_size
        if size > LARGEST_FOLDER or len(files) >= MOST_FILES:
            raise BadFile(f"the source folder {folder} is too large", f"at most {LARGEST_FOLDER >> 20} MB")
        files.append((str(path), _sum(path)))
        if path.stat().st_mode & 0o100:
            programs.append(str(path.relative_to(folder.absolute())))
    if not files:
        raise MissingData(f"the source folder {folder} holds no file", "name the folder of a package")
    return Source(name, version, tuple(files), kind, str(folder.absolute()), tuple(programs))


def unpack(source: Source, target: Path) -> Path:
    """The tree of an upstream archive or of a folder, on the host, to be read and never run; answers with its top.

    A Debian source package is unpacked in the sandbox alone: its format runs more than tar.
    """
    target.mkdir(parents=True, exist_ok=True)
    if source.folder:
        for path, content in source.contents():
            if source.kind == "upstream" and path.split("/")[0] == "debian":
                continue
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(content)
            (target / path).chmod(0o755 if path in source.programs else 0o644)
        return target
    archive = check_archive(source)
    for _ in source.contents():
        pass
    try:
        with tarfile.open(archive) as opened:
            opened.extractall(target, members=_within_caps(opened, archive), filter="data")
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise BadFile(f"{archive} cannot be unpacked: {error}", "get it again, or leave the package out") from error
    tops = list(target.iterdir())
    top = tops[0] if len(tops) == 1 and tops[0].is_dir() else target
    _remove(top / "debian")
    return top


def check_archive(source: Source) -> Path:
    if source.kind != "upstream" or len(source.files) != 1:
        raise BadFile(
            f"{source.name} {source.version} is no single upstream archive", "give one archive, or a folder of files"
        )
    return Path(source.files[0][0])


def _within_caps(opened: tarfile.TarFile, archive: Path) -> Iterator[tarfile.TarInfo]:
    """Plain files and folders alone: the tree is there to be read, and no filter of Python 3.11 holds against links."""
    size = 0
    for number, member in enumerate(opened):
        if member.size < 0:
            raise BadFile(f"{archive} holds a member of {member.size} bytes", "get it again, or leave the package out")
        size += member.size
        if number >= MOST_FILES or size > MOST_BYTES:
            raise BadFile(
                f"{archive} is too large to unpack", f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MB in all"
            )
        if member.isreg() or member.isdir():
            yield member


def _remove(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)


def _sum(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                digest.update(piece)
    except OSError as error:
        raise MissingData(f"the source file {path} cannot be read: {error.strerror}", "check its path") from error
    return digest.hexdigest()
