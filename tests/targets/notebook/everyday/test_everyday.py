"""The everyday set: frozen, halves that share no notebook, and cells that are judged by running them."""

from __future__ import annotations

import ast
import json
import os
import shutil
from pathlib import Path

import pytest

from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.types import Candidate, Example, Outcome, Piece, Request, Sandbox, Unscored, Workspace
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets import TASKS
from sayso.targets.notebook.everyday import digest, entries, examples, judging
from sayso.targets.notebook.everyday.judging import TOGETHER, Judge
from sayso.targets.notebook.everyday.reader import FROZEN, digest_of, folder, told_tables
from sayso.targets.notebook.kernel_packages import Kernel, fetched
from sayso.targets.notebook.metrics.tests import BLANK_PASSES, REFERENCE_FAILS, of_each_k

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sayso"
"""The user's own, where packages may lie: read before tests are given folders of their own."""
NOWHERE = Kernel("/usr/bin/python3", {}, "none")
CHECKS = "def mark(space):\n    space.pop('_', None)\n\ndef shows(space, value):\n    return space.get('_') == value\n"
EXAMPLE = Example(
    "toy:1",
    Request("how many lines has the file", (Piece("code", "name = 'jars.txt'"),)),
    (),
    {
        "hidden": "secret = 1\nopen('jars.txt', 'w').write('a\\nb\\n')",
        "runnable": "len(open(name).readlines())",
        "tests": "assert shows(space, 2)",
    },
)


def test_the_set_is_frozen() -> None:
    """Systems are chosen on it: to change it is to lose every score, so a change must be meant."""
    assert digest() == (folder() / FROZEN).read_text().strip()


def test_one_letter_more_is_another_set(tmp_path: Path) -> None:
    shutil.copytree(folder(), tmp_path / "set")
    assert digest_of(tmp_path / "set") == digest()
    with (tmp_path / "set" / "checks.py").open("a") as file:
        file.write("#")
    assert digest_of(tmp_path / "set") != digest()


def test_halves_share_no_notebook_and_every_request_has_a_check_and_a_wrong_cell() -> None:
    dev, test = ([*TASKS["notebook/everyday"].load(Workspace(Path(), Path()), half)] for half in ("dev", "test"))
    assert (len(dev), len(test)) == (68, 72)
    assert not {one.meta["assignment"] for one in dev} & {one.meta["assignment"] for one in test}
    assert len({one.id for one in (*dev, *test)}) == len(entries()) == 140
    for entry in entries():
        for code in (entry.setting.hidden, *entry.above, entry.ask.code, entry.ask.check, *entry.ask.wrong):
            ast.parse(code)
        assert len(entry.ask.phrasings) == 1 and entry.ask.check and entry.ask.wrong
    assert not [*examples("train")]


def test_a_request_tells_columns_and_never_the_check_or_what_is_hidden() -> None:
    for one in examples("dev"):
        pieces = [piece.text for piece in one.request.context]
        assert one.meta["hidden"] not in pieces and one.meta["tests"] not in pieces
        if lines := told_tables().get(one.meta["assignment"]):
            assert one.request.context[0] == Piece("tables", "\n".join(lines))


def said(*problems: str) -> Outcome:
    lines = [{"ready": True}, *({"problem": one} for one in problems)]
    return Outcome(0, "\n".join(map(json.dumps, lines)).encode(), b"")


def test_five_candidates_cost_one_run_and_nothing_runs_twice(tmp_path: Path) -> None:
    box = ScriptedSandbox(otherwise=said("", "rejected", "rejected", ""))
    first, fifth = of_each_k(Judge(box, tmp_path, NOWHERE), "toy", TOGETHER)
    texts = [Candidate(text, 0.0) for text in ("1", "2")]
    assert (first.measure(EXAMPLE, texts), fifth.measure(EXAMPLE, texts)) == (0, 1)
    assert len(box.asked) == 1
    kept = Judge(ScriptedSandbox(otherwise=SandboxFailed("no")), tmp_path, NOWHERE)
    assert kept(EXAMPLE, ["2", "1"]) == [True, False]


@pytest.mark.parametrize(("problems", "reason"), [(("why", "x"), REFERENCE_FAILS), (("", ""), BLANK_PASSES)])
def test_a_check_that_tells_nothing_is_unscored(problems: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    assert Judge(ScriptedSandbox(otherwise=said(*problems)), tmp_path, NOWHERE)(EXAMPLE, []) == Unscored(reason)


def test_a_run_that_says_nothing_is_no_verdict_and_what_it_did_not_come_to_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(SandboxFailed):
        Judge(ScriptedSandbox(), tmp_path, NOWHERE)(EXAMPLE, [])
    assert Judge(ScriptedSandbox(otherwise=said("", "x")), tmp_path, NOWHERE)(EXAMPLE, ["1"]) == [False]


@pytest.mark.sandbox
def test_cells_are_judged_apart_from_each_other(
    sandbox: Sandbox, kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checks.py").write_text(CHECKS)
    monkeypatch.setattr(judging, "folder", lambda: tmp_path)
    cells = {
        EXAMPLE.meta["runnable"]: "",
        "open(name, 'w').write('')\n3": "the check: AssertionError",
        "name = secret": "the cell: NameError: name 'secret' is not defined",
        'import os\nos.write(1, b\'{"problem": ""}\\n\')\nos._exit(0)': "it took too long or ended its process",
        "while True: pass": "it took too long or ended its process",
        "%time 2": "",
        "2;": "",
        "pass": "the check: AssertionError",
        "def (": "the cell: SyntaxError",
    }
    monkeypatch.setattr(judging, "CPU_SECONDS", 1)
    found = Judge(sandbox, tmp_path, kernel).problems(EXAMPLE, [*cells])
    for (cell, expected), problem in zip(cells.items(), found, strict=True):
        assert problem.startswith(expected) and bool(problem) == bool(expected), cell


@pytest.mark.sandbox
def test_a_handful_of_checks_tell_right_from_wrong(sandbox: Sandbox, tmp_path: Path) -> None:
    """All of them: `python -m benchmarks.everyday_cells`."""
    try:
        packages = fetched(CACHE)
    except MissingPart as error:
        pytest.skip(f"{error.message}: {error.hint}")
    wrong = {entry.id: entry.ask.wrong for entry in entries()}
    for one in [*examples("dev")][::23]:
        found = Judge(sandbox, tmp_path, packages).problems(one, [one.meta["runnable"], "pass", *wrong[one.id]])
        assert [bool(problem) for problem in found] == [False, *[True] * (len(found) - 1)], one.id
