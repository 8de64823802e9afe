"""Baselines and stages: what a look at the tree says, and that any stage can be replaced by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.targets.build.evaluation.test_sets import dependent, package

from sayso.core.errors import UnknownName
from sayso.core.types import Piece, Request, Workspace
from sayso.targets.build.evaluation.requests import SENTENCE, id_of
from sayso.targets.build.systems.stages import SYSTEMS, open_staged


def request(*paths: str, name: str = "b") -> Request:
    """Paths with a star can be executed."""
    listing = "\n".join(f"{'x' if path.endswith('*') else '-'} 10 {path.rstrip('*')}" for path in paths)
    return Request(SENTENCE.format(name=name), (Piece("text", listing, "tree"), Piece("file", "read me", "README")))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "readme_eval"
    folder.mkdir()
    behind = [{"file": "README", "line": 3}, {"file": None}, {"file": "README", "line": 5}]
    rows = [package("a"), {**package("b", "a"), "gold_script": "make b", "justification": behind}]
    (folder / "eval.json").write_text(json.dumps({"T": rows, "V": [dependent("v", "b")]}))
    return Workspace(tmp_path, tmp_path / "cache")


def said(workspace: Workspace, system: str, asked: Request, **stages: str) -> str:
    ((candidate,),) = open_staged(workspace, system, stages).translator.translate([asked], 3)
    return candidate.text


@pytest.mark.parametrize(
    ("paths", "sniff", "sniff2"),
    [
        (("configure*", "CMakeLists.txt"), "./configure", "./configure"),
        (("configure", "configure.ac"), "autoreconf -fi", "autoreconf -fi"),
        (("configure.ac", "autogen.sh", "bootstrap"), "autoreconf -fi", "sh autogen.sh"),
        (("configure.ac", "bootstrap"), "autoreconf -fi", "sh bootstrap"),
        (("CMakeLists.txt", "meson.build"), "mkdir -p b", "mkdir -p b"),
        (("meson.build",), "make", "meson setup b"),
        (("Build.PL", "Makefile.PL"), "make", "perl Build.PL"),
        (("Makefile.PL",), "make", "perl Makefile.PL"),
        (("setup.py",), "make", "pip3 install --no-index --no-deps --no-build-isolation --break-system-packages ."),
        (("sub/configure*", "Makefile"), "make", "make"),
        ((), "make", "make"),
    ],
)
def test_the_top_of_the_tree_says_how(workspace: Workspace, paths: tuple[str, ...], sniff: str, sniff2: str) -> None:
    assert said(workspace, "sniff", request(*paths)).splitlines()[0] == sniff
    assert said(workspace, "sniff2", request(*paths)).splitlines()[0] == sniff2


def test_both_ends_of_the_scale(workspace: Workspace) -> None:
    assert said(workspace, "null", request()) == ":"
    assert said(workspace, "gold", request()) == "make b"
    assert open_staged(workspace, "gold", {}).translator.translate([Request("build a house")]) == [[]]


def test_any_stage_can_be_replaced(workspace: Workspace) -> None:
    assert said(workspace, "gold", request(), script="sniff") == "make\nmake install"
    assert said(workspace, "sniff", request(), script="gold") == "make b"
    assert said(workspace, "sniff", request(), depends="gold") == "# needs: a\nmake\nmake install"
    assert said(workspace, "gold", request(), depends="null") == "# needs:\nmake b"


def test_stages_see_what_was_said_before(workspace: Workspace) -> None:
    from sayso.targets.build.systems.stages import KNOWN, Staged

    heard: list[dict[str, str]] = []
    stages = {name: KNOWN[name]["gold"](workspace) for name in ("documents", "instructions", "depends")}
    translator = Staged({**stages, "script": lambda asked, before: heard.append(dict(before)) or "make"})  # type: ignore[func-returns-value]
    translator.translate([request()])
    assert heard == [{"documents": "README", "instructions": "README:3\nREADME:5", "depends": "build a"}]


def test_what_nobody_knows_is_answered_with_near_misses(workspace: Workspace) -> None:
    with pytest.raises(UnknownName) as stage:
        open_staged(workspace, "gold", {"depend": "gold"})
    assert stage.value.near == ("depends",)
    with pytest.raises(UnknownName) as system:
        open_staged(workspace, "gold", {"script": "sniff3"})
    assert "sniff2" in system.value.near
    with pytest.raises(UnknownName):
        open_staged(workspace, "golf", {})


def test_the_maintainers_text_is_stored_by_the_id_of_its_example(workspace: Workspace) -> None:
    translator = SYSTEMS["gold"](workspace).translator
    assert translator.source_of("make b") == id_of("b") and translator.source_of("make c") is None  # type: ignore[attr-defined]
