"""Debian source packages on disk: every field, three formats, sums; archives that are too large or not archives."""

from __future__ import annotations

import binascii
import gzip
import io
import lzma
import tarfile
import time
from pathlib import Path

import pytest
from tests.targets.build.corpus.archive import CONTROL, RULES, UPSTREAM, sums, tarball, write_source

from sayso.core.errors import BadFile
from sayso.targets.build.corpus import upstream
from sayso.targets.build.corpus.debian import read_source_package, split_version
from sayso.targets.build.corpus.records import Relation, as_json, from_json, script_of
from sayso.targets.build.corpus.upstream import read_upstream

NEEDED = (
    Relation("debhelper-compat", "= 13"),
    Relation("glass-dev", ">= 2", (), ("!nocheck",), (Relation("wax-dev"),)),
)


def test_every_field_of_a_source_package(tmp_path: Path) -> None:
    package = read_source_package(write_source(tmp_path))
    assert (package.name, package.version, package.release) == ("lantern", "1.0", "1")
    assert (package.summary, package.description) == ("a lantern", "It shines.\n\nNot much.")
    assert (package.licence, package.section, package.url) == ("Expat", "utils", "https://example.org/lantern")
    assert package.build_requires == NEEDED and package.requires == (Relation("oil", ">= 1"),)
    assert script_of(package, "build") == RULES
    assert [one.path for one in package.documents] == ["INSTALL", "README.md", "COPYING"]
    assert [one.path for one in package.tree] == ["COPYING", "INSTALL", "README.md", "configure.ac", "src/main.c"]
    assert [one.path for one in package.build_files] == ["configure.ac"] and package.build_system == "autotools"
    assert [one.name for one in package.binaries] == ["lantern", "lantern-data"]
    assert from_json(as_json(package)) == package


def write_dsc(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    dsc = folder / "lantern.dsc"
    dsc.write_text(f"Format: 1.0\nSource: lantern\nVersion: 1:1.0-2\nChecksums-Sha256:\n{sums(files)}")
    return dsc


def test_the_packaging_in_a_diff(tmp_path: Path) -> None:
    def hunk(name: str, text: str) -> str:
        lines = text.splitlines()
        plus = "".join(f"+{line}\n" for line in lines)
        return f"--- a.orig/debian/{name}\n+++ a/debian/{name}\n@@ -0,0 +1,{len(lines)} @@\n{plus}"

    changed = "--- a.orig/main.c\n+++ a/main.c\n@@ -1 +1 @@\n-int\n+long\n"
    patch = changed + hunk("control", CONTROL.format(name="lantern")) + hunk("rules", RULES)
    files = {
        "lantern_1.0.orig.tar.gz": tarball(UPSTREAM, "lantern-1.0", "w:gz"),
        "lantern_1.0-2.diff.gz": gzip.compress(patch.encode()),
    }
    package = read_source_package(write_dsc(tmp_path, files))
    assert package.build_requires == NEEDED and package.scripts == {"rules": RULES}
    assert (package.version, package.release) == ("1.0", "2")


def test_a_native_package_keeps_its_packaging_out_of_the_tree(tmp_path: Path) -> None:
    inside = {**UPSTREAM, "debian/control": CONTROL.format(name="lantern"), "debian/rules": RULES}
    package = read_source_package(write_dsc(tmp_path, {"lantern_1.0.tar.gz": tarball(inside, "lantern-1.0", "w:gz")}))
    assert package.scripts == {"rules": RULES} and len(package.tree) == len(UPSTREAM)


def test_a_tarball_without_a_folder_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "flat.tar.gz"
    path.write_bytes(tarball({"a/Makefile": "all:\n", "b/README": "x"}, ".", "w:gz"))
    assert [one.path for one in read_upstream(path).tree] == ["a/Makefile", "b/README"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "bytes, expected"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"x"), "another sum"),
        (lambda path: path.unlink(), "is missing"),
    ],
)
def test_a_file_that_is_not_what_was_announced(tmp_path: Path, spoil, words: str) -> None:  # type: ignore[no-untyped-def]
    dsc = write_source(tmp_path)
    spoil(tmp_path / "lantern_1.0.orig.tar.xz")
    with pytest.raises(BadFile, match=words):
        read_source_package(dsc)


@pytest.mark.parametrize("line", ["x 1 ../../etc/passwd", "x y z", "x 1", "x 99999999999 a", "x 1 .hidden"])
def test_a_dsc_cannot_name_files_elsewhere(tmp_path: Path, line: str) -> None:
    dsc = tmp_path / "a.dsc"
    dsc.write_text(f"Source: a\nVersion: 1\nChecksums-Sha256:\n {line}\n")
    with pytest.raises(BadFile):
        read_source_package(dsc)


def test_an_archive_that_unpacks_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream, "MOST_BYTES", 1 << 20)
    path = tmp_path / "bomb.tar.gz"
    path.write_bytes(gzip.compress(tarball({"a": "0" * (3 << 20)}, "x", "w")))
    with pytest.raises(BadFile, match="unpacks to more than"):
        read_upstream(path)


def header(kind: bytes, size: int) -> bytes:
    member = tarfile.TarInfo("x")
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def greedy() -> bytes:
    """An .xz file that asks for a dictionary of four gigabytes."""
    content = bytearray(tarball(UPSTREAM, "x"))
    size = (content[12] + 1) * 4
    content[16] = 40
    content[12 + size - 4 : 12 + size] = binascii.crc32(bytes(content[12 : 12 + size - 4])).to_bytes(4, "little")
    return bytes(content)


HOSTILE = {
    "an xz that wants all memory": greedy(),
    "no archive": b"nothing of the kind" * 100,
    "empty": b"",
    "cut short": tarball(UPSTREAM, "x", "w:gz")[:-40],
    "a torn xz": tarball(UPSTREAM, "x")[:60],
    "a name without end": header(tarfile.GNUTYPE_LONGNAME, 1 << 40) + b"a" * 1024,
    "a header that claims much": header(tarfile.XHDTYPE, 1 << 35) + b"1 a=b\n" * 100,
    "a broken header": header(tarfile.XHDTYPE, 512) + b"99999999 a=b\n" + b"\0" * 2000,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_archives_end_soon(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(content)
    begun = time.process_time()
    try:
        assert not read_upstream(path).documents or content
    except BadFile as error:
        assert "\n" not in error.message
    assert time.process_time() - begun < 2


def test_paths_that_leave_the_tree_and_binary_documents(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in (("../../etc/README", b"x"), ("x/README", b"a\0\xff" * 20_000), ("x/y", b"")):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    path = tmp_path / "x.tar.gz"
    path.write_bytes(buffer.getvalue())
    found = read_upstream(path)
    assert [one.path for one in found.tree] == ["README", "y"]
    assert len(found.documents[0].text) == 20_000 and "\0" not in found.documents[0].text
    assert found.build_system == "none"


def test_memory_is_not_given_to_whoever_asks(tmp_path: Path) -> None:
    path = tmp_path / "greedy.tar.xz"
    path.write_bytes(greedy())
    with pytest.raises(BadFile, match=r"[Mm]emory"):
        read_upstream(path)


def test_two_xz_files_in_a_row_are_one(tmp_path: Path) -> None:
    whole = tarball(UPSTREAM, "x", "w")
    path = tmp_path / "two.tar.xz"
    path.write_bytes(lzma.compress(whole[:700]) + b"\0" * 4 + lzma.compress(whole[700:]))
    assert len(read_upstream(path).tree) == len(UPSTREAM)


def test_a_dsc_of_any_bytes(tmp_path: Path) -> None:
    dsc = tmp_path / "a.dsc"
    for content in (b"\xff\xfe\0\0", b"", b"Source: \xe9\nVersion: 1\n", b"A: b\n" * 3):
        dsc.write_bytes(content)
        with pytest.raises(BadFile):
            read_source_package(dsc)


def test_versions() -> None:
    assert split_version("1:2.0-3-1") == ("2.0-3", "1") and split_version("7") == ("7", "")
