"""Weights are learnt from answers of which some are right."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from sayso.cookbook.slots import Cookbook
from sayso.core.types import Candidate, Example, Request, Workspace
from sayso.experiments.fit_rerank import (
    CHOSEN,
    LEARNT,
    Question,
    described_lessons,
    fit_weights,
    fold_of,
    phrasing_lessons,
    questions,
    read_answers,
    write,
)
from sayso.neural.bundle import load_bundle
from sayso.targets.bash.cookbook.recipes import default_system
from sayso.targets.bash.evidence.features import NAMES
from sayso.targets.bash.evidence.hints import DESCRIBED, Hints, fit_hints, lesson
from sayso.targets.bash.systems.combined import RERANK, read_fitted

pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def hints() -> Hints:
    asked = [lesson(f"list {name}", f"ls {name}", is_described=at % 2 == 0) for at, name in enumerate("abcdefgh")]
    return fit_hints(asked, fewest=2, width=4, epochs=3)


def row(**given: float) -> list[float]:
    return [given.get(name, 0.0) for name in NAMES]


def test_the_column_that_tells_gets_the_weight() -> None:
    asked = [
        Question([row(unused=1, words=at % 3), row(words=1), row(unused=2)], [False, True, False]) for at in range(9)
    ]
    fitted = fit_weights(asked)
    assert fitted["unused"] < -1 < fitted["words"]
    assert fitted.keys() == LEARNT


def test_a_column_that_never_changes_has_a_weight_of_nothing_large() -> None:
    fitted = fit_weights([Question([row(unused=1), row()], [False, True])] * 3)
    assert max(map(abs, fitted.values())) < 100


def test_a_question_needs_a_right_and_a_wrong_answer(hints: Hints) -> None:
    groups = [Example(name, Request("list a"), ("ls a",)) for name in ("both", "right", "wrong", "none")]
    answers = {
        "both": [Candidate("ls b", 0.5), Candidate("ls  a", 0.3), Candidate("ls a", 0.1)],
        "right": [Candidate("ls a", 0.9)],
        "wrong": [Candidate("ls b", 0.9)],
    }
    (found,) = questions(groups, answers, lambda id: hints)
    assert found.right == [False, True]
    assert [len(one) for one in found.rows] == [len(NAMES)] * 2


def test_phrasings_teach_as_people_ask_and_descriptions_as_descriptions(tmp_path: Path) -> None:
    whole = default_system(Workspace(tmp_path, tmp_path)).translator
    assert isinstance(whole, Cookbook)
    # Every recipe is read the same way: forty show it as well as two thousand, a hundred times as fast.
    book = Cookbook(whole.recipes[:: len(whole.recipes) // 40], whole.lexicon, whole.settings, whole.render)
    found = list(phrasing_lessons(book))
    assert len(found) > 0.95 * len(book.phrasings)
    assert not any(DESCRIBED in one.labels for one in found)
    (described,) = described_lessons([Example("x", Request("Lists a"), ("ls -l a",))])
    assert described.labels == {"ls", "ls -l", DESCRIBED}


def test_answers_are_read_as_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "x", "answers": [{"text": "ls", "logprob": -1.0}]}) + "\n")
    assert read_answers(path) == {"x": [Candidate("ls", math.exp(-1))]}


def test_folds_are_all_used() -> None:
    assert {fold_of(str(at)) for at in range(30)} == {0, 1, 2}


def test_what_is_written_can_be_read(tmp_path: Path, hints: Hints) -> None:
    folder = tmp_path / "fresh"
    shutil.copytree(RERANK, folder)
    fitted = fit_weights([Question([row(unused=1), row()], [False, True])] * 3)
    write(folder, hints, fitted)
    bundle = load_bundle(folder)
    assert bundle.settings["prior"] == fitted
    weighing, settings, _ = read_fitted(bundle)
    assert weighing == read_fitted(load_bundle(RERANK))[0]
    assert settings.sure == CHOSEN["sure"]


def test_the_embedded_bundle_has_what_was_chosen() -> None:
    settings = load_bundle(RERANK).settings
    assert {name: settings[name] for name in CHOSEN} == CHOSEN
