"""APKBUILD files are read from their parse tree, never run; hostile ones end in a record or one line."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.targets.build.corpus.apkbuild import parse_apkbuild, read_apkbuild
from sayso.targets.build.corpus.records import Relation, script_of

RECIPE = """\
# Contributor: nobody
pkgname=lantern
pkgver=1.2.3
pkgrel=4
pkgdesc="A \\"lantern\\" called $pkgname"
url="https://example.org/$pkgname"
arch="all !s390x"
license='MIT AND Zlib'
depends="oil>=1.2 !wick"
makedepends="
	cmake
	glass-dev
	"
makedepends="$makedepends ${pkgname}-tools~=2"
checkdepends=bats
subpackages="$pkgname-dev $pkgname-doc::noarch"
source="https://example.org/$pkgname-$pkgver.tar.gz
	fix.patch"
builddir="$srcdir/$pkgname-${pkgver%.*}"
case "$CARCH" in
x86*) makedepends="$makedepends nasm" ;;
esac

prepare() {
	default_prepare
	sed -i 's/}/{/' "shade.c"
}

build() {
	cmake -B build \\
		-DCMAKE_INSTALL_PREFIX=/usr

	cmake --build build
	cat <<-EOF
	}
	EOF
}

check() { ctest --test-dir build; }

package() {
	DESTDIR="$pkgdir" cmake --install build
}
sha512sums="0  fix.patch"
"""


def test_every_field() -> None:
    package = parse_apkbuild(RECIPE)
    assert (package.name, package.version, package.release) == ("lantern", "1.2.3", "4")
    assert package.summary == 'A "lantern" called lantern' and package.url == "https://example.org/lantern"
    assert package.licence == "MIT AND Zlib" and package.arch == ("all", "!s390x")
    assert package.requires == (Relation("oil", ">= 1.2"),)
    needed = (Relation("cmake"), Relation("glass-dev"), Relation("lantern-tools", "~= 2"), Relation("bats"))
    assert package.build_requires == needed
    assert [one.name for one in package.binaries] == ["lantern", "lantern-dev", "lantern-doc"]
    assert package.files == ("https://example.org/lantern-1.2.3.tar.gz", "fix.patch")


def test_every_script() -> None:
    package = parse_apkbuild(RECIPE)
    assert package.scripts["prep"] == "default_prepare\nsed -i 's/}/{/' \"shade.c\""
    build = script_of(package, "build").split("\n")
    assert build[:2] == ["cmake -B build \\", "\t-DCMAKE_INSTALL_PREFIX=/usr"] and build[-2:] == ["}", "EOF"]
    assert script_of(package, "check") == "ctest --test-dir build;"
    assert script_of(package, "install") == 'DESTDIR="$pkgdir" cmake --install build'


def test_nothing_of_a_recipe_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    package = parse_apkbuild(f'pkgname=a\npkgver=$(touch {mark})\npkgdesc="`touch {mark}`"\ntouch {mark}\n')
    assert not mark.exists() and package.version == f"$(touch {mark})"


HOSTILE = {
    "a quote without end": 'pkgname=x\npkgdesc="' + "y\n" * 10_000,
    "a function without end": "pkgname=x\nbuild() {\n\tmake\n",
    "commands in commands": 'pkgname=x\npkgdesc="' + "$(" * 20_000,
    "braces": "pkgname=x\n" + "{" * 50_000,
    "expansions in expansions": "pkgname=x\ny=" + "${y:-" * 20_000,
    "a variable that grows": "pkgname=x\ny=zz\n" + "y=$y$y$y\n" * 500,
    "many large values": "pkgname=x\ny=" + "z" * 200_000 + "\n" + "v=$y\n" * 20_000,
    "one value of many": "pkgname=x\ny=" + "z" * 200_000 + '\nv="' + "$y" * 100_000 + '"\n',
    "a long line": "pkgname=x\npkgdesc=" + "y" * 900_000,
    "far letters behind braces": "pkgname=x\n" + "{😀" * 1000 + "\n${\u2014}\npkgdesc='😀é'",
    "zeros": "pkgname=x\0\npkgver=\0\0\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_recipes_end_soon_in_a_record_or_one_line(text: str) -> None:
    begun = time.process_time()
    try:
        assert parse_apkbuild(text).name.startswith("x")
    except BadFile as error:
        assert "\n" not in error.message and error.hint
    assert time.process_time() - begun < 3


def test_files_that_are_no_recipes(tmp_path: Path) -> None:
    (tmp_path / "APKBUILD").write_bytes(b"#" * (2 << 20))
    with pytest.raises(BadFile, match="the most that is read"):
        read_apkbuild(tmp_path / "APKBUILD")
    with pytest.raises(BadFile, match="cannot read"):
        read_apkbuild(tmp_path)
    with pytest.raises(BadFile, match="sets no pkgname"):
        parse_apkbuild("pkgver=1\n")
    (tmp_path / "APKBUILD").write_bytes(b"pkgname=x\npkgdesc='caf\xe9'\n")
    assert read_apkbuild(tmp_path / "APKBUILD").summary == "caf\ufffd"


@settings(max_examples=40)
@given(st.text(max_size=100))
def test_any_text_is_a_recipe_or_a_bad_file(text: str) -> None:
    with suppress(BadFile):
        parse_apkbuild(f"pkgname=x\n{text}")


@given(st.text(st.characters(exclude_characters="'\0", exclude_categories=["Cs", "Cc"]), max_size=40))
def test_what_stands_in_single_quotes_is_read_as_it_is(text: str) -> None:
    assert parse_apkbuild(f"pkgname=x\npkgdesc='{text}'\n").summary == text
