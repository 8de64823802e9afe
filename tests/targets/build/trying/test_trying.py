"""The loop of tries with a sandbox that is told what to say, the table of failures, and one real repair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.build_projects import PROJECTS
from tests.conftest import missing
from tests.targets.build.planning.test_planner import ground_of

from sayso.core.errors import SandboxFailed
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.source import read_folder
from sayso.targets.build.planning.planner import ranked_plans
from sayso.targets.build.trying.failures import classes, read_failure
from sayso.targets.build.trying.repairs import REPAIRS
from sayso.targets.build.trying.sandboxed import run_in
from sayso.targets.build.trying.trying import BUDGET, Ended, Tried, try_plans
from sayso.targets.build.trying.wanting import lacks

FINE = ("/usr/local/lib/libadd.a", "/usr/local/include/add.h")
LOGS = [
    ("add.c:1:10: fatal error: zeta.h: No such file or directory", "missing header", "zeta.h"),
    ("/usr/bin/ld: cannot find -lzeta: No such file", "missing library", "zeta"),
    ("sh: 1: makeinfo: not found\nmake: *** [doc] Error 127", "missing tool", "makeinfo"),
    ("WARNING: 'aclocal-1.15' is missing on your system.", "stale autotools", "aclocal-1.15"),
    ("make: *** No rule to make target 'install'.  Stop.", "no install", "install"),
    ("x.c:3: error: unused [-Werror=unused-variable]", "warnings as errors", ""),
    ("cp: cannot create regular file '/usr/lib/a.so': Permission denied", "wrong prefix", "/usr/lib/a.so"),
    ("install: cannot change ownership of 'x': Operation not permitted", "wants root", "cannot change ownership"),
    ("CMake Error: Could NOT find Zeta (missing: ZETA_DIR)", "missing package", "Zeta"),
    ("fatal: Could not resolve host: example.org", "network", ""),
    ("ld: a.o: undefined reference to `sqrt'", "missing maths", "sqrt"),
    ("FAIL: test-add", "tests", ""),
    ("something else broke", "unknown", ""),
    ("a.c:2:5: error: expected ';' before '}' token\nmake: *** [Makefile:3: a.o] Error 1", "unknown", ""),
]


@pytest.mark.parametrize(("log", "kind", "what"), LOGS)
def test_a_log_is_of_one_class(log: str, kind: str, what: str) -> None:
    failure = read_failure(f"gcc -c a.c\n{log}\n")
    assert (failure.kind, failure.what) == (kind, what) and failure.line in log


def test_a_compilers_error_is_told_and_not_what_make_makes_of_it() -> None:
    failure = read_failure("gcc -c a.c\na.c:2:5: error: expected ';'\nmake: *** [Makefile:3: a.o] Error 1\n")
    assert failure.line == "a.c:2:5: error: expected ';'"


def test_what_a_program_died_of_is_told_and_not_where_pip_says_to_look() -> None:
    log = "ValueError: invalid config: `licence`\n\nerror: metadata-generation-failed\n\nhint: See above for details.\n"
    assert read_failure(log).line == "ValueError: invalid config: `licence`"
    assert read_failure("it broke\nnote: This is an issue with the package.\n").line == "it broke"


def test_every_class_has_a_repair() -> None:
    assert {one.kind for one in classes()} | {"unknown", "never ended", "too much"} == set(REPAIRS)


def tried(name: str, *outcomes: tuple[bool, Sequence[str], str], budget: int = BUDGET) -> tuple[Tried, list[str]]:
    """Tries of a project under a sandbox that says these one after the other, and the last for ever."""
    ground, asked = ground_of(PROJECTS[name]), list[str]()

    def run(script: str) -> Ended:
        asked.append(script)
        succeeded, installed, log = outcomes[min(len(asked), len(outcomes)) - 1]
        return Ended(succeeded, tuple(installed), log, cpu_seconds=9.0)

    return try_plans(ground, ranked_plans(ground), run, budget), asked


def test_a_plan_that_installs_all_is_tried_once() -> None:
    found, asked = tried("plain-make", (True, FINE, ""))
    assert len(asked) == 1 and found.best.ended.succeeded and not found.best.lacking


def test_a_stale_configure_is_made_again() -> None:
    found, asked = tried(
        "configure-by-hand", (False, (), "'automake-1.15' is missing on your system"), (True, FINE, "")
    )
    assert "autoreconf -fi" not in asked[0] and asked[1].startswith("autoreconf -fi\n./configure")
    assert found.best.plan.script == asked[1]


def test_headers_that_are_not_installed_are_asked_for() -> None:
    found, asked = tried("plain-make", (True, FINE[:1], ""), (True, FINE, ""))
    assert found.tries[0].lacking == ("headers",) and "include add.h" in asked[1]
    assert not found.best.lacking


def test_nothing_is_tried_twice_nor_beyond_the_budget() -> None:
    found, asked = tried("cmake-library", (False, (), "Could NOT find GTest"))
    assert len(asked) == len(set(asked)) <= BUDGET and not found.best.ended.succeeded
    assert len(tried("cmake-library", (False, (), "x"), budget=1)[1]) == 1


def test_a_failing_script_that_lacks_nothing_loses_to_one_that_succeeds() -> None:
    found, _ = tried("warned", (False, FINE, "[-Werror]"), (True, FINE[:1], ""))
    assert found.best.ended.succeeded


def test_what_a_tree_promises_and_an_installation_lacks() -> None:
    ground = ground_of(PROJECTS["autotools-source"])
    assert lacks(ground, ()) == ["anything"]
    assert lacks(ground, FINE) == ["pkg-config"]
    assert lacks(ground, (*FINE, "/usr/local/lib/pkgconfig/adder.pc")) == []


@pytest.mark.sandbox
def test_a_warning_that_is_an_error_is_repaired_in_the_sandbox(tmp_path: Path) -> None:
    for path, text in PROJECTS["warned"].items():
        (tmp_path / path).write_text(text)
    ground = ground_of(PROJECTS["warned"])
    run = run_in(Builder(tmp_path.parent / "cache"), read_folder("warned", "1", tmp_path))
    try:
        found = try_plans(ground, ranked_plans(ground), run, shorten=False)
    except SandboxFailed as error:
        missing(error.message)
    kinds = [one.failure.kind if one.failure else "" for one in found.tries]
    assert kinds == ["warnings as errors", ""]
    assert found.best.ended.installed == ("/usr/local/include/add.h", "/usr/local/lib/libadd.a")


def test_of_an_exception_the_message_is_said_and_not_where_it_was() -> None:
    log = "java.io.IOException: no such file\n\tat a.b.C.run(C.java:12)\n\tat a.b.D.main(D.java:3)\n\t... 4 more\n"
    assert read_failure(log).line == "java.io.IOException: no such file"
