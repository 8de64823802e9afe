"""Running, resuming, rescoring; what the ledger counts."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sayso.core.errors import BadFile, MachineError, RunFailed
from sayso.core.types import Candidate, Example, Request, System, Task, Workspace
from sayso.metrics.match import Match
from sayso.runs.elsewhere import caution, elsewhere
from sayso.runs.evaluate import evaluate, was_interrupted
from sayso.runs.journal import journal_path
from sayso.runs.predictions import Prediction, read_origin, read_predictions
from sayso.runs.recording import Report
from sayso.runs.report import collect
from sayso.runs.rescore import rescore
from sayso.runs.scoring import measure, read_statistics
from sayso.runs.subject import Settings
from sayso.scale import Processes

if TYPE_CHECKING:
    from tests.runs.conftest import Toy


def stored(toy: Toy, system: str = "reverser", split: str = "dev") -> Path:
    return toy.results.predictions(toy.task.name, system, split)


def run(toy: Toy, before: Callable[[int], None] = lambda batch: None, **changes: Any) -> Report:
    settings: Settings = replace(toy.settings, **changes)
    return evaluate(toy.subject(), System(toy.reverser(before=before)), toy.workspace, toy.results, settings)


def test_scores_have_intervals_and_the_json_shape_of_the_contract(toy: Toy) -> None:
    report = run(toy).as_json()
    assert {name: report[name] for name in ("task", "split", "system", "test_runs")} == {
        "task": "toy/reverse",
        "split": "dev",
        "system": "reverser",
        "test_runs": 0,
    }
    first, second = report["scores"]
    assert set(first) == {"name", "value", "low", "high", "n", "unscored", "signature"}
    # Every third of twelve words is reversed only by the second candidate.
    assert (first["name"], first["value"], first["n"]) == ("hit@1", 8 / 12, 12)
    assert 0 <= first["low"] < 8 / 12 < first["high"] <= 1
    assert (second["name"], second["value"], second["low"], second["high"]) == ("hit@2", 1.0, 1.0, 1.0)


def test_killed_half_way_and_resumed_gives_the_same_file(toy: Toy, tmp_path: Path) -> None:
    run(toy)
    whole = stored(toy).read_bytes()
    stored(toy).unlink()

    child = os.fork()
    if child == 0:  # dies without a word in its third batch of four
        run(toy, before=lambda seen: os.kill(os.getpid(), signal.SIGKILL) if seen == 8 else None)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert not stored(toy).exists()
    assert was_interrupted(toy.subject(), System(toy.reverser()), toy.workspace, toy.results, toy.settings)

    translator = toy.reverser()
    evaluate(toy.subject(), System(translator), toy.workspace, toy.results, toy.settings)
    assert len(translator.seen) == 4
    assert stored(toy).read_bytes() == whole
    assert not was_interrupted(toy.subject(), System(toy.reverser()), toy.workspace, toy.results, toy.settings)
    assert [path.name for path in stored(toy).parent.iterdir() if path.name.startswith(".")] == []


def test_a_torn_batch_is_translated_again(toy: Toy) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(toy, before=interrupt_at(8))
    journal = journal_path(stored(toy))
    journal.write_bytes(journal.read_bytes()[:-7])
    translator = toy.reverser()
    evaluate(toy.subject(), System(translator), toy.workspace, toy.results, toy.settings)
    assert len(translator.seen) == 8


def test_a_changed_bundle_does_not_take_up_an_interrupted_run(toy: Toy) -> None:
    def stop(batch: int) -> None:
        if batch == 8:
            raise KeyboardInterrupt

    first, second = toy.reverser(before=stop), toy.reverser()
    with pytest.raises(KeyboardInterrupt):
        evaluate(toy.subject(), System(first, bundle="old"), toy.workspace, toy.results, toy.settings)
    assert not was_interrupted(toy.subject(), System(second, bundle="new"), toy.workspace, toy.results, toy.settings)
    evaluate(toy.subject(), System(second, bundle="new"), toy.workspace, toy.results, toy.settings)
    assert len(second.seen) == 12


def test_other_settings_do_not_take_up_an_interrupted_run(toy: Toy) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(toy, before=interrupt_at(8))
    translator = toy.reverser()
    evaluate(toy.subject(), System(translator), toy.workspace, toy.results, replace(toy.settings, k=1))
    assert len(translator.seen) == 12


def test_a_run_that_dies_while_it_is_scored_is_still_counted(toy: Toy) -> None:
    def explode(workspace: Workspace) -> tuple[Any, ...]:
        return (Exploding(),)

    subject = toy.subject(split="test")
    broken = replace(subject, task=replace(toy.task, metrics=explode))
    with pytest.raises(RunFailed, match="could not be measured: ZeroDivisionError"):
        evaluate(broken, System(toy.reverser()), toy.workspace, toy.results, toy.settings)
    assert toy.results.ledger.test_runs("toy/reverse", "reverser") == 0
    assert was_interrupted(subject, System(toy.reverser()), toy.workspace, toy.results, toy.settings)
    translator = toy.reverser()
    assert evaluate(subject, System(translator), toy.workspace, toy.results, toy.settings).test_runs == 1
    assert translator.seen == []


def test_two_runs_of_one_system_do_not_mix(toy: Toy) -> None:
    def again(seen: int) -> None:
        with pytest.raises(RunFailed, match="another run"):
            run(toy)

    run(toy, before=again)


def test_rescoring_without_the_model_gives_the_same_scores(toy: Toy) -> None:
    first = run(toy)
    again = rescore(toy.subject(), stored(toy), toy.workspace, toy.results, toy.settings)
    assert again.scores == first.scores
    assert [entry.kind for entry in toy.results.ledger.read()[0]] == ["eval", "score"]


def test_only_runs_on_test_are_counted(toy: Toy) -> None:
    subject = toy.subject(split="test")
    for count in (1, 2):
        report = evaluate(subject, System(toy.reverser()), toy.workspace, toy.results, toy.settings)
        assert report.test_runs == count
    path = stored(toy, split="test")
    assert rescore(subject, path, toy.workspace, toy.results, toy.settings).test_runs == 2
    assert run(toy).test_runs == 2
    assert toy.results.ledger.test_runs("toy/reverse", "other") == 0


def test_predictions_say_where_they_came_from(toy: Toy) -> None:
    run(toy)
    origin = read_origin(stored(toy))
    assert origin is not None
    assert (origin.task, origin.split, origin.system, origin.k, origin.n) == ("toy/reverse", "dev", "reverser", 2, 12)
    entry = toy.results.ledger.read()[0][0]
    assert (entry.data, entry.predictions, entry.commit) == (origin.data, origin.sha256, origin.commit)
    assert entry.cpus >= 1 and entry.wall_seconds > 0 and entry.versions["sayso"] and entry.time


def test_predictions_name_the_bundle_of_an_embedded_system(toy: Toy) -> None:
    evaluate(toy.subject(), System(toy.reverser(), bundle="5eed"), toy.workspace, toy.results, toy.settings)
    origin = read_origin(stored(toy))
    assert origin is not None and origin.bundle == "5eed"
    assert toy.results.ledger.read()[0][0].bundle == "5eed"


def test_a_retriever_is_stored_by_id_and_scored_by_text(toy: Toy) -> None:
    subject = toy.subject("parrot")
    first = evaluate(subject, System(toy.parrot()), toy.workspace, toy.results, toy.settings)
    lines = list(read_predictions(stored(toy, "parrot"), lambda ref: f"<{ref}>"))
    assert {prediction.candidates[0].text for prediction in lines} == {"<toy:train:0>"}
    again = rescore(subject, stored(toy, "parrot"), toy.workspace, toy.results, toy.settings)
    assert again.scores == first.scores


def test_abstaining_keeps_the_candidates(toy: Toy) -> None:
    shy = System(toy.reverser(), abstain_below=0.4)
    evaluate(toy.subject("shy"), shy, toy.workspace, toy.results, toy.settings)
    lines = list(read_predictions(stored(toy, "shy")))
    assert [prediction.abstained for prediction in lines] == [n % 3 == 0 for n in range(12)]
    assert all(len(prediction.candidates) == 2 for prediction in lines)


def test_a_limited_run_is_recorded_and_not_stored(toy: Toy, tmp_path: Path) -> None:
    report = run(toy, limit=3)
    assert report.scores[0].n == 3
    assert not stored(toy).exists()
    assert not toy.results.statistics("toy/reverse", "reverser", "dev").exists()
    assert not toy.results.ledger.read()[0][0].whole
    out = tmp_path / "few.jsonl"
    system = System(toy.reverser())
    evaluate(toy.subject(), system, toy.workspace, toy.results, replace(toy.settings, limit=3), out=out)
    assert len(list(read_predictions(out))) == 3


def test_scores_that_look_at_more_candidates_than_there_are_are_noted(toy: Toy) -> None:
    report = run(toy, k=1)
    said = "only 1 candidate a request asked for, fewer than hit@2 look at"
    assert report.notes == (said,)
    assert f"reverser: {said}" in collect(toy.task, "dev", toy.workspace, toy.results).notes
    assert run(toy).notes == ()


def test_a_score_that_this_machine_cannot_compute_is_noted(toy: Toy) -> None:
    subject = replace(toy.subject(), task=replace(toy.task, absent=lambda workspace: ("no such score: install it",)))
    report = evaluate(subject, System(toy.reverser()), toy.workspace, toy.results, toy.settings)
    assert report.notes == ("no such score: install it",)
    assert rescore(subject, stored(toy), toy.workspace, toy.results, toy.settings).notes == report.notes


def test_partial_predictions_are_unscored_and_said_to_be_incomplete(toy: Toy, tmp_path: Path) -> None:
    out = tmp_path / "few.jsonl"
    system = System(toy.reverser())
    evaluate(toy.subject(), system, toy.workspace, toy.results, replace(toy.settings, limit=3), out=out)
    with pytest.raises(BadFile, match="9 ids"):
        rescore(toy.subject(), out, toy.workspace, toy.results, toy.settings)
    report = rescore(toy.subject(), out, toy.workspace, toy.results, replace(toy.settings, partial=True))
    assert (report.scores[0].n, report.notes[-1]) == (
        3,
        "hit@2 is incomplete: 9 of 12 examples are unscored (no prediction: 9)",
    )


def test_a_broken_sandbox_is_unscored_and_a_score_over_nothing_is_absent(toy: Toy) -> None:
    words = [example.request.text for example in toy.task.load(toy.workspace, "dev")]
    some, everything = toy.hit(1, tuple(words[:2])), toy.hit(2, tuple(words))
    task = replace(toy.task, metrics=lambda workspace: (some, everything))
    report = evaluate(
        replace(toy.subject(), task=task), System(toy.reverser()), toy.workspace, toy.results, toy.settings
    )
    assert [(score.name, score.n, score.unscored) for score in report.scores] == [("hit@1", 10, {"sandbox failed": 2})]
    assert report.notes == (
        "hit@1 is incomplete: 2 of 12 examples are unscored (sandbox failed: 2)",
        "hit@2 is left out, nothing could be scored (sandbox failed: 12)",
    )


def test_statistics_belong_to_their_predictions(toy: Toy) -> None:
    run(toy)
    path = toy.results.statistics("toy/reverse", "reverser", "dev")
    origin = read_origin(stored(toy))
    assert origin is not None
    metrics = toy.task.metrics(toy.workspace)
    found = read_statistics(path, origin, metrics)
    examples = list(toy.task.load(toy.workspace, "dev"))
    assert found == measure(metrics, examples, list(read_predictions(stored(toy))))
    assert read_statistics(path, replace(origin, sha256="other"), metrics) is None
    assert read_statistics(path, origin, (toy.hit(3),)) is None
    path.write_text("{}")
    with pytest.raises(BadFile, match="holds no statistics"):
        read_statistics(path, origin, metrics)


def test_stored_predictions_of_other_examples_are_noted(toy: Toy) -> None:
    run(toy)

    def changed(workspace: Workspace, split: Any) -> Any:
        return [replace(example, references=("x",)) for example in toy.task.load(workspace, split)]

    subject = replace(toy.subject(), task=replace(toy.task, load=changed))
    report = rescore(subject, stored(toy), toy.workspace, toy.results, toy.settings)
    assert "examples have changed" in report.notes[0]


def test_results_that_cannot_be_written_stop_a_run_but_not_a_rescoring(toy: Toy, tmp_path: Path) -> None:
    run(toy)
    blocked = replace(toy.results, folder=tmp_path / "blocked")
    (tmp_path / "blocked").write_text("a file where the folder should be")
    report = rescore(toy.subject(), stored(toy), toy.workspace, blocked, toy.settings)
    assert report.notes[-1].startswith("not recorded: cannot write")
    with pytest.raises(MachineError, match="cannot write"):
        evaluate(toy.subject(), System(toy.reverser()), toy.workspace, blocked, toy.settings)


def test_repeated_ids_and_empty_splits_are_refused(toy: Toy) -> None:
    def with_load(load: Callable[..., Any]) -> Task:
        return replace(toy.task, load=load)

    twice = with_load(lambda workspace, split: [*toy.task.load(workspace, split), *toy.task.load(workspace, split)])
    for task, says in ((twice, "toy:dev:0 comes twice"), (with_load(lambda workspace, split: []), "no dev examples")):
        with pytest.raises(RunFailed, match=says):
            evaluate(replace(toy.subject(), task=task), System(toy.reverser()), toy.workspace, toy.results)


def test_measuring_in_processes_gives_the_same() -> None:
    examples = [Example(f"e{n}", Request("x"), (str(n % 3),)) for n in range(70)]
    predictions = [Prediction(example.id, (Candidate("1", 1.0), Candidate("2", 0.5))) for example in examples]
    metrics = (Match("match@1", 1, str.strip, "stripped"), Match("match@2", 2, str.strip, "stripped"))
    assert measure(metrics, examples, predictions, Processes(2)) == measure(metrics, examples, predictions)


def test_without_numpy_there_are_scores_and_no_intervals(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    report = run(toy)
    assert [(score.value, score.low, score.high) for score in report.scores] == [
        (8 / 12, None, None),
        (1.0, None, None),
    ]
    assert report.notes[0].startswith("hit@1 has no interval: ")


def test_an_error_of_the_system_is_not_blamed_on_the_disk(toy: Toy) -> None:
    def unreadable(seen: int) -> None:
        raise FileNotFoundError(2, "No such file", "weights.bin")

    with pytest.raises(FileNotFoundError):
        run(toy, before=unreadable)


class Exploding:
    """A metric with a mistake in it."""

    name = signature = "exploding"

    def measure(self, example: Any, candidates: Any) -> float:
        return 1 / 0


def interrupt_at(seen: int) -> Callable[[int], None]:
    def interrupt(now: int) -> None:
        if now == seen:
            raise KeyboardInterrupt

    return interrupt


def test_requests_that_stand_in_another_split_are_told_beside_every_score(toy: Toy) -> None:
    def where(example: Example) -> list[str]:
        return {"stone": ["its train"], "river": ["its train", "its dev"]}.get(example.request.text, ["nowhere else"])

    labels = {"also in Other": where, "letters": lambda example: [str(len(example.request.text))]}
    task = replace(toy.task, slices=lambda workspace: labels, cluster=lambda example: example.id, drawn="words")
    report = evaluate(
        replace(toy.subject(), task=task), System(toy.reverser()), toy.workspace, toy.results, toy.settings
    )
    told = "also in Other: of 12 requests 2 in its train, 1 in its dev"
    assert any(note.startswith(told) for note in report.notes)
    [one] = elsewhere(task, list(task.load(toy.workspace, "dev")), toy.workspace)
    assert len(one.rest) == 10
    drawn, stand = caution(task, toy.workspace)
    assert drawn == "Intervals draw whole words." and "stand also in Other, too" in stand
    assert caution(toy.task, toy.workspace) == []
