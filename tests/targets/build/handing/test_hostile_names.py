"""Names and values of a stranger's tree in what is printed to be run: one word of the shell each, or left out."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from sayso.targets.build.handing import FORMATS, Answer
from sayso.targets.build.handing.answer import read_given
from sayso.targets.build.handing.formats import moved
from sayso.targets.build.handing.given import Given, forget, source_of
from sayso.targets.build.planning.makefile import assigned
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.planner import PLANNERS

MAKEFILE = "PREFIX = /usr/share/$(touch${IFS}made)\nall:\n\ttrue\ninstall:\n\tcp a $(PREFIX)/a\n"


def answered(folder: Path, **files: str) -> Answer:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_given(Given("thing", folder))


@pytest.mark.parametrize("name", ["x; touch made; #", "$(touch made)", "`touch made`", "a b", "-rf", "a'b", "a&b", "~"])
def test_a_folder_or_header_with_a_name_for_the_shell_is_in_no_step(tmp_path: Path, name: str) -> None:
    (tmp_path / "odd" / name).mkdir(parents=True)
    (tmp_path / "odd" / name / "Makefile").write_text(MAKEFILE)
    (tmp_path / "odd" / f"{name}.h").write_text("int a;\n")
    (tmp_path / "fine.h").write_text("int b;\n")
    answer = read_given(Given("thing", tmp_path))
    assert answer.plan.script.endswith(" fine.h")
    assert name not in answer.plan.script
    assert any("a shell would read otherwise" in one for one in answer.survey.warnings)


def test_a_value_of_a_makefile_is_one_word(tmp_path: Path) -> None:
    answer = answered(tmp_path, Makefile=MAKEFILE)
    install = answer.plan.steps[-1].command
    assert shlex.split(install)[-1] == "PREFIX=/usr/local/share/$(touch${IFS}made)"
    assert "'/usr/local/share/$(touch${IFS}made)'" in install
    assert assigned("PREFIX", "/usr/local") == "PREFIX=/usr/local"


def test_no_text_of_the_tree_is_a_macro_of_rpm(tmp_path: Path) -> None:
    readme = "# thing\n\n%(touch made) library for things\n"
    text = FORMATS["rpm"](answered(tmp_path, README_dot_md=readme, Makefile="all:\n\ttrue\ninstall:\n\ttrue\n"))
    assert "%%(touch made)" in text
    assert "%(" not in text.replace("%%", "")


def test_debian_rules_install_into_the_package(tmp_path: Path) -> None:
    text = FORMATS["debian"](answered(tmp_path, Makefile=MAKEFILE))
    assert "DESTDIR=$(CURDIR)/debian/tmp" in text  # make's own variable, not a command of the shell
    assert "$$(touch$${IFS}made)" in text


def test_a_workflow_has_no_expression_of_the_tree(tmp_path: Path) -> None:
    makefile = MAKEFILE.replace("$(touch${IFS}made)", "${{github.token}}")
    text = FORMATS["github-actions"](answered(tmp_path, Makefile=makefile))
    assert "github.token" in text
    assert "${{" not in text.replace("${{ '${{' }}", "")


def test_blank_and_long_lines_cost_no_more_than_others(tmp_path: Path) -> None:
    blank = "\n" * 100_000
    start = time.process_time()
    answered(
        tmp_path, CMakeLists_dot_txt=f"project(a)\n{blank}", src__a_dot_c=blank, go_dot_mod=blank, README="a." * 40_000
    )
    assert time.process_time() - start < 10


def test_what_was_packed_for_the_sandbox_is_forgotten(tmp_path: Path) -> None:
    folder, cache = tmp_path / "source", tmp_path / "cache"
    folder.mkdir()
    (folder / ".env").write_text("secret\n")
    (folder / "Makefile").write_text("all:\n\ttrue\n")
    packed = Path(source_of(Given("thing", folder), cache).files[0][0])
    assert packed.is_file() and packed.parent.stat().st_mode & 0o077 == 0
    forget(cache)
    assert not list(cache.rglob("*.tar"))


def test_a_tree_is_not_called_by_the_tool_that_builds_it(tmp_path: Path) -> None:
    files = {"README.md": "# ab\n\n    make\n    make install\n", "Makefile": "all:\n\ttrue\ninstall:\n\ttrue\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert read_given(Given("thing", tmp_path)).name == "thing"


@pytest.mark.parametrize(
    ("command", "moved_to"),
    [
        ("pip3 install --no-index .", "pip3 install --no-index . --root=R"),
        ("cargo install --path . --root /usr/local", "cargo install --path . --root R/usr/local"),
        (
            "GOFLAGS=-mod=mod GOBIN=/usr/local/bin go install ./...",
            "GOFLAGS=-mod=mod GOBIN=R/usr/local/bin go install ./...",
        ),
        ("make install PREFIX=/usr/local", "make install PREFIX=/usr/local DESTDIR=R"),
        ("install -D -t /usr/local/lib a.so", "install -D -t R/usr/local/lib a.so"),
    ],
)
def test_packages_install_into_a_tree_of_their_own(command: str, moved_to: str) -> None:
    assert moved(command, "R") == moved_to


TREES: dict[str, dict[str, str]] = {
    "autotools": {"configure": "prefix=\n", "Makefile.in": "all:\n", "a.h": "int a;"},
    "cmake": {"CMakeLists.txt": "project(a C)\nadd_library(a a.c)\n", "a.h": "int a;"},
    "meson": {"meson.build": "project('a', 'c')"},
    "make": {"Makefile": "all: liba.a\nliba.a: a.o\n\tar rcs liba.a a.o\n", "a.h": "int a;", "a.c": "int a;"},
    "perl": {"Makefile.PL": ""},
    "python": {"setup.py": "setup()"},
    "cargo": {"Cargo.toml": "cdylib", "src/main.rs": ""},
    "go": {"go.mod": "module a"},
    "node": {"package.json": '{"scripts": {"build": "x"}}'},
    "maven": {"pom.xml": ""},
    "cabal": {"a.cabal": ""},
}


@pytest.mark.parametrize("name", ["x; touch made; #", "$(touch made)", "`touch made`", "a b", "a'b", "x&touch made"])
@pytest.mark.parametrize("system", TREES)
def test_a_planner_quotes_names_though_no_listing_lets_them_through(system: str, name: str) -> None:
    """`cd {folder}` stood unquoted, and only the filter of the listing kept it harmless."""
    tree = {f"{name}/{path}": text for path, text in {**TREES[system], f"{name}.h": "int z;"}.items()}
    plan = PLANNERS[system](Ground(dict.fromkeys(tree, True), tree), name, ())
    for step in plan.steps:
        words = shlex.split(step.command)
        assert "touch" not in words and "#" not in words
        if name in step.command:
            assert any(name in word for word in words)
            assert re.search(rf"'[^']*{re.escape(name)}|\"'\"", step.command)
