"""Plans for small projects of ours: the commands, the line behind each, and where `install` is led to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from benchmarks.build_projects import PROJECTS, is_program
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.planning.makefile import fixed_places, overrides, placed, read_makefile, wants_root
from sayso.targets.build.planning.plan import PREFIX, Ground, Plan
from sayso.targets.build.planning.planner import make_plan
from sayso.targets.build.planning.survey import survey_texts


def ground_of(files: Mapping[str, str]) -> Ground:
    runs = {path: is_program(text) for path, text in files.items()}
    return survey_texts(runs, {}, files, files).ground


def plan_of(files: Mapping[str, str]) -> Plan:
    return make_plan(ground_of(files))


SCRIPTS = {
    "plain-make": "make PREFIX=/usr/local\nmake install PREFIX=/usr/local",
    "autotools-source": "autoreconf -fi\n./configure\nmake\nmake install",
    "configure-by-hand": "./configure --prefix=/usr/local\nmake\nmake install",
    "below": "cd unix\nmake\nmake install",
    "cmake-shy": "cmake -S . -B build -DADDER_INSTALL=ON -DCMAKE_INSTALL_PREFIX=/usr/local\ncmake --build build\n"
    "cmake --install build",
    "meson-library": "meson setup build\nninja -C build\nninja -C build install",
    "header-only": "mkdir -p /usr/local/include && cp -R include/. /usr/local/include/",
    "two-libraries": "cd one\nmake\nmake install\ncd ..\ncd two\nmake\nmake install",
    "perl-module": "perl Makefile.PL\nmake\nmake install",
    "forgetful": "make\nmake install install-headers",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_of_a_project(name: str) -> None:
    assert plan_of(PROJECTS[name]).script == SCRIPTS[name]


@pytest.mark.parametrize(
    "written", ["$(PREFIX)/bin/tool", "$(DESTDIR)${PREFIX}/sbin/tool", "$(INSTALL) tool $(PREFIX)/bin/tool"]
)
def test_a_file_that_install_names_is_no_program_of_the_system(written: str) -> None:
    lines = ["INSTALL = /usr/bin/install", "PREFIX ?= /usr", "install:", f"\tinstall -D tool {written}"]
    made = read_makefile("Makefile", lambda path: "\n".join(lines))
    assert {name: value for name, (value, _) in overrides(made).items()} == {"PREFIX": PREFIX}


@pytest.mark.parametrize("name", PROJECTS)
def test_every_step_rests_on_a_line_or_a_file_of_the_tree(name: str) -> None:
    files = PROJECTS[name]
    for step in plan_of(files).steps:
        assert step.cause is not None
        lines = files.get(step.cause.file, "").splitlines()
        assert step.cause.file in files or any(path.startswith(step.cause.file) for path in files)
        assert 0 <= step.cause.line <= len(lines)
        if step.cause.line and step.cause.file.startswith("README"):
            assert step.cause.text.strip("`$ ") in lines[step.cause.line - 1] or step.cause.text in "\n".join(lines)


@pytest.mark.parametrize(
    ("files", "system", "has"),
    [
        ({"Cargo.toml": '[package]\nname = "a"\n', "src/main.rs": "fn main() {}"}, "cargo", "--offline"),
        ({"go.mod": "module a\n", "main.go": "package main"}, "go", "GOPROXY=off"),
        ({"go.mod": "module a\n", "vendor/x/x.go": "package x"}, "go", "-mod=vendor"),
        ({"package.json": '{"scripts": {"build": "tsc"}}'}, "node", "npm run build"),
        ({"pom.xml": "<project/>"}, "mvn", "mvn -o"),
        ({"build.xml": "<project/>"}, "ant", "ant jar"),
        ({"a.cabal": "name: a", "Setup.hs": "main = 1"}, "cabal", "runhaskell Setup.hs install"),
        ({"a.cabal": "name: a"}, "cabal", "main = defaultMain' >Setup.hs"),
        ({"pyproject.toml": "[build-system]\n"}, "python", "--no-index"),
        ({"setup.py": "setup(setup_requires=['pbr'])", "ChangeLog": "2.4.1\n"}, "python", "PBR_VERSION=2.4.1 pip3"),
        ({"Build.PL": "1;"}, "perl", "./Build install"),
        ({"Makefile.PL": "use inc::Module::Install;"}, "perl", "PERL_USE_UNSAFE_INC=1 perl Makefile.PL"),
        ({"dune-project": "(lang dune 3.0)"}, "ocaml", "dune install"),
        ({"app.pro": "TEMPLATE = app\n"}, "qmake", "qmake PREFIX="),
        (
            {"foo.h": "int foo(void);", "foo.c": '#include "foo.h"\n'},
            "headers",
            "-shared -o /usr/local/lib/libfoo.so foo.c",
        ),
    ],
)
def test_languages_are_built_offline_below_the_prefix(files: dict[str, str], system: str, has: str) -> None:
    plan = plan_of(files)
    assert plan.system == system and has in plan.script
    assert "sudo" not in plan.script and "http" not in plan.script


def test_what_nobody_can_build_has_no_steps_and_says_so() -> None:
    plan = plan_of({"notes.txt": "nothing"})
    assert not plan.steps and plan.notes


def test_other_build_systems_are_alternatives_with_a_reason() -> None:
    both = {**PROJECTS["cmake-library"], "Makefile": "all:\n\ttrue\ninstall:\n\ttrue\n"}
    plan = plan_of(both)
    assert plan.system == "cmake"
    other = next(one for one in plan.alternatives if one.what == "make")
    assert other.why and "make install" in other.script


def test_options_that_every_call_in_the_readme_has_are_kept_and_others_are_not() -> None:
    tree = {"configure": "#!/bin/sh\n# Generated by GNU Autoconf 2.71\n", "configure.ac": "AC_INIT"}
    always = {**tree, "README.md": "```\n./configure --enable-cxx --prefix=/opt/x\nmake\nmake install\n```\n"}
    assert "--enable-cxx" in plan_of(always).script and "/opt/x" not in plan_of(always).script
    once = {**tree, "README.md": "```\n./configure\nmake\n```\n\n```\n./configure --enable-debugging\n```\n"}
    assert "--enable" not in plan_of(once).script


MAKEFILES = {
    "PREFIX=/usr\ninstall:\n\tcp a $(DESTDIR)$(PREFIX)/bin\n": {"PREFIX": PREFIX},
    "prefix=$(HOME)\nbindir=$(prefix)/bin\ninstall:\n\tcp a $(bindir)\n": {"prefix": PREFIX},
    "PREFIX=/usr/local\nLIBDIR=/lib\ninstall:\n\tcp a $(PREFIX)$(LIBDIR)\n": {},
    "install:\n\tcp a $(PREFIX)/bin\n": {"PREFIX": PREFIX},
    "install:\n\tcp a $(DESTDIR)/bin\n": {"DESTDIR": PREFIX},
    "MANDIR=/usr/share/man\ninstall:\n\t/usr/bin/install a $(MANDIR)/man1\n": {"MANDIR": f"{PREFIX}/share/man"},
    "include config.mk\ninstall:\n\tcp a $(PREFIX)/bin\n": {"PREFIX": PREFIX},
}


@pytest.mark.parametrize("text", MAKEFILES)
def test_variables_that_lead_install_below_the_prefix(text: str) -> None:
    made = read_makefile("Makefile", {"Makefile": text, "config.mk": "PREFIX = /usr\n"}.__getitem__)
    assert {name: value for name, (value, _) in overrides(made).items()} == MAKEFILES[text]


def test_what_only_root_may_do_and_what_no_variable_moves_is_found() -> None:
    text = "install:\n\tinstall -o root a $(DESTDIR)/usr/bin\n\tldconfig\n\t-chown x y\n"
    made = read_makefile("Makefile", {"Makefile": text}.__getitem__)
    assert [what for _, what, _ in wants_root(made)] == ["owner", "ldconfig"]
    assert [line for line, _ in fixed_places(made)] == [2]


@given(st.text(alphabet="/abinlubsrelochmt-64.", max_size=30))
def test_a_folder_is_led_below_the_prefix_once(value: str) -> None:
    moved = placed(value)
    assert not moved or moved == PREFIX or moved.startswith(f"{PREFIX}/")
    assert not moved or placed(moved) == ""
