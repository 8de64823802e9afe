"""A small C project, a Python one and a Perl one, read: documents, instructions, dependencies and metadata."""

from __future__ import annotations

import pytest

from sayso.targets.build.reading import SourceTree, find_depends, rank_documents, read_instructions, read_metadata
from sayso.targets.build.reading.depends import Dependency
from sayso.targets.build.reading.documents import THRESHOLD
from sayso.targets.build.reading.licences import licence_of
from sayso.targets.build.reading.metadata import newest, summary_of
from sayso.targets.build.reading.names import Known, read_table, write_table
from sayso.targets.build.reading.resolver import Resolver, embedded, joined
from sayso.targets.build.reading.scan import scan

README = """\
gnarl 2.1
=========

gnarl is a small tool that twists lines of text.

Requirements
------------

- a C compiler
- glib 2.50 or later

Building
--------

    ./configure
    make
    sudo make install

Alternatively, use CMake.

Licence
-------

Free software.
"""
C_TREE = SourceTree(
    (
        ("configure.ac", 300),
        ("Makefile.am", 90),
        ("README", 400),
        ("src/gnarl.c", 900),
        ("COPYING", 9),
    ),
    {
        "configure.ac": "AC_INIT([gnarl],[2.1])\nPKG_CHECK_MODULES([GLIB],[glib-2.0 >= 2.50 libxml-2.0])\n"
        "AC_CHECK_LIB([ssl],[SSL_new],,[AC_MSG_ERROR([no ssl])])\nPKG_CHECK_MODULES([GNARL],[libgnarlness])\n",
        "Makefile.am": "bin_PROGRAMS = gnarl\n",
        "README": README,
        "COPYING": "Permission is hereby granted, free of charge, to any person obtaining a copy of this software",
    },
)


def by_source(found: list[Dependency]) -> dict[str, Dependency]:
    return {one.source: one for one in found if one.label == "build"}


def test_what_configure_asks_for_is_found_with_its_line() -> None:
    found = by_source(find_depends(C_TREE))
    glib = found["glib2.0"]
    assert (glib.package, glib.evidence.file, glib.evidence.line) == ("libglib2.0-dev", "configure.ac", 2)
    assert "libxml2" in found
    assert "debhelper" not in found


def test_a_source_does_not_need_itself() -> None:
    assert "glib2.0" not in by_source(find_depends(C_TREE, own=["glib2.0"]))


def test_the_readme_is_ranked_before_the_licence() -> None:
    ranked = rank_documents(C_TREE)
    assert [one.path for one in ranked] == ["README", "COPYING"]
    assert ranked[0].score >= THRESHOLD > ranked[1].score


def test_steps_conditions_and_nothing_else() -> None:
    found = read_instructions("README", README)
    kinds = {one.evidence.line: one.kind for one in found}
    commands = [one.command for one in found if one.kind == "step" and one.command]
    assert commands == ["./configure", "make", "sudo make install"]
    assert kinds[10] == "condition"
    assert not {1, 4, 12, 24} & set(kinds)
    assert {one.section for one in found if one.command == "make"} == {"Building"}


def test_a_command_over_two_lines_is_one() -> None:
    text = "Building\n--------\n\n    ./configure --prefix=/usr \\\n        --disable-nls\n    make\n"
    commands = [one.command for one in read_instructions("INSTALL", text)]
    assert commands[0] == "./configure --prefix=/usr --disable-nls"


def test_metadata_of_a_c_project() -> None:
    found = read_metadata(C_TREE)
    assert (found.name, found.version, found.licence) == ("gnarl", "2.1", "MIT")
    assert "twists lines" in found.summary
    assert "glib2.0" in found.build_requires


def test_metadata_of_a_perl_module_is_named_as_debian_names_it() -> None:
    text = "WriteMakefile(NAME => 'Gnarl::Twist', VERSION => '0.07', ABSTRACT => 'twist lines of text');\n"
    found = read_metadata(SourceTree((("Makefile.PL", 1),), {"Makefile.PL": text}))
    assert (found.name, found.version, found.summary) == ("libgnarl-twist-perl", "0.07", "twist lines of text")


@pytest.mark.parametrize(
    ("path", "text", "signal"),
    [
        ("CMakeLists.txt", "find_package(LibXml2 REQUIRED)\n", ("cmake", "libxml2", False)),
        ("CMakeLists.txt", "pkg_check_modules(FOO REQUIRED glib-2.0>=2.3)\n", ("pkg-config", "glib-2.0", False)),
        ("meson.build", "dep = dependency('gtk+-3.0', required: false)\n", ("pkg-config", "gtk+-3.0", True)),
        ("Makefile", "all:\n\tcc x.c -lssl\n", ("library", "ssl", True)),
        ("setup.py", "setup(install_requires=['requests>=2', 'six'])\n", ("python", "requests", False)),
        ("pyproject.toml", '[project]\ndependencies = ["requests>=2"]\n', ("python", "requests", False)),
        ("Makefile.PL", "WriteMakefile(PREREQ_PM => { 'Try::Tiny' => 0 });\n", ("perl", "Try::Tiny", False)),
        ("go.mod", "module x\nrequire github.com/pkg/errors v0.9.1\n", ("go", "github.com/pkg/errors", False)),
        ("Cargo.toml", '[dependencies]\nserde_json = "1"\n', ("rust", "serde-json", False)),
        ("pom.xml", "<dependency><artifactId>junit</artifactId></dependency>", ("java", "junit", False)),
        ("x.cabal", "library\n  build-depends: base, aeson >= 1\n", ("haskell", "aeson", False)),
        ("package.json", '{"dependencies": {"async": "1"}}', ("node", "async", False)),
        ("README", "Debian: apt-get install libssl-dev\n", ("debian", "libssl-dev", False)),
    ],
)
def test_every_kind_of_build_file_is_read(path: str, text: str, signal: tuple[str, str, bool]) -> None:
    found = {(one.kind, one.name, one.optional) for one in scan(SourceTree(((path, 1),), {path: text}))}
    assert signal in found


def test_broken_build_files_say_nothing_and_break_nothing() -> None:
    texts = {
        "pyproject.toml": "[[[",
        "package.json": "{",
        "Cargo.toml": "= =",
        "pom.xml": "<dependency>",
        "configure.ac": "AC_INIT(",
    }
    assert read_metadata(SourceTree((), texts)).version == ""


def test_a_table_is_read_as_it_was_written() -> None:
    rows = [Known("header", "gnarl/", "libgnarl-dev", "gnarl"), Known("program", "gnarl", "gnarl", "gnarl")]
    rows += [Known("header", "g.h", "libgnarl-dev", "gnarl"), Known("header", "a.h", "liba-dev", "a")]
    assert sorted(_rows(write_table(rows))) == sorted(rows)


def _rows(content: bytes) -> list[Known]:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "names.tsv.gz"
        path.write_bytes(content)
        return list(read_table(path))


def test_names_are_resolved_by_kind_with_other_spellings_and_guesses() -> None:
    known = embedded()
    exact = known.resolve("header", "openssl/ssl.h")
    assert exact is not None and (exact.source, exact.by) == ("openssl", "near")
    module = known.resolve("pkg-config", "glib-2.0")
    assert module is not None and (module.package, module.by) == ("libglib2.0-dev", "exact")
    guess = known.resolve("pkg-config", "no-such-thing-at-all")
    assert guess is not None and (guess.package, guess.by) == ("", "guess")
    assert known.resolve("library", "no-such-thing-at-all") is None


def test_what_the_first_index_knows_goes_before_the_next() -> None:
    first = Resolver({("library", "ssl"): Known("library", "ssl", "my-ssl-dev", "my-ssl")})
    found = joined(first, embedded()).resolve("library", "ssl")
    assert found is not None and found.source == "my-ssl"


@pytest.mark.parametrize(
    ("readme", "summary"),
    [
        ("# adder - adds numbers in a terminal\n", "adds numbers in a terminal"),
        ("# adder\n\nadder is a small tool for adding numbers.\n", "small tool for adding numbers"),
        ("# adder\n\nThis is a [small tool](https://x.org) for adding.\n", "small tool for adding"),
        ("Author: Somebody, somebody@example.org\n\nSmall tool for adding numbers\n", "Small tool for adding numbers"),
    ],
)
def test_the_summary_is_what_a_readme_says_of_the_program_itself(readme: str, summary: str) -> None:
    assert summary_of(SourceTree((("README.md", 1),), {"README.md": readme}), "adder") == summary


@pytest.mark.parametrize(
    ("changes", "version"),
    [
        ("1.2 2020-01-01\n - x\n\n1.1 2019-01-01\n - y\n\n1.0 2018-01-01\n", "1.2"),
        ("0.01 2018-01-01\n - x\n\n0.02 2019-01-01\n\n0.10 2020-01-01\n - y\n", "0.10"),
    ],
)
def test_the_newest_release_stands_first_or_last_among_the_changes(changes: str, version: str) -> None:
    assert newest(changes) == version


def test_licences_are_read_from_the_names_of_a_folder_of_them() -> None:
    files = (("LICENSES/LGPL-2.1-only.txt", 1), ("LICENSES/LGPL-3.0-only.txt", 1), ("LICENSES/CC0-1.0.txt", 1))
    assert licence_of(SourceTree(files, {})) == "LGPL-2.1-only AND LGPL-3.0-only"


def test_a_line_that_looks_like_a_heading_and_tells_to_do_something_is_read() -> None:
    text = "Building\n========\n\nBuild it:\n\n    make\n\nThen install it:\n\n    make install\n"
    text += "\nHistory\n\nWritten in 2001.\n"
    lines = {one.evidence.line for one in read_instructions("INSTALL", text)}
    assert {6, 8, 10} <= lines
    assert not lines & {1, 2, 12, 14}


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("setup.py", "setup(name='gnarl', version='1')", "python-gnarl"),
        ("setup.py", "setup(name='gnarl', entry_points={'console_scripts': ['gnarl=gnarl:main']})", "gnarl"),
        ("setup.py", "setup(name='pygnarl')", "pygnarl"),
        ("pom.xml", "<project><artifactId>gnarl-parent</artifactId><version>1.0</version></project>", "gnarl"),
    ],
)
def test_a_name_is_what_most_maintainers_of_its_language_would_take(path: str, text: str, name: str) -> None:
    assert read_metadata(SourceTree(((path, 9),), {path: text})).name == name
