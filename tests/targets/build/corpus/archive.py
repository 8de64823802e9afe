"""A tiny archive of our own for the tests: source packages as they lie on a mirror, and its indices."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

UPSTREAM = {
    "README.md": "# Lantern\n\nTo build:\n\n    ./configure\n    make\n",
    "INSTALL": "Run make install.\n",
    "COPYING": "Do as you like.\n",
    "configure.ac": "AC_INIT([lantern],[1.0])\n",
    "src/main.c": "int main(void) { return 0; }\n",
}
CONTROL = """\
Source: {name}
Section: utils
Build-Depends: debhelper-compat (= 13), glass-dev (>= 2) <!nocheck> | wax-dev
# a comment
Homepage: https://example.org/{name}

Package: {name}
Architecture: any
Depends: ${{shlibs:Depends}}, oil (>= 1), {name}-data
Description: a lantern
 It shines.
 .
 Not much.

Package: {name}-data
Architecture: all
Description: wicks
"""
RULES = "#!/usr/bin/make -f\n%:\n\tdh $@\n"
COPYRIGHT = "Format: x\n\nFiles: *\nCopyright: nobody\nLicense: Expat\n\nFiles: debian/*\nLicense: ISC\n"


def tarball(files: Mapping[str, str], top: str, how: str = "w:xz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=how) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


def sums(files: Mapping[str, bytes]) -> str:
    return "".join(f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}\n" for name, content in files.items())


def source_files(name: str, version: str = "1.0", upstream: Mapping[str, str] = UPSTREAM) -> dict[str, bytes]:
    """The files of a source package, its .dsc last."""
    packaging = {"control": CONTROL.format(name=name), "rules": RULES, "copyright": COPYRIGHT}
    files = {
        f"{name}_{version}.orig.tar.xz": tarball(upstream, f"{name}-{version}"),
        f"{name}_{version}-1.debian.tar.xz": tarball(packaging, "debian"),
    }
    dsc = (
        f"Format: 3.0 (quilt)\nSource: {name}\nBinary: {name}\nArchitecture: any all\nVersion: {version}-1\n"
        f"Homepage: https://example.org/{name}\n"
        f"Build-Depends: debhelper-compat (= 13), glass-dev (>= 2) <!nocheck> | wax-dev\n"
        f"Checksums-Sha256:\n{sums(files)}"
        "Files:\n" + "".join(f" {'0' * 32} {len(content)} {file}\n" for file, content in files.items())
    )
    return {**files, f"{name}_{version}-1.dsc": dsc.encode()}


def write_source(folder: Path, name: str = "lantern") -> Path:
    """The files of a source package in a folder; returns the .dsc."""
    folder.mkdir(parents=True, exist_ok=True)
    files = source_files(name)
    for file, content in files.items():
        (folder / file).write_bytes(content)
    return folder / list(files)[-1]


def write_mirror(root: Path, names: list[str]) -> None:
    """A mirror without signatures: Release, Sources and the pool."""
    index = ""
    for name in names:
        files = source_files(name)
        pool = root / "pool" / name
        pool.mkdir(parents=True)
        for file, content in files.items():
            (pool / file).write_bytes(content)
        index += (
            f"Package: {name}\nBinary: {name}\nVersion: 1.0-1\nSection: utils\nFormat: 3.0 (quilt)\n"
            f"Directory: pool/{name}\nBuild-Depends: glass-dev\nChecksums-Sha256:\n{sums(files)}\n"
        )
    lists = root / "dists" / "tiny" / "main" / "source"
    lists.mkdir(parents=True)
    (lists / "Sources").write_text(index)
    digest = hashlib.sha256(index.encode()).hexdigest()
    (root / "dists" / "tiny" / "Release").write_text(
        "Origin: Tiny\nLabel: Tiny\nSuite: tiny\nCodename: tiny\nDate: Thu, 01 Jan 2026 00:00:00 UTC\n"
        f"Architectures: amd64\nComponents: main\nSHA256:\n {digest} {len(index.encode())} main/source/Sources\n"
    )
