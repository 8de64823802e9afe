"""What a system may read of a source: tree, documents, build files; no maintainers' folder, and no trouble."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.evaluation import reading
from sayso.targets.build.evaluation.reading import executables, read_archive, read_source
from sayso.targets.build.evaluation.sets import Archive


def pack(path: Path, files: dict[str, tuple[str, int]], top: str = "pkg-1.0") -> Archive:
    with tarfile.open(path, "w:gz") as archive:
        for name, (text, mode) in files.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size, member.mode = len(text.encode()), mode
            archive.addfile(member, io.BytesIO(text.encode()))
        link = tarfile.TarInfo(f"{top}/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return Archive(path.name, hashlib.sha256(path.read_bytes()).hexdigest())


FILES = {
    "configure": ("#!/bin/sh", 0o755),
    "configure.ac": ("AC_INIT", 0o644),
    "README.md": ("Read me", 0o644),
    "docs/INSTALL.txt": ("make install", 0o644),
    "docs/deep/down/README": ("too deep", 0o644),
    "install-sh": ("#!/bin/sh", 0o755),
    "src/build.c": ("int x;", 0o644),
    "debian/rules": ("the answer", 0o755),
    "debian/README.Debian": ("the answer", 0o644),
    "odd\nname": ("x", 0o644),
    "../../climbs": ("x", 0o644),
}


def test_documents_build_files_and_the_tree_are_seen(tmp_path: Path) -> None:
    pack(tmp_path / "a.tar.gz", FILES)
    seen = read_archive(tmp_path / "a.tar.gz")
    assert [path for path, _ in seen.files] == ["configure.ac", "README.md", "docs/INSTALL.txt"]
    tree = executables(seen.pieces()[0].text)
    assert tree["configure"] and not tree["README.md"] and "docs/deep/down/README" in tree
    assert not any("debian" in path or "climbs" in path or "odd" in path or path == "link" for path in tree)
    assert "the answer" not in repr(seen)
    assert [(piece.kind, piece.name) for piece in seen.pieces()][:2] == [("text", "tree"), ("file", "configure.ac")]


def test_an_archive_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = pack(tmp_path / "a.tar.gz", FILES)
    first = read_source(tmp_path, archive, tmp_path / "cache")
    monkeypatch.setattr(reading, "read_archive", lambda path: pytest.fail("read again"))
    assert read_source(tmp_path, archive, tmp_path / "cache") == first


def test_large_sources_are_capped(tmp_path: Path) -> None:
    many = {f"docs/README.{at}": ("word " * 20_000, 0o644) for at in range(60)}
    pack(tmp_path / "a.tar.gz", many)
    seen = read_archive(tmp_path / "a.tar.gz")
    assert len(seen.tree) == 60
    assert sum(len(text) for _, text in seen.files) <= reading.MOST_TEXT
    assert max(len(text) for _, text in seen.files) <= reading.LONGEST


def test_what_is_no_archive_is_said_in_one_line(tmp_path: Path) -> None:
    archive = pack(tmp_path / "a.tar.gz", FILES)
    (tmp_path / "a.tar.gz").write_bytes((tmp_path / "a.tar.gz").read_bytes()[:200])
    with pytest.raises(BadFile, match="its sum differs"):
        read_source(tmp_path, archive, tmp_path / "cache")
    (tmp_path / "text.tar.gz").write_text("no archive")
    with pytest.raises(BadFile, match="not a tarball"):
        read_archive(tmp_path / "text.tar.gz")
    with pytest.raises(MissingData, match="is not at"):
        read_archive(tmp_path / "none.tar.gz")
