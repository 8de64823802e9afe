"""`tests@k`: a cell passes its assignment's tests or not, and the example says something or not, found by running."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.types import Candidate, Example, Outcome, Piece, Request, Sandbox, Unscored, Workspace
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets.notebook.kernel_packages import Kernel
from sayso.targets.notebook.metrics.tests import (
    BLANK_PASSES,
    REFERENCE_FAILS,
    Grader,
    Tests,
    code_above,
    graded_metrics,
    in_python3,
    needed_graded_metrics,
)

TESTS = ["note = undefined", "assert triple(2) == factor * 2"]
EXAMPLE = Example(
    "toy:1",
    Request(
        "Write `triple`.",
        (
            Piece("code", "factor = int(open('factor.txt').read())"),
            Piece("text", "so"),
            Piece("code", "raise ValueError"),
        ),
    ),
    ("def triple(n):\n    return 3 * n",),
    {"tests": json.dumps(TESTS), "asserts": "[1]", "files": json.dumps({"factor.txt": {"text": "3"}})},
)
NOWHERE = Kernel("/usr/bin/python3", {}, "none")


def answers(*texts: str) -> list[Candidate]:
    return [Candidate(text, 0.0) for text in texts]


def answering(*statuses: str) -> ScriptedSandbox:
    """A kernel whose cells end so, whatever stands in them."""
    said = [{"ready": True}]
    for cell, status in enumerate(statuses):
        said.append({"cell": cell, "status": status, "name": "", "value": "", "text": "", "limit": "", "cpu": 0.0})  # type: ignore[dict-item]
    return ScriptedSandbox(otherwise=Outcome(0, "\n".join(map(json.dumps, said)).encode(), b""))


@pytest.mark.sandbox
def test_a_candidate_is_right_when_the_asserts_below_it_pass(sandbox: Sandbox, kernel: Kernel, tmp_path: Path) -> None:
    grader = Grader(sandbox, tmp_path, kernel)
    first, fifth = Tests("tests@1", 1, grader, "toy"), Tests("tests@5", 5, grader, "toy")
    wrong, right = "def triple(n):\n    return n", EXAMPLE.references[0]
    assert first.measure(EXAMPLE, answers(wrong, right)) == 0
    assert fifth.measure(EXAMPLE, answers(wrong, right)) == 1
    # Nothing runs twice: in a worker, from the same folder, without any sandbox.
    kept = replace(pickle.loads(pickle.dumps(grader)), sandbox=ScriptedSandbox(otherwise=SandboxFailed("no")))
    assert kept(EXAMPLE, [right, wrong, "pass"]) == [True, False, False]
    (file,) = tmp_path.rglob("*.json")
    assert json.loads(file.read_text())["problems"][wrong] == "cell 5 failed: AssertionError"


@pytest.mark.parametrize(
    ("statuses", "reason"), [("ooooe", REFERENCE_FAILS), ("oeooo", BLANK_PASSES), ("ooeoo", REFERENCE_FAILS)]
)
def test_an_example_whose_tests_tell_nothing_is_unscored(statuses: str, reason: str, tmp_path: Path) -> None:
    """Context cells may fail, and so may cells between the target and the asserts."""
    names = {"o": "ok", "e": "error"}
    box = answering(*(names[letter] for letter in statuses))
    assert Grader(box, tmp_path, NOWHERE)(EXAMPLE, []) == Unscored(reason)
    asked = len(box.asked)
    assert Grader(box, tmp_path, NOWHERE)(EXAMPLE, ["x"]) == Unscored(reason)
    assert len(box.asked) == asked, "found once, kept"


def test_what_stood_in_the_cell_itself_is_not_run() -> None:
    given = Request("", (*EXAMPLE.request.context, Piece("code", "raise NotImplementedError", "boilerplate")))
    assert code_above(replace(EXAMPLE, request=given)) == code_above(EXAMPLE)
    assert len(code_above(EXAMPLE)) == 2


@pytest.mark.parametrize(
    ("cell", "run"),
    [
        ("print x\n", "print(x)"),
        ("%matplotlib inline\nprint(x)", "%matplotlib inline\nprint(x)"),
        ("await asked()", "await asked()"),
        ("what is this", "what is this"),
    ],
    ids=["Python 2", "magic", "IPython only", "neither"],
)
def test_cells_around_a_target_are_converted_only_where_they_are_no_python_3(cell: str, run: str) -> None:
    assert in_python3(cell) == run


def test_no_tests_no_score(tmp_path: Path) -> None:
    metric = Tests("tests@1", 1, Grader(ScriptedSandbox(), tmp_path, NOWHERE), "toy")
    assert metric.measure(replace(EXAMPLE, meta={}), answers("x")) == Unscored("no tests")


def test_a_broken_kernel_is_never_a_wrong_answer(tmp_path: Path) -> None:
    with pytest.raises(SandboxFailed, match="no IPython kernel starts"):
        Grader(ScriptedSandbox(), tmp_path, NOWHERE)(EXAMPLE, ["x"])
    assert not list(tmp_path.rglob("*.json"))


def test_without_the_packages_a_score_is_left_out_with_what_to_type(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path, ScriptedSandbox())
    metric = graded_metrics(workspace)[0]
    with pytest.raises(SandboxFailed) as caught:
        metric.measure(EXAMPLE, answers("x"))
    assert caught.value.reason == "sandbox without kernel: run `sayso data get kernel`"
    assert metric.measure(replace(EXAMPLE, meta={}), []) == Unscored("no tests")
    with pytest.raises(MissingPart, match="not on this machine"):
        needed_graded_metrics(workspace)
    assert needed_graded_metrics(replace(workspace, sandbox=None)) == ()
