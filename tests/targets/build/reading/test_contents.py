"""Debian's index of files: who brings a name, and what is not clear enough to say."""

from __future__ import annotations

import gzip
from pathlib import Path

from sayso.targets.build.reading.contents import names_in
from sayso.targets.build.reading.names import KEPT, write_table
from sayso.targets.build.reading.resolver import installed, open_resolver

INDEX = """\
usr/include/gnarl.h                     libdevel/libgnarl-dev
usr/include/gnarl/twist.h               libdevel/libgnarl-dev
usr/include/shared/a.h                  libdevel/liba-dev
usr/include/shared/b.h                  libdevel/libb-dev
usr/lib/x86_64-linux-gnu/libgnarl.so    libdevel/libgnarl-dev
usr/lib/x86_64-linux-gnu/pkgconfig/gnarl-2.pc libdevel/libgnarl-dev
usr/bin/gnarl                           utils/gnarl,utils/other
usr/share/perl5/Gnarl/Twist.pm          perl/libgnarl-twist-perl
usr/share/doc/gnarl/usr/bin/nothing     utils/gnarl
"""
SOURCES = {
    "libgnarl-dev": "gnarl",
    "gnarl": "gnarl",
    "liba-dev": "a",
    "libb-dev": "b",
    "libghc-twist-dev": "haskell-twist",
}
SOURCES["libgnarl-twist-perl"] = "libgnarl-twist-perl"


def test_an_index_says_who_brings_a_name(tmp_path: Path) -> None:
    path = tmp_path / "Contents.gz"
    path.write_bytes(gzip.compress(INDEX.encode()))
    known = names_in([path], SOURCES)
    assert known["header", "gnarl.h"].package == "libgnarl-dev"
    assert known["header", "gnarl/"].source == "gnarl"
    assert known["pkg-config", "gnarl-2"].package == "libgnarl-dev"
    assert known["program", "gnarl"].package == "gnarl"
    assert known["perl", "Gnarl::Twist"].source == "libgnarl-twist-perl"
    assert known["haskell", "twist"].package == "libghc-twist-dev"
    assert ("header", "shared/") not in known
    assert ("program", "nothing") not in known
    kept = tmp_path / KEPT
    kept.parent.mkdir(parents=True)
    kept.write_bytes(write_table(known.values()))
    found = open_resolver(tmp_path).resolve("library", "gnarl")
    assert found is not None and found.package == "libgnarl-dev"


def test_dpkg_says_what_is_installed(tmp_path: Path) -> None:
    (tmp_path / "info").mkdir()
    (tmp_path / "info" / "libgnarl-dev:amd64.list").write_text("/.\n/usr/include/gnarl.h\n")
    (tmp_path / "status").write_text("Package: libgnarl-dev\nSource: gnarl (2.1)\nStatus: install ok installed\n")
    found = installed(tmp_path).resolve("header", "gnarl.h")
    assert found is not None and (found.package, found.source) == ("libgnarl-dev", "gnarl")
    assert installed(tmp_path / "nowhere").resolve("header", "gnarl.h") is None
