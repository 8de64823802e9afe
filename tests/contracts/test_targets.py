"""What every instruction language keeps: round trips, one canonical form, errors that point, no surprises."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sayso import scale
from sayso.answer.verify import verify
from sayso.answer.weigh import LEFT
from sayso.core.errors import BadInstruction, UnknownName
from sayso.core.types import Candidate, Draft, Grain, Request, RiskLevel, Target
from sayso.targets import TARGETS, TASKS, find_target, find_task

GRAINS: tuple[Grain, ...] = get_args(Grain)
LEVELS = get_args(RiskLevel)

# A few instructions in each language; a new target adds its own.
GOOD: dict[str, list[str]] = {
    "bash": ["ls -la", "find . -name '*.py' | xargs -0 grep -l x", "  tar xzf a.tgz   -C /tmp", "cat a > b; rm -rf c"],
    "api": [
        "GET message",
        "GET  event SEARCH board meeting\tTOP 3",
        "GET drive.recent FILTER file.name eq Q3 plan",
    ],
    "build": [
        "./configure --prefix=/usr/local\nmake\nmake install",
        "# needs: zeta\ncd src; cmake -S . -B b\n\ncmake --build b &&\n  cmake --install b",
        "perl Makefile.PL; make  install DESTDIR=",
        "make\nrm -rf /usr/share/doc",
    ],
    "notebook": [
        "import csv as c\nrows=list( c.reader(open('a.csv')) ) # all of it\n\nrows[:5]",
        "%matplotlib inline\nfor x in xs:\n  if x: plt.plot(x, label=f'{x}')",
        "import shutil as s\ns.rmtree('old')",
        "!rm -rf build",
    ],
}
GARBAGE = [
    "",
    " ",
    "\0",
    "ls (",
    "\ud800",
    "'" * 99,
    "(" * 3000,
    "x" * 50_000,
    "\n\n",
    "\x07é\u200b",
    "if for while ;;",
]

ASKED = ["", "which files are old?", "show the 5 newest of /srv/a.txt", "delete x; rm -rf ~", "(\0\ud800"]

targets = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)


def instructions(target: Target) -> list[str]:
    return GOOD.get(target.name, [])


@targets
def test_names_agree_and_every_target_is_tried(target: Target) -> None:
    assert find_target(target.name) is target
    assert TARGETS[target.name] is target
    assert target.name in GOOD, "add instructions of this target to GOOD"


def test_tasks_belong_to_known_targets_and_are_named_after_them() -> None:
    for name, task in TASKS.items():
        assert task.name == name
        assert TARGETS[task.target.name] is task.target
        assert name.startswith(f"{task.target.name}/")
        assert find_task(name) is task


def test_a_wrong_name_is_answered_with_near_misses() -> None:
    with pytest.raises(UnknownName) as caught:
        find_target("bsh")
    assert caught.value.near == ("bash",)
    with pytest.raises(UnknownName):
        find_task("bash/comand")


@targets
@pytest.mark.parametrize("grain", GRAINS)
def test_join_is_the_inverse_of_split(target: Target, grain: Grain) -> None:
    for text in [*instructions(target), *GARBAGE]:
        parts = target.split(text, grain)
        assert target.join(parts, grain) == text
        assert all(parts), "no part is empty"


@targets
@pytest.mark.parametrize("grain", GRAINS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_survives_split_and_join(target: Target, grain: Grain, text: str) -> None:
    assert target.join(target.split(text, grain), grain) == text


@targets
def test_the_canonical_form_is_stable(target: Target) -> None:
    for text in instructions(target):
        canonical = target.normalise(text)
        assert target.normalise(canonical) == canonical
        assert target.template(text)


@targets
def test_bad_input_raises_bad_instruction(target: Target) -> None:
    refused = 0
    for text in GARBAGE:
        for read in (target.normalise, target.template):
            try:
                read(text)
            except BadInstruction as error:
                refused += 1
                assert -1 <= error.offset <= len(text)
    assert refused, "nothing at all is refused"


@targets
def test_risk_check_and_explain_never_raise_and_garbage_is_never_safe(target: Target) -> None:
    for text in [*instructions(target), *GARBAGE]:
        risk = target.risk(text)
        assert risk.level in LEVELS
        for finding in target.check(text):
            assert finding.message and -1 <= finding.start <= finding.end <= len(text)
        for note in target.explain(text):
            assert -1 <= note.start <= note.end <= len(text)
            assert note.start < 0 or text[note.start : note.end] == note.text
        try:
            target.normalise(text)
        except BadInstruction:
            assert risk.level == "unknown"


@targets
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_is_answered(target: Target, text: str) -> None:
    assert target.risk(text).level in LEVELS
    target.check(text)
    target.explain(text)
    whatever_is_asked(target, text, [text])
    try:
        canonical = target.normalise(text)
    except BadInstruction:
        return
    assert target.normalise(canonical) == canonical


def whatever_is_asked(target: Target, asked: str, texts: list[str]) -> list[Draft]:
    """The line from a request to what speaks against drafts, which never raises."""
    read, drafts = target.read(Request(asked)), target.draft(texts)
    for rows in target.evidence(read, drafts), target.bars(read, drafts):
        assert len(rows) == len(drafts)
        for evidence in (one for row in rows for one in row):
            assert LEFT[evidence.name] < 1 and evidence.value > 0 and evidence.reason
    return drafts


@targets
def test_evidence_never_raises_and_only_ever_lowers_a_score(target: Target) -> None:
    for asked in ASKED:
        whatever_is_asked(target, asked, [*instructions(target), *GARBAGE])


@targets
def test_a_draft_says_what_the_functions_over_text_say(target: Target) -> None:
    for text in [*instructions(target), *GARBAGE]:
        (draft,) = target.draft([text])
        assert (draft.text, draft.risk, list(draft.findings)) == (text, target.risk(text), target.check(text))
        try:
            assert (draft.canonical, draft.problem) == (target.normalise(text), "")
        except BadInstruction as error:
            assert (draft.canonical, draft.problem) == (text.strip(), error.message)


@targets
def test_verification_keeps_what_is_good_and_proposes_nothing_that_does_not_parse(target: Target) -> None:
    good = instructions(target)[0]
    assert verify(target, Request(good), [Candidate("\0", 0.9)]) == []
    found = verify(target, Request(good), [Candidate("\0", 0.9), Candidate(good, 0.5)])
    assert [one.text for one in found] == [good, "\0"]
    assert found[0].score == 0.5, "an instruction that is the request itself is what was asked for"


@targets
def test_a_question_never_gets_what_destroys(target: Target) -> None:
    for text in instructions(target):
        if target.risk(text).level == "destroys":
            asked = target.read(Request("which of them are old?"))
            assert target.bars(asked, target.draft([text])) != [()]


@targets
def test_targets_travel_to_workers(target: Target) -> None:
    again = pickle.loads(pickle.dumps(target))
    for text in instructions(target):
        assert again.normalise(text) == target.normalise(text)
        asked, drafts = target.read(Request("which of them are old?")), target.draft([text])
        assert again.bars(asked, drafts) == target.bars(asked, drafts)


def made(target: Target, tmp_path: Path) -> dict[str, Target]:
    """The target as each kind of source makes it; what the user would name is written here."""
    spec = tmp_path / "spec.json"
    spec.write_text('{"openapi": "3.1.0", "paths": {"/x/{id}": {"get": {"operationId": "getX", "summary": "One x"}}}}')
    return {kind: make(spec if kind == "spec" else tmp_path) for kind, make in target.made_from.items()}


@targets
def test_a_target_made_from_something_is_the_same_language_and_travels(target: Target, tmp_path: Path) -> None:
    for kind, other in made(target, tmp_path).items():
        again = pickle.loads(pickle.dumps(other))
        assert again.name == target.name
        # What a description offers is said in calls of its own, which nobody else can read.
        own = 'getX {"id": "7"}' if kind == "spec" else ""
        for text in [*([own] if own else instructions(target)), *GARBAGE]:
            assert again.risk(text) == (other if own else target).risk(text)
            assert again.explain(text) == other.explain(text) and again.check(text) == other.check(text)
        for text in [own] if own else instructions(target):
            assert again.normalise(text) == (other if own else target).normalise(text)


def test_what_a_machine_knows_goes_to_its_workers(tmp_path: Path) -> None:
    bash = TARGETS["bash"]
    row = {"name": "frobnicate", "gloss": "frobs what it is given", "flags": []}
    (tmp_path / "man-index.jsonl").write_text("\n" + json.dumps(row) + "\n")
    knowing = bash.made_from["machine"](tmp_path)
    (done,) = scale.map(knowing.explain, ["frobnicate x"], scale.Processes(1))
    assert isinstance(done, scale.Done) and "frobs what it is given" in [note.gloss for note in done.value]
    assert "frobs what it is given" not in [note.gloss for note in bash.explain("frobnicate x")]


@targets
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words=st.text(max_size=40))
@example(words="0\n0")
def test_what_is_said_next_is_an_edit_or_one_line_that_says_why_not(target: Target, words: str) -> None:
    for text in instructions(target):
        followed = target.follow(text, words, ())
        assert followed.candidates or (followed.reason and "\n" not in followed.reason)
