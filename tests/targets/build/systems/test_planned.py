"""The systems that plan: their four stages, what replacing one changes, and a try over a real small set."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import missing
from tests.targets.build import miniature

from sayso.core.errors import SandboxFailed
from sayso.core.types import Piece, Request, Workspace
from sayso.sandbox import open_sandbox
from sayso.targets.build.evaluation.requests import load_examples
from sayso.targets.build.systems.planned import lines_named
from sayso.targets.build.systems.stages import open_staged

MAKEFILE = "PREFIX=/usr/local\nall:\n\ttrue\ninstall:\n\tcp a $(PREFIX)/lib\n"
README = "# a\n\n## Building\n\n```\nmake FEATURE=1\nmake FEATURE=1 install\n```\n"


def asked(*files: tuple[str, str]) -> Request:
    listing = "\n".join(f"- 10 {path}" for path, _ in files)
    pieces = tuple(Piece("file", text, path) for path, text in files)
    return Request("build it", (Piece("text", listing, "tree"), *pieces))


def said(tmp_path: Path, request: Request, **stages: str) -> str:
    system = open_staged(Workspace(tmp_path, tmp_path), "default", stages)
    ((candidate,),) = system.translator.translate([request])
    return candidate.text


def test_what_the_documents_say_reaches_the_script_through_the_stages_before(tmp_path: Path) -> None:
    request = asked(("Makefile", MAKEFILE), ("README.md", README))
    assert said(tmp_path, request).endswith("make FEATURE=1\nmake install FEATURE=1")
    for stage in ("documents", "instructions"):
        assert said(tmp_path, request, **{stage: "null"}).endswith("\nmake\nmake install")
    assert said(tmp_path, request, depends="null").startswith("# needs:\n")
    assert said(tmp_path, request, script="null").endswith(":")


def test_needs_are_named_as_debian_would_name_them(tmp_path: Path) -> None:
    request = asked(("Makefile.PL", "WriteMakefile(PREREQ_PM => {'Foo::Bar_Baz' => 0});\n"))
    assert "libfoo-bar-baz-perl" in said(tmp_path, request).splitlines()[0].split()
    request = asked(("configure.ac", "PKG_CHECK_MODULES([ZETA], [libzeta >= 1.2 eta])\nAC_CHECK_LIB([theta], [f])\n"))
    assert {"libzeta", "zeta", "eta", "theta"} <= set(said(tmp_path, request).splitlines()[0].split())


def test_lines_are_named_with_and_without_their_tag() -> None:
    assert lines_named("README:3\nREADME:5 step\na b.md:7 condition\n") == {"README": {3, 5}, "a b.md": {7}}


def test_a_request_without_a_tree_has_the_null_script(tmp_path: Path) -> None:
    assert said(tmp_path, Request("build a house")).splitlines()[-1] == ":"


@pytest.mark.sandbox
def test_a_try_mends_what_a_plan_cannot_know(tmp_path: Path) -> None:
    """`gen` has a configure only once its autogen.sh was run."""
    miniature.write(tmp_path / "data")
    workspace = Workspace(tmp_path / "data", tmp_path / "cache")
    try:
        open_sandbox(workspace.cache)
    except SandboxFailed as error:
        missing(error.message)
    system = open_staged(workspace, "default-tried", {})
    examples = {one.meta["name"]: one.request for one in load_examples(workspace, "dev")}
    ((add,), (gen,)) = system.translator.translate([examples["add"], examples["gen"]])
    assert add.text.splitlines()[-3:] == ["./configure", "make", "make install"]
    assert gen.text.splitlines()[-4:] == ["sh autogen.sh", "./configure", "make", "make install"]


@pytest.mark.parametrize(
    "folder", ["x; touch made; #", "$(touch made)", "`touch made`", "a b", "-rf", "a'b", "..", "../../up", "/etc"]
)
@pytest.mark.parametrize("file", ["configure", "Makefile", "setup.py", "Makefile.PL", "CMakeLists.txt", "go.mod"])
def test_a_listing_from_a_stranger_puts_no_name_of_its_own_into_the_shell(
    tmp_path: Path, folder: str, file: str
) -> None:
    script = said(tmp_path, asked((f"{folder}/{file}", MAKEFILE)))
    assert folder not in script.partition("\n")[2]
