"""TM and NLC2CMD by hand; the numbers that the released predictions must give; the released systems."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sayso.core.errors import MissingData
from sayso.core.types import Candidate, Example, Request, Workspace
from sayso.metrics.judged import NO_VERDICT, majority, read_verdicts, votes_on
from sayso.targets.bash.corpus.nl2bash import load
from sayso.targets.bash.forms.likeness import command_score, flag_score
from sayso.targets.bash.metrics import READERS, Nlc2cmd, TemplateOverlap, metrics, readers_verdicts, stated
from sayso.targets.bash.tasks import COMMAND


def asked(*references: str) -> Example:
    return Example("toy", Request("do it"), references)


def answers(*texts: str) -> list[Candidate]:
    return [Candidate(text, -float(rank)) for rank, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("reference", "candidate", "value"),
    [
        ("find . -name x -type f", "find . -type d", 4 / 5),  # find and -type are in both: 2 · 2 / (3 + 2)
        ("find . -type f | wc -l", "find / -type d | wc -l", 1.0),  # arguments are ignored
        ("ls -la", "ls -a", 4 / 5),  # clusters are taken apart
        ("ls", "find . -exec ls {} \\;", 2 / 4),
        ("x=$(date -u)", "date -u", 1.0),
        ("x=1", "y=2", 1.0),  # neither has any
        ("x=1", "ls", 0.0),
        ("ls 'a", "ls a", 0.0),  # text that is no command has only itself
        ("ls 'a", "ls 'a", 1.0),
    ],
)
def test_tm_by_hand(reference: str, candidate: str, value: float) -> None:
    assert TemplateOverlap("tm@1", 1).measure(asked(reference), answers(candidate)) == pytest.approx(value)


def test_tm_takes_the_best_of_k_candidates_and_of_the_references() -> None:
    example = asked("rm -r x", "ls -l -a x")
    tried = answers("cat x", "ls -l x", "rm -r x")
    assert TemplateOverlap("tm@1", 1).measure(example, tried) == 0.0
    assert TemplateOverlap("tm@2", 2).measure(example, tried) == pytest.approx(4 / 5)
    assert TemplateOverlap("tm@3", 3).measure(example, tried) == 1.0
    assert TemplateOverlap("tm@3", 3).measure(example, []) == 0.0


@pytest.mark.parametrize(
    ("found", "wanted", "value"),
    [
        ("", "", 1.0),
        ("l", "", -1.0),  # (0 - 1) / 1
        ("l", "la", 0.0),  # (2 - 2) / 2
        ("la", "la", 1.0),  # (4 - 2) / 2
        ("lah", "x", -4 / 3),  # (0 - 4) / 3
    ],
)
def test_flag_score_by_hand(found: str, wanted: str, value: float) -> None:
    assert flag_score(frozenset(found), frozenset(wanted)) == pytest.approx(value)


def test_utilities_are_aligned_and_padded() -> None:
    find, sort, wc = ("find", frozenset({"-name"})), ("sort", frozenset[str]()), ("wc", frozenset({"-l"}))
    assert command_score([find, sort], [find, sort]) == 1.0
    assert command_score([find], [find, sort]) == pytest.approx((1 - 1) / 2)
    assert command_score([find, wc, sort], [find, sort]) == pytest.approx((1 - 1 - 1) / 3)
    assert command_score([], []) == 1.0


def test_nlc2cmd_is_the_best_when_positive_and_the_mean_when_not() -> None:
    metric = Nlc2cmd("nlc2cmd@5", 5)
    example = asked("ls -l -a", "cat x | sort")
    assert metric.measure(example, answers("pwd", "ls --all -l x")) == 1.0  # one name for both spellings of a flag
    # pwd: −1 for ls, −1 for cat | sort; du | sort: (−1 − 1) / 2 for ls, (−1 + 1) / 2 for cat | sort
    assert metric.measure(example, answers("pwd", "du | sort")) == pytest.approx((-1 + 0) / 2)
    assert metric.measure(example, []) == 0.0
    assert metric.measure(example, answers(*["pwd"] * 5, "ls -l -a")) == -1.0


def test_nlc2cmd_with_stated_confidence() -> None:
    metric = Nlc2cmd("nlc2cmd_calibrated@5", 5, stated, "stated")
    assert metric.measure(asked("ls"), [Candidate("ls", 0.25)]) == 0.25
    assert metric.measure(asked("ls"), [Candidate("rm", 0.5)]) == -0.5
    assert metric.measure(asked("ls"), [Candidate("ls", 7.0)]) == 1.0
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_the_headline_is_first_and_verdicts_need_their_files(workspace: Workspace, tmp_path: Path) -> None:
    names = [metric.name for metric in metrics(workspace)]
    assert names[0] == "match_full@1"
    assert {"judged_full@1", "judged_full@3", "judged_template@1", "judged_template@3"} < set(names)
    without = [metric.name for metric in metrics(Workspace(tmp_path, tmp_path))]
    people = ("judged_full", "judged_template")
    assert without == [name for name in names if not name.startswith(people)]


def test_what_machine_readers_said_is_a_majority_without_a_text_of_the_corpus() -> None:
    rows = read_verdicts(READERS)
    for row in rows:
        for which in ("template", "command"):
            votes = votes_on(row, which)
            assert len(votes) in (2, 3) and row.correct(which) is majority(votes)
        assert not (row.correct_command and not row.correct_template)
    texts = {cell for row in rows for cell in (row.description, row.prediction, row.template)} - {""}
    assert all(re.fullmatch(r"nl2bash:group:[0-9a-f]{8}|[0-9a-f]{12}", text) for text in texts)


def test_machine_readers_are_asked_by_request_and_command_alone(workspace: Workspace) -> None:
    readers = readers_verdicts()
    examples = list(load(workspace, "dev"))
    judged = {row.description for row in read_verdicts(READERS)}
    assert {example.id for example in examples} == judged
    assert not judged & {example.id for example in load(workspace, "test")}
    example = examples[0]
    metric = next(one for one in metrics(workspace) if one.name == "judged_by_machine_full@1")
    assert metric.measure(example, answers("surely nobody said this")) == NO_VERDICT
    known = next(key for key in readers.table if key[0] == example.id)
    asked_for = replace(readers, prediction_key=lambda text: text)
    assert asked_for.find(example.request.text, known[1], "command") == readers.table[known][1]
    assert pickle.loads(pickle.dumps(metric)).signature == metric.signature


RELEASED = {
    "released-st-copynet": (0.366, 0.448, 0.484, 0.596),
    "released-tellina": (0.274, 0.318, 0.528, 0.618),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RELEASED)
def test_released_predictions_score_what_was_published(workspace: Workspace, name: str) -> None:
    examples = list(load(workspace, "test"))
    found = COMMAND.systems[name](workspace).translator.translate([example.request for example in examples], 5)
    scores = {
        metric.name: metric.reduce([metric.measure(e, c) for e, c in zip(examples, found, strict=True)])
        for metric in metrics(workspace)
    }
    judged = [scores[f"judged_{which}@{k}"] for which in ("full", "template") for k in (1, 3)]
    assert [round(score.value, 3) for score in judged] == list(RELEASED[name])
    of_test = {name: score for name, score in scores.items() if not name.startswith("judged_by_machine")}
    assert all((score.n, dict(score.unscored)) == (547, {}) for score in of_test.values())
    assert all(scores[one].n == 0 for one in scores.keys() - of_test.keys()), "machine readers judged dev alone"
    if name == "released-st-copynet":
        assert [round(scores[f"bleu_char@{k}"].value, 1) for k in (1, 3)] == [56.3, 63.1]
        assert [scores[f"tm@{k}"].value for k in (1, 3)] == pytest.approx([0.661, 0.731], abs=0.02)


def test_a_released_system_knows_only_what_was_judged(workspace: Workspace, tmp_path: Path) -> None:
    system = COMMAND.systems["released-tellina"](workspace)
    known = next(iter(load(workspace, "test"))).request
    again = Request(f"  please {known.text} ")
    first, same, other = system.translator.translate([known, again, Request("bake a cake")], 2)
    assert len(first) == 2 and first == same and other == []
    assert first[0].score > first[1].score
    with pytest.raises(MissingData) as caught:
        COMMAND.systems["released-tellina"](Workspace(tmp_path, tmp_path))
    assert "sayso data get" in caught.value.hint
