"""Sources are known by what they hold, checked before use, and unpacked without harm."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.builds import source as sources
from sayso.targets.build.builds.source import read_files, read_folder, unpack


def archive(path: Path, *members: tuple[str, bytes], links: tuple[tuple[str, str], ...] = ()) -> Path:
    with tarfile.open(path, "w:gz") as file:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
        for name, target in links:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            file.addfile(member)
    return path


def test_an_archive_is_unpacked_without_what_debian_added(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.tar.gz", ("a-1/README", b"hi"), ("a-1/debian/rules", b"no"))
    top = unpack(read_files("a", "1", [path]), tmp_path / "out")
    assert sorted(path.name for path in top.iterdir()) == ["README"]


@pytest.mark.parametrize("name", ["/etc/passwd-x", "../x", "a/../../x"])
def test_a_hostile_archive_writes_nothing_outside(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "a.tar.gz", ("a/ok", b""), (name, b"bad"))
    target = tmp_path / "deep" / "out"
    try:
        unpack(read_files("a", "1", [path]), target)
    except BadFile as error:
        assert "cannot be unpacked" in error.message
    assert not Path("/etc/passwd-x").exists()
    assert [one.name for one in (tmp_path / "deep").iterdir()] == ["out"]


@pytest.mark.parametrize("target", ["../../secret", "/etc/passwd", "ok"])
def test_links_are_left_out_of_what_is_read(tmp_path: Path, target: str) -> None:
    """Python 3.11's own filter has let nested links write outside."""
    path = archive(tmp_path / "a.tar.gz", ("a/ok", b"fine"), links=(("a/link", target),))
    top = unpack(read_files("a", "1", [path]), tmp_path / "out")
    assert [one.name for one in top.iterdir()] == ["ok"]


def test_an_archive_past_the_caps_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "a.tar.gz", *((f"a/{n}", b"x" * 10) for n in range(5)))
    monkeypatch.setattr(sources, "MOST_BYTES", 30)
    with pytest.raises(BadFile, match="too large"):
        unpack(read_files("a", "1", [path]), tmp_path / "out")
    monkeypatch.setattr(sources, "MOST_BYTES", 100)
    monkeypatch.setattr(sources, "MOST_FILES", 4)
    with pytest.raises(BadFile, match="too large"):
        unpack(read_files("a", "1", [path]), tmp_path / "out")


def test_no_archive_at_all_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.tar.gz").write_bytes(b"not a tar")
    with pytest.raises(BadFile, match="cannot be unpacked"):
        unpack(read_files("a", "1", [tmp_path / "a.tar.gz"]), tmp_path / "out")


def test_a_changed_or_lost_file_is_not_the_source(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.tar.gz", ("a/x", b""))
    source = read_files("a", "1", [path])
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(BadFile, match="its sum differs"):
        list(source.contents())
    path.unlink()
    with pytest.raises(MissingData, match="is not there"):
        list(source.contents())


def test_the_digest_is_of_what_is_built(tmp_path: Path) -> None:
    def folder(name: str, text: str = "x", mode: int = 0o644, file: str = "f") -> Path:
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(text)
        (tmp_path / name / file).chmod(mode)
        return tmp_path / name

    one = read_folder("a", "1", folder("one"))
    assert one.digest == read_folder("b", "2", folder("two")).digest
    others = [
        read_folder("a", "1", folder("three", "y")),
        read_folder("a", "1", folder("four", mode=0o755)),
        read_folder("a", "1", folder("five", file="g")),
        read_folder("a", "1", tmp_path / "one", "debian"),
        read_files("a", "1", [tmp_path / "one/f"]),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 6


def test_a_folder_is_unpacked_as_it_is_given(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    (folder / "debian").mkdir(parents=True)
    (folder / "debian/rules").write_text("")
    (folder / "configure").write_text("#!/bin/sh\n")
    (folder / "configure").chmod(0o755)
    upstream = unpack(read_folder("p", "1", folder), tmp_path / "up")
    assert [path.name for path in upstream.iterdir()] == ["configure"]
    assert os.access(upstream / "configure", os.X_OK)
    assert (unpack(read_folder("p", "1", folder, "debian"), tmp_path / "deb") / "debian/rules").exists()


def test_links_and_empty_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    with pytest.raises(MissingData, match="holds no file"):
        read_folder("e", "1", tmp_path / "e")
    (tmp_path / "e/l").symlink_to("/etc")
    with pytest.raises(BadFile, match="no plain file"):
        read_folder("e", "1", tmp_path / "e")
