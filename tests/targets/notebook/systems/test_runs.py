"""Simple systems end to end over a small corpus: run, stored without a word of it, scored again the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.types import Request, Workspace
from sayso.runs.evaluate import Retriever, evaluate
from sayso.runs.lines import read_lines
from sayso.runs.rescore import rescore, retrieved_texts
from sayso.runs.store import Results
from sayso.runs.subject import Subject
from sayso.targets.notebook.metrics.frame import NOBODY
from sayso.targets.notebook.systems import SIMPLE
from sayso.targets.notebook.tasks import TASKS

pytest.importorskip("sacrebleu")


@pytest.fixture(scope="module")
def mined(small_notebooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(small_notebooks, tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("name", SIMPLE)
@pytest.mark.parametrize("task", ["notebook/code", "notebook/apis"])
def test_a_run_keeps_no_text_of_the_corpus_and_is_scored_again(
    task: str, name: str, mined: Workspace, tmp_path: Path
) -> None:
    subject, results = Subject(TASKS[task], "dev", name), Results(tmp_path)
    first = evaluate(subject, subject.task.systems[name](mined), mined, results)
    path = results.predictions(task, name, "dev")
    lines = b"\n".join(line for _, line in read_lines(path)).decode()
    assert lines.count('"id"') == len(list(subject.task.load(mined, "dev"))) >= 3
    assert '"text"' not in lines.replace(f'"text": "{NOBODY}"', "")
    again = rescore(subject, path, mined, results)
    assert again.scores == first.scores and first.scores


def test_a_person_who_renames_is_right_but_for_the_names(mined: Workspace, tmp_path: Path) -> None:
    task = TASKS["notebook/code"]
    report = evaluate(Subject(task, "dev", "human"), task.systems["human"](mined), mined, Results(tmp_path))
    scores = {score.name: score for score in report.scores}
    # Of three prompts one was answered with other names; the other two are the same in both submissions.
    assert scores["exact"].n == 3
    assert scores["exact"].value == pytest.approx(2 / 3) and scores["exact_canonical"].value == 1.0


def test_cells_and_their_calls_are_the_same_examples(mined: Workspace) -> None:
    cells = list(TASKS["notebook/code"].load(mined, "train"))
    calls = list(TASKS["notebook/apis"].load(mined, "train"))
    assert [one.id for one in cells] == [one.id for one in calls]
    assert {one.references[0] for one in calls} >= {"read_csv", "plot"}


@pytest.mark.parametrize("task", ["notebook/code", "notebook/assignments"])
def test_what_was_retrieved_comes_back_as_it_runs(task: str, mined: Workspace) -> None:
    """A stored id is the cell with its strings, else tests would be run on another text than the system gave."""
    system = TASKS[task].systems["ret-train"](mined)
    ((first, *_),) = system.translator.translate([Request("load the prices")], 1)
    assert first.text == "import pandas as pd\nprices = pd.read_csv('prices.csv')"
    assert isinstance(system.translator, Retriever)
    ref = system.translator.source_of(first.text)
    assert ref is not None and retrieved_texts(TASKS[task], mined)(ref) == first.text
