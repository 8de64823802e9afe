"""The paper's pipeline as a system: it does what documents tell, and nothing that the planner would refuse."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from sayso.core.types import Piece, Request, Workspace
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.survey import survey_texts
from sayso.targets.build.planning.walk import Act, walk
from sayso.targets.build.reading.tree import Evidence
from sayso.targets.build.systems.observed import Sight
from sayso.targets.build.systems.pipeline import moves_told, script_by
from sayso.targets.build.systems.stages import SYSTEMS

README = "# a\n\n## Building\n\n```\n{}\n```\n"
FILES = {
    "configure": "#!/bin/sh\n",
    "Makefile": "PREFIX=/usr/local\nall:\n\ttrue\ninstall:\n\tcp a $(PREFIX)/lib\n",
    "CMakeLists.txt": "project(a)\n",
    "setup.py": "import setuptools\n",
    "src/Makefile": "all:\n\ttrue\n",
}


def ground_with(*commands: str) -> Ground:
    files = {**FILES, "README.md": README.format("\n".join(commands))}
    return survey_texts(dict.fromkeys(files, True), {}, files, files).ground


def as_written(ground: Ground) -> str:
    """All that a policy could be led to do by the documents: of each instruction the first move."""
    return script_by(Sight(ground), lambda moves, each: 0)


@pytest.mark.parametrize(
    "command",
    ["./configure --enable-x", "make all", "make install", "cmake -DWITH_X=ON .", "python3 setup.py install", "ninja"],
)
def test_what_a_document_tells_of_the_tree_is_done_as_written(command: str) -> None:
    assert as_written(ground_with(command)) == command


@pytest.mark.parametrize(
    "command",
    [
        "make -f /tmp/evil.mk",
        "make -C /etc all",
        "make SHELL=/tmp/evil",
        "make --eval=x:=1",
        "cmake -P evil.cmake",
        "cmake -E rm -rf .",
        "cmake -DCMAKE_PROJECT_INCLUDE=/tmp/evil.cmake .",
        "cmake ../..",
        "cmake --toolchain /tmp/evil .",
        "meson setup /tmp/x",
        "ninja -f /tmp/evil.ninja",
        "pip install -r /tmp/list .",
        "pip install --index-url=//host .",
        "/tmp/configure",
        "../configure",
        "./configure --cache-file=/home/me/x",
        "perl /tmp/Makefile.PL",
        "python3 ../setup.py install",
        "./configure --x='$(touch made)'",
    ],
)
def test_what_leads_out_of_the_tree_can_only_be_passed_over(command: str) -> None:
    assert as_written(ground_with(command)) == ""


@pytest.mark.parametrize("words", [("make", "-C", "/etc"), ("cmake", "-P", "x"), ("curl", "x"), ("sh", "configure;x")])
def test_an_act_that_nobody_looked_at_has_no_move_but_to_skip(words: tuple[str, ...]) -> None:
    act = Act("build", "", words, Evidence("README.md", 5, "x"))
    assert [move.name for move in moves_told(ground_with(), act)] == ["skip"]


def test_a_place_of_the_author_becomes_ours_and_is_never_written() -> None:
    ground = ground_with("./configure --prefix=/opt/mine", "make install PREFIX=/opt/mine")
    assert as_written(ground) == ("./configure --prefix=/usr/local\nmake install PREFIX=/usr/local prefix=/usr/local")


def test_it_is_a_system_of_scripts_that_needs_the_documents(tmp_path: Path) -> None:
    files = {**FILES, "README.md": README.format("./configure\nmake\nmake install")}
    listing = "\n".join(f"x 10 {path}" for path in files)
    pieces = tuple(Piece("file", text, path) for path, text in files.items())
    request = Request("build it", (Piece("text", listing, "tree"), *pieces))
    workspace = Workspace(tmp_path, tmp_path)
    ((candidate,),) = SYSTEMS["pipeline-untrained"](workspace).translator.translate([request])
    assert candidate.text.splitlines()[-3:] == ["./configure", "make", "make install"]
    ((learnt,),) = SYSTEMS["pipeline"](workspace).translator.translate([request])
    assert learnt.text != candidate.text and "make install" in learnt.text
    bare = Request("build it", (Piece("text", listing, "tree"), *pieces[:-1]))
    ((candidate,),) = SYSTEMS["pipeline-untrained"](workspace).translator.translate([bare])
    assert "configure" not in candidate.text


def test_the_places_of_a_strangers_makefile_are_words_of_the_shell() -> None:
    files = {**FILES, "Makefile": FILES["Makefile"].replace("/usr/local", "/usr/share/$(touch${IFS}made)")}
    files["README.md"] = README.format("make install")
    ground = survey_texts(dict.fromkeys(files, True), {}, files, files).ground
    (act,) = walk(ground)
    moves = {move.name: move.command for move in moves_told(ground, act, Sight(ground).of(""))}
    assert shlex.split(moves["with places"]) == ["make", "install", "PREFIX=/usr/local/share/$(touch${IFS}made)"]
