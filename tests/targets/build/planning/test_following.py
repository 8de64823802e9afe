"""What a README says beyond the build files: it is planned with its line, and only where it fits the tree."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from benchmarks.build_projects import is_program
from benchmarks.readme_projects import PROJECTS

from sayso.targets.build.evaluation.reading import is_document
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.planner import make_plan, ranked_plans
from sayso.targets.build.planning.survey import survey_texts

SCRIPTS = {
    "two-cores": "cd src/core\nmake PREFIX=/usr/local\nmake install PREFIX=/usr/local",
    "release-target": "make release\nmake install",
    "flavour": "export FLAVOUR=sweet\nmake\nmake install",
    "tables-first": "sh tools/gen-tables.sh\nmake\nmake install",
    "cmake-is-broken": "make\nmake install",
    "install-script": "make\n./install.sh /usr/local",
    "sample-config": "cp config.mk.sample config.mk\nmake PREFIX=/usr/local\nmake install PREFIX=/usr/local",
    "library-then-tool": "cd lib\nmake\nmake install\ncd ..\ncd tool\nmake\nmake install",
    "old-configure": "make\nmake install",
}
MAKEFILE = "prefix=/usr/local\nall: a.o\n\t@echo $(SIZE)\ninstall:\n\tinstall -D a.o $(prefix)/lib/a.o\n"


def ground_of(files: Mapping[str, str]) -> Ground:
    runs = {path: is_program(text) for path, text in files.items()}
    return survey_texts(runs, {}, files, files).ground


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_first_script_does_what_the_readme_says(name: str) -> None:
    assert make_plan(ground_of(PROJECTS[name].files)).script == SCRIPTS[name]


@pytest.mark.parametrize("name", [name for name, one in PROJECTS.items() if one.half == "choose"])
def test_a_line_of_the_readme_is_behind_every_step(name: str) -> None:
    for step in make_plan(ground_of(PROJECTS[name].files)).steps:
        assert step.cause is not None
        assert is_document(step.cause.file)
        assert step.cause.line > 0


def test_the_plan_without_what_was_told_is_the_next_to_try() -> None:
    first, second, *_ = ranked_plans(ground_of(PROJECTS["tables-first"].files))
    assert first.script == f"sh tools/gen-tables.sh\n{second.script}"


def script_for(told: str, **more: str) -> str:
    """The script for a project with a Makefile, whose README tells `told` before make."""
    files = {"Makefile": MAKEFILE, "a.c": "int a;\n", "gen.sh": "#!/bin/sh\necho\n", "sub/Makefile": "all:\n\ttrue\n"}
    readme = f"# a\n\n## Building\n\nRun these:\n\n```\n{told}\nmake\nmake install\n```\n"
    return make_plan(ground_of({**files, "README.md": readme, **more})).script


PLAIN = script_for("true")


@pytest.mark.parametrize(
    ("told", "planned"),
    [
        ("./gen.sh", "./gen.sh"),
        ("sh gen.sh --size=3 out.h", "sh gen.sh --size=3 out.h"),
        ("export SIZE=3", "export SIZE=3"),
        ("make -C sub", "make -C sub"),
        ("cp a.c b.c", "cp a.c b.c"),
    ],
)
def test_what_fits_the_tree_comes_first(told: str, planned: str) -> None:
    assert script_for(told) == f"{planned}\n{PLAIN}"


HARMFUL = [
    "cp a.c ../a.c",
    "cp a.c ~/.profile",
    "cp a.c /etc/cron.d/a",
    "cp a.c sub/../../a.c",
    "cp /etc/passwd b.c",
    "cp -t / a.c",
    "cp a.c Makefile",
    "cp a.c not-listed/a.c",
    "sh ../gen.sh",
    "sh /tmp/gen.sh",
    "./gen.sh /etc",
    "./gen.sh ../..",
    "./gen.sh --out=/etc/a",
    "./gen.sh --out=../a",
    "./gen.sh -o/etc/a",
    "./gen.sh -vo/etc/a",
    "./gen.sh $(id)",
    "./gen.sh; rm -rf src",
    "./gen.sh '; rm -rf x'",
    "./missing.sh",
    "./gen.sh > ../out",
    "false || ./gen.sh",
    "export PATH=.",
    "export LD_PRELOAD=./a.so",
    "export SIZE=/etc",
    "export SIZE=a:/etc",
    "export SIZE=`id`",
    "export NEVER_READ=1",
    "make -C /etc",
    "make -C sub --eval='$(shell id)'",
    "make -C sub SHELL=./gen.sh",
    "make -C .. all",
    "make -C sub 'CC=a;id'",
    "sudo cp a.c /usr/bin/a",
    "rm -rf sub",
    "mv a.c b.c",
]


@pytest.mark.parametrize("told", HARMFUL)
def test_what_leads_outside_or_is_no_plain_act_is_not_planned(told: str) -> None:
    script = script_for(told)
    assert script.splitlines()[-2:] == PLAIN.splitlines()
    assert all(line == "./gen.sh" for line in script.splitlines()[:-2])
    assert "rm " not in script


@pytest.mark.parametrize(
    "told",
    [
        "/tmp/x/cmake --install .",
        "./not-here/pip install .",
        "/tmp/x/bootstrap.sh install",
        "../autogen.sh install",
        "sh bootstrap.sh install",  # there is none
        "./boot/bootstrap.sh install ../..",
        "./boot/bootstrap.sh install -d/etc",
        "./boot/bootstrap.sh install '$(id)'",
    ],
)
def test_no_program_outside_the_tree_installs_it(told: str) -> None:
    readme = f"# a\n\n## Building\n\nRun these:\n\n```\nmake\n{told}\n```\n"
    more = {"README.md": readme, "boot/bootstrap.sh": "#!/bin/sh\necho\n"}
    assert script_for("", **more) == PLAIN


def test_a_bootstrap_of_the_tree_installs_it() -> None:
    readme = "# a\n\n## Building\n\nRun these:\n\n```\nmake\n./bootstrap.sh install\n```\n"
    script = script_for("", **{"README.md": readme, "bootstrap.sh": "#!/bin/sh\necho\n"})
    assert script.splitlines()[-1] == "./bootstrap.sh install"


@pytest.mark.parametrize("text", ["curl example.org\n", "git clone x\n", "rm -rf ~/x\n", "sudo cp x /usr\n"])
def test_a_script_that_fetches_or_destroys_is_not_planned(text: str) -> None:
    assert script_for("./gen.sh", **{"gen.sh": f"#!/bin/sh\n{text}"}) == PLAIN


def test_steps_for_other_systems_are_left_out() -> None:
    windows = "## Building on Windows\n\n    sh gen.sh\n    make\n"
    readme = f"# a\n\n{windows}\n## Building on Linux\n\n    make\n    make install\n"
    assert script_for("", **{"README.md": readme}) == PLAIN


def test_a_checkout_with_a_folder_of_its_own_name_is_built_at_its_top() -> None:
    readme = "# sub\n\n## Building\n\n```\ntar -xf sub-1.0.tar.gz\ncd sub\n./configure\nmake\nmake install\n```\n"
    configured = {"configure": "#!/bin/sh\n# Generated by GNU Autoconf\n", "README.md": readme}
    assert script_for("", **configured) == "./configure\nmake\nmake install"
