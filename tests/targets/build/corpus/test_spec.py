"""RPM spec files: figure 1 of the paper gives every field and script; hostile files end in a record or one line."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.targets.build.corpus.records import Relation, script_of
from sayso.targets.build.corpus.spec import parse_spec, read_needs, read_spec
from sayso.targets.build.corpus.spec_macros import Macros, holds

# Figures 1b, 1d and 1f as a spec file; the sections that the figure does not print are ours.
FIGURE_1 = """\
Name:          bsf
Version:       2.4.0
Release:       12.fc17
Summary:       Bean Scripting Framework
License:       ASL 2.0
URL:           http://commons.apache.org/bsf/
Group:         Development/Libraries
BuildRequires: jpackage-utils >= 1.6
BuildRequires: ant, xalan-j2, jython
BuildRequires: rhino
BuildRequires: apache-commons-logging
Requires:      xalan-j2
Requires:      apache-commons-logging
Requires:      jpackage-utils
BuildArch:     noarch

%description
Bean Scripting Framework (BSF) is a set of Java classes which provides
scripting language support within Java applications, and access to
Java objects and methods from scripting languages.

%prep
%setup -q

%build
[ -z "$JAVA_HOME" ] && export JAVA_HOME=/usr/lib/jvm/java
export CLASSPATH=$(build-classpath apache-commons-logging jython xalan-j2 rhino)
ant jar
/usr/bin/rm -rf bsf/src/org/apache/bsf/engines/java
ant javadocs

%install
install -d %{buildroot}%{_javadir}
install -m 644 build/lib/%{name}.jar %{buildroot}%{_javadir}/%{name}-%{version}.jar

%check
ant test

%preun
echo going

%files
%{_javadir}/%{name}-%{version}.jar
"""


def test_figure_1_gives_every_field() -> None:
    package = parse_spec(FIGURE_1, "bsf.spec")
    assert (package.name, package.version, package.release) == ("bsf", "2.4.0", "12.fc17")
    assert (package.summary, package.licence) == ("Bean Scripting Framework", "ASL 2.0")
    assert (package.url, package.section) == ("http://commons.apache.org/bsf/", "Development/Libraries")
    assert package.arch == ("noarch",)
    assert package.build_requires == (
        Relation("jpackage-utils", ">= 1.6"),
        Relation("ant"),
        Relation("xalan-j2"),
        Relation("jython"),
        Relation("rhino"),
        Relation("apache-commons-logging"),
    )
    assert package.requires == (Relation("xalan-j2"), Relation("apache-commons-logging"), Relation("jpackage-utils"))
    assert package.description.startswith("Bean Scripting Framework (BSF) is a set of Java classes which provides\n")
    assert package.description.endswith("from scripting languages.")


def test_figure_1_gives_every_script() -> None:
    package = parse_spec(FIGURE_1, "bsf.spec")
    build = script_of(package, "build").splitlines()
    assert len(build) == 5 and build[2] == "ant jar"
    assert build[1] == "export CLASSPATH=$(build-classpath apache-commons-logging jython xalan-j2 rhino)"
    assert "install -m 644 build/lib/bsf.jar %{buildroot}%{_javadir}/bsf-2.4.0.jar" in script_of(package, "install")
    assert script_of(package, "remove") == "echo going"
    assert script_of(package, "check") == "ant test"
    assert package.scripts["prep"] == "%setup -q"
    assert package.files == ("%{_javadir}/bsf-2.4.0.jar",)


def test_subpackages_have_their_own_needs_texts_and_scriptlets() -> None:
    package = parse_spec(
        "Name: a\nSummary: main\n%description\nText.\n%package devel\nSummary: headers\nRequires: %{name} = 1, c\n"
        "%description devel\nHeaders.\n%package -n liba\nSummary: library\n%description -n liba\nLibrary.\n"
        "%post -n liba -p /sbin/ldconfig\n%post\necho main\n%files devel\n/usr/include/a.h\n",
        "a.spec",
    )
    found = {binary.name: binary for binary in package.binaries}
    assert list(found) == ["a", "a-devel", "liba"]
    assert found["a-devel"].requires == (Relation("a", "= 1"), Relation("c"))
    assert [found[name].description for name in found] == ["Text.", "Headers.", "Library."]
    assert package.scripts == {"post liba": "/sbin/ldconfig", "post": "echo main"}
    assert package.requires == ()


def test_macros_are_expanded_where_they_are_known() -> None:
    package = parse_spec(
        "%global major 3\n%define full %{major}.%{minor}\n%global minor 4\nName: a\nVersion: %{full}\n"
        "Release: 1%{?dist}%{!?dist:.x}\nURL: http://example.org/%{name}/%{version}?a=100%%\n"
        "Summary: %{unknown} %name\n",
        "a.spec",
    )
    assert (package.version, package.release) == ("3.4", "1.x")
    assert package.url == "http://example.org/a/3.4?a=100%" and package.summary == "%{unknown} a"


def test_a_definition_goes_on_until_its_braces_are_closed() -> None:
    text = "Name: a\n%global words %{expand:\nURL: of nothing\nIt shines: %{name}.}\n%description\n%{words}\nMore.\n"
    package = parse_spec(text, "a.spec")
    assert package.description == "URL: of nothing\nIt shines: a.\nMore." and package.url == ""


def test_the_scriptlets_of_a_library_are_not_part_of_the_section_above() -> None:
    package = parse_spec("Name: a\n%check\nmake check\n\n%ldconfig_scriptlets\n%ldconfig_post -n b\n", "a.spec")
    found = {"check": "make check", "post": "/sbin/ldconfig", "postun": "/sbin/ldconfig", "post b": "/sbin/ldconfig"}
    assert package.scripts == found


@pytest.mark.parametrize(
    ("condition", "taken"),
    [
        ("%if 0", False),
        ("%if 0%{?fedora} >= 17", True),
        ("%if 0%{?rhel}", False),
        ("%if 0%{?rhel} || ! 0%{?suse}", True),
        ("%if (1 && 0) || 3 < 2", False),
        ('%if "%{major}" == "3"', True),
        ('%if "%{major}" == "4"', False),
        ("%if %{with docs}", True),
        ("%if %{with tests}", False),
        ("%ifarch x86_64 aarch64", True),
        ("%ifnarch x86_64", False),
        ("%ifarch %{java_arches}", True),
        ("%if %{something unknown(", True),
    ],
)
def test_of_a_condition_the_branch_that_holds_is_kept(condition: str, taken: bool) -> None:
    head = "%global major 3\n%bcond_without docs\n%bcond_with tests\nName: a\n%build\n"
    text = f"{head}{condition}\nyes\n%else\nno\n%endif\nend\n"
    package = parse_spec(text, "a.spec", {"fedora": "17"})
    assert package.scripts["build"] == f"{'yes' if taken else 'no'}\nend"


def test_what_follows_a_branch_that_was_taken_is_left_out() -> None:
    text = "Name: a\n%build\n%if 1\none\n%if 0\nnever\n%endif\n%elif 1\ntwo\n%else\nthree\n%endif\n"
    assert parse_spec(text, "a.spec").scripts["build"] == "one"


def test_boolean_needs() -> None:
    found = read_needs("a, (b or c >= 2), (pkgconfig(d) >= 3 with pkgconfig(d) < 4), (e if f) perl(G::H) >= 1")
    assert found[1] == Relation("b", instead=(Relation("c", ">= 2"),))
    assert [one.name for one in found] == ["a", "b", "pkgconfig(d)", "pkgconfig(d)", "e", "perl(G::H)"]


def test_nothing_of_a_spec_file_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = f"Name: a%(touch {mark})\nVersion: %{{lua: os.execute('touch {mark}')}}\n%build\n%(touch {mark})\n"
    package = parse_spec(text, "a.spec")
    assert not mark.exists() and package.name == f"a%(touch {mark})"


HOSTILE = {
    "a macro that holds itself": "%global a %{a}%{a}\nName: x\nVersion: %{a}\n",
    "macros that double": "".join(f"%define a{n + 1} %{{a{n}}}%{{a{n}}}\n" for n in range(60)) + "Name: x\nURL: %{a60}",
    "a deep condition": "Name: x\n" + "%if 1\n" * 5000,
    "a deep expression": "Name: x\n%if " + "(" * 5000 + "\n",
    "many negations": "Name: x\n%if " + "!" * 150 + "1\n",
    "a long line": "Name: x\nSummary: " + "y" * 3_000_000,
    "open braces": "Name: x\nSummary: " + "%{" * 100_000,
    "open parentheses": "Name: x\nSummary: " + "%(" * 100_000,
    "needs without end": "Name: x\nRequires: " + "(" * 100_000 + " ( " * 1000,
    "zeros": "Name: x\0\0\nVersion: \0\n%build\n\0\n",
    "a definition without end": "Name: x\n%global a \\\n" + "y \\\n" * 10_000,
    "an end without beginning": "Name: x\n%endif\n%else\n%endif\n",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_specs_end_soon_in_a_record_or_one_line(text: str) -> None:
    begun = time.process_time()
    try:
        assert parse_spec(text, "x.spec").name.startswith("x")
    except BadFile as error:
        assert "\n" not in error.message and error.hint
    assert time.process_time() - begun < 3


def test_files_that_are_no_specs(tmp_path: Path) -> None:
    (tmp_path / "large.spec").write_bytes(b"Name: x\n" + b"#" * (9 << 20))
    (tmp_path / "latin.spec").write_bytes(b"Name: x\nSummary: caf\xe9\n")
    with pytest.raises(BadFile, match="the most that is read"):
        read_spec(tmp_path / "large.spec")
    with pytest.raises(BadFile, match="cannot read"):
        read_spec(tmp_path / "none.spec")
    with pytest.raises(BadFile, match="has no Name"):
        parse_spec("Version: 1\n", "x.spec")
    assert read_spec(tmp_path / "latin.spec").summary == "caf\ufffd"


@settings(max_examples=40)
@given(st.text(max_size=100))
def test_any_text_is_a_spec_or_a_bad_file(text: str) -> None:
    with suppress(BadFile):
        parse_spec(f"Name: x\n{text}", "x.spec")
    holds(text)


@given(st.text(st.characters(exclude_characters="%", exclude_categories=["Cs"]), max_size=50))
def test_text_without_macros_expands_to_itself(text: str) -> None:
    assert Macros({"a": "b"}).expand(text) == text
    assert Macros({"a": text}).expand("%{a}|%{?a}|%{!?a:no}") == f"{text}|{text}|"
