"""Commands for tools that only this machine's manual pages know: found by name or purpose, filled from the request."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Request
from sayso.targets.bash.knowledge import MachineIndex
from sayso.targets.bash.manual import build_index
from sayso.targets.bash.systems.installed import Proposed, proposals
from sayso.targets.bash.tasks import BASH

PAGES = {
    "grizzle": ("measure the gloom of pictures", "[\\fIOPTION\\fR]... \\fIFILE\\fR...", [
        ("\\fB\\-m\\fR, \\fB\\-\\-modes\\fR", "show modes"),
        ("\\fB\\-p\\fR, \\fB\\-\\-pid\\fR=\\fIPID\\fR", "of a process"),
        ("\\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIFILE\\fR", "write there"),
        ("\\fB\\-\\-leak\\-check\\fR=\\fIKIND\\fR", "look for leaks"),
    ]),
    "zorch": ("defragment the ledger archive online", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "zonk": ("erase the ledger archive online", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "fish": ("the friendly shell", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "fish_comb": ("comb and straighten scripts", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "x;touch evil": ("juggle the purple marbles", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "as": ("assemble everything portable", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
    "sort": ("a page of what is shipped", "\\fIFILE\\fR", [("\\fB\\-q\\fR", "quietly")]),
}  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MachineIndex:
    folder = tmp_path_factory.mktemp("installed")
    (folder / "man" / "man1").mkdir(parents=True)
    for name, (gloss, synopsis, flags) in PAGES.items():
        options = "".join(f".TP\n{head}\n{text}\n" for head, text in flags)
        (folder / "man" / "man1" / f"{name}.1").write_text(
            f".TH X 1\n.SH NAME\n{name} \\- {gloss}\n.SH SYNOPSIS\n.B {name}\n{synopsis}\n.SH OPTIONS\n{options}"
        )
    build_index([folder / "man"], folder)
    return MachineIndex(folder)


def found(index: MachineIndex, request: str, is_known: bool = False) -> Proposed:
    return proposals(BASH.read(Request(request)), index, lambda name: name != "absent", is_known)


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ("use grizzle on a.png", "grizzle a.png"),
        ("grizzle a.png b.png", "grizzle a.png b.png"),
        ("the gloom of a.png with grizzle, with the modes", "grizzle --modes a.png"),
        ("run grizzle for process 812", "grizzle --pid=812"),
        ("grizzle a.png into report.txt", "grizzle -o report.txt a.png"),
        ("run grizzle with a full leak check on a.png", "grizzle --leak-check=full a.png"),
        ("run grizzle -m on a.png", "grizzle --modes a.png"),
        ("use grizzle on 'my pictures.png'", "grizzle 'my pictures.png'"),
    ],
)
def test_a_tool_that_is_named_gets_what_the_request_names(index: MachineIndex, request_: str, command: str) -> None:
    said = found(index, request_)
    assert [one.text for one in said.named] == [command] and not said.meant
    assert said.named[0].why == ("grizzle is installed here: measure the gloom of pictures",)


def test_a_tool_is_found_by_the_words_of_its_purpose_and_never_as_named(index: MachineIndex) -> None:
    said = found(index, "defragment the ledger archive old.db")
    assert not said.named and [one.text for one in said.meant] == ["zorch old.db"]
    assert [one.text for one in found(index, "comb and straighten my fish script a.fish").meant] == ["fish_comb a.fish"]


@pytest.mark.parametrize(
    "request_",
    [
        "erase the ledger archive old.db",  # nothing that takes away is found by its purpose
        "list files as a table",  # a name that is a word of English calls nothing
        "what about the pictures",  # one word of a purpose is none
        "sort a.txt",  # what the base knows is not asked of the pages
        "juggle the purple marbles",  # a page whose name is more than a name
        "",
    ],
)
def test_what_is_not_plainly_meant_finds_nothing(index: MachineIndex, request_: str) -> None:
    assert found(index, request_) == ([], [])


def test_where_an_answer_is_known_only_a_tool_that_is_plainly_named_speaks(index: MachineIndex) -> None:
    assert found(index, "defragment the ledger archive old.db", is_known=True) == ([], [])
    assert found(index, "the gloom of a.png, grizzle", is_known=True) == ([], [])
    assert found(index, "the gloom of a.png with grizzle", is_known=True).named


def test_a_number_that_has_no_place_makes_it_a_guess(index: MachineIndex) -> None:
    said = found(index, "use grizzle 512 on a.png")
    assert not said.named and [one.score for one in said.meant] == [0.3]


def test_a_tool_whose_page_is_here_and_which_is_not_is_not_named(index: MachineIndex) -> None:
    asked = BASH.read(Request("use grizzle on a.png"))
    assert proposals(asked, index, lambda name: False, False) == ([], [])


def test_without_an_index_nothing_is_known(tmp_path: Path) -> None:
    assert found(MachineIndex(tmp_path), "use grizzle on a.png") == ([], [])


def test_constants_are_words_and_never_shell(index: MachineIndex) -> None:
    for hostile in ("$(touch x)", "a; rm -rf ~", "`id`", "a\nrm b"):
        for said in found(index, f'use grizzle on "{hostile}"'):
            for one in said:
                assert BASH.risk(one.text).level in ("unknown", "reads"), one.text
                assert "touch" not in one.text or "'$(touch x)'" in one.text
