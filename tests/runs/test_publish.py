"""Two ledgers read as one: nothing counted twice or lost, runs on test in both, the rest published on purpose."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import MachineError, RunFailed, UnknownName, UserError
from sayso.core.types import Split, System
from sayso.runs import publish as publishing
from sayso.runs.evaluate import evaluate
from sayso.runs.ledger import Entry, Ledger, Line, add_lines, entry, join, parse_entry
from sayso.runs.predictions import origin_path, read_origin
from sayso.runs.publish import named, newest, pending, publish, refuse_uncommitted
from sayso.runs.recording import Report
from sayso.runs.report import collect
from sayso.runs.store import Results

if TYPE_CHECKING:
    from tests.runs.conftest import Toy


@pytest.fixture
def both(toy: Toy, tmp_path: Path) -> Toy:
    """The toy in a checkout: what is published lies in another folder than what is run."""
    return replace(toy, results=Results(tmp_path / "own", tmp_path / "checkout" / "results"))


def run(toy: Toy, split: Split = "dev", system: str = "reverser", wrong: int = 3) -> Report:
    return evaluate(
        toy.subject(system, split), System(toy.reverser(wrong=wrong)), toy.workspace, toy.results, toy.settings
    )


def files_of(folder: Path | None) -> list[str]:
    assert folder
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def lines_of(path: Path | None) -> list[bytes]:
    return path.read_bytes().splitlines() if path and path.exists() else []


def test_a_run_on_dev_leaves_the_checkout_as_it_was(both: Toy) -> None:
    run(both)
    assert both.results.published and not both.results.published.exists()
    assert [one.kind for one in both.results.ledger.read()[0]] == ["eval"]


def test_a_run_on_test_is_in_both_ledgers_and_counted_once(both: Toy) -> None:
    assert [run(both, "test").test_runs for _ in range(2)] == [1, 2]
    ledger = both.results.ledger
    assert lines_of(ledger.published) == lines_of(ledger.path)
    # Another machine has the checkout and not the user's folder; the same machine has it elsewhere.
    assert replace(both.results, folder=Path("elsewhere")).ledger.test_runs("toy/reverse", "reverser") == 2
    assert Results(both.results.folder).ledger.test_runs("toy/reverse", "reverser") == 2


def test_what_a_checkout_published_before_is_read_as_it_was(both: Toy) -> None:
    """A ledger from before there were two of them: lines without a mark, some alike."""
    before = replace(both, results=Results(both.results.folders[1]))
    run(before)
    run(before, "test")
    ledger = before.results.ledger
    old = [json.loads(line) for line in lines_of(ledger.path)]
    ledger.path.write_text("".join(json.dumps({k: v for k, v in row.items() if k != "run"}) + "\n" for row in old * 2))
    alone = collect(before.task, "dev", before.workspace, before.results), ledger.read()
    joined = collect(both.task, "dev", both.workspace, both.results), both.results.ledger.read()
    assert joined == alone and len(joined[1][0]) == 4
    assert both.results.ledger.test_runs("toy/reverse", "reverser") == 2


MARKS = st.sampled_from(["", "a", "b", "c"])
LINES = st.lists(st.tuples(MARKS, st.integers(0, 3)), max_size=8)


def as_lines(rows: Sequence[tuple[str, int]]) -> list[Line]:
    made = [Entry("eval", "t", "s", split="test", time=str(time), run=mark) for mark, time in rows]
    return [Line(json.dumps(asdict(one)).encode(), one) for one in made]


@given(LINES, LINES)
def test_joined_ledgers_hold_every_line_once(first: list[tuple[str, int]], second: list[tuple[str, int]]) -> None:
    published, own = as_lines(first), as_lines(second)
    joined = join(published, own)
    marked = [line.entry.run for line in joined if line.entry.run]
    assert len(marked) == len(set(marked)) == len({line.entry.run for line in [*published, *own]} - {""})
    # What has no mark is as often there as in the fuller of the two.
    counts = [Counter(line.content for line in lines if not line.entry.run) for lines in (joined, published, own)]
    assert counts[0] == counts[1] | counts[2]
    # Adding own lines to what is published changes nothing any more.
    assert sorted(one.content for one in join(joined, own)) == sorted(one.content for one in joined)


@pytest.mark.parametrize("before", [True, False], ids=["before-it", "after-it"])
def test_killed_at_any_write_a_run_on_test_is_counted_once(both: Toy, before: bool) -> None:
    """The process dies at its first, second, third … forced write, and the same command is given again."""
    deaths = 0
    for number in range(1, 40):
        child = os.fork()
        if child == 0:
            die_at(number, before)
            run(both, "test")
            os._exit(0)
        died = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        if died:
            deaths += 1
            run(both, "test")
        ledger = both.results.ledger
        assert ledger.test_runs("toy/reverse", "reverser") == number, f"killed at write {number}"
        assert len(lines_of(ledger.path)) == len(lines_of(ledger.published)) == number
        if not died:
            break
    assert deaths >= 6, "journal, predictions, origin, statistics and both ledgers are forced to disk"


def die_at(number: int, before: bool) -> None:
    real, seen = os.fsync, 0

    def fsync(fd: Any) -> None:
        nonlocal seen
        seen += 1
        if before and seen == number:
            os.kill(os.getpid(), signal.SIGKILL)
        real(fd)
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    os.fsync = fsync


@pytest.mark.parametrize("blocked", ["own", "checkout/results"])
def test_a_disk_that_refuses_either_ledger_costs_no_run_and_doubles_none(
    both: Toy, tmp_path: Path, blocked: str
) -> None:
    wall = tmp_path / blocked / "ledger.jsonl"
    wall.mkdir(parents=True)
    with pytest.raises(MachineError, match="cannot write"):
        run(both, "test")
    wall.rmdir()
    translator = both.reverser()
    report = evaluate(both.subject(split="test"), System(translator), both.workspace, both.results, both.settings)
    assert (report.test_runs, translator.seen) == (1, [])
    assert len(lines_of(both.results.ledger.path)) == len(lines_of(both.results.ledger.published)) == 1


def test_publishing_brings_lines_and_predictions_once(both: Toy) -> None:
    first = run(both)
    run(both, system="other", wrong=2)
    done = publish(both.results, pending(both.results))
    assert (len(done.lines), len(done.predictions)) == (2, 2)
    names = [
        f"predictions/toy/reverse/{name}.dev{end}" for name in ("other", "reverser") for end in (".json", ".jsonl.zst")
    ]
    assert files_of(both.results.published) == ["ledger.jsonl", *names]
    assert pending(both.results) == []
    assert publish(both.results, []) == publishing.Published((), ())
    # A clone has the same scores, and the same report.
    clone = Results(both.results.folder / "empty", both.results.published)
    here, there = (
        collect(both.task, "dev", both.workspace, one, settings=both.settings) for one in (both.results, clone)
    )
    assert there.systems == here.systems
    assert there.systems[1].scores == first.scores


def test_a_run_on_test_needs_only_its_predictions_published(both: Toy) -> None:
    run(both, "test")
    (one,) = pending(both.results)
    assert (one.is_new, one.predictions) == (False, Path("predictions/toy/reverse/reverser.test.jsonl.zst"))
    assert len(publish(both.results, [one]).lines) == 0
    assert pending(both.results) == [] and len(lines_of(both.results.ledger.published)) == 1


def test_predictions_of_an_older_run_are_not_published_under_its_line(both: Toy) -> None:
    run(both)
    run(both, wrong=2)
    older, newer = pending(both.results)
    assert older.predictions is None and newer.predictions
    assert newest([older, newer]) == [newer]


def test_the_newer_predictions_are_read_and_never_overwritten_by_older_ones(both: Toy) -> None:
    run(both)
    publish(both.results, pending(both.results))
    own = both.results.predictions("toy/reverse", "reverser", "dev")
    published = both.results.folders[1] / own.relative_to(both.results.folder)
    run(both, wrong=2)
    assert both.results.stored("toy/reverse", "reverser", "dev") == own
    document = json.loads(origin_path(published).read_text())
    origin_path(published).write_text(json.dumps({**document, "time": "2999-01-01T00:00:00+00:00"}))
    assert both.results.stored("toy/reverse", "reverser", "dev") == published
    assert [one.predictions for one in pending(both.results)] == [None]
    own.unlink()
    assert both.results.stored("toy/reverse", "reverser", "dev") == published
    assert both.results.systems("toy/reverse", "dev") == ["reverser"]


def test_publishing_that_was_killed_is_finished_by_the_next(both: Toy) -> None:
    run(both)
    for number in range(1, 10):
        child = os.fork()
        if child == 0:
            die_at(number, before=True)
            publish(both.results, pending(both.results))
            os._exit(0)
        os.waitpid(child, 0)
        publish(both.results, pending(both.results))
        assert pending(both.results) == []
        assert len(lines_of(both.results.ledger.published)) == 1
        published = both.results.folders[1] / "predictions/toy/reverse/reverser.dev.jsonl.zst"
        assert read_origin(published) == read_origin(both.results.predictions("toy/reverse", "reverser", "dev"))
        for path in (published, origin_path(published), both.results.folders[1] / "ledger.jsonl"):
            path.unlink()


def test_altered_predictions_are_not_published(both: Toy) -> None:
    run(both)
    run(both, system="other", wrong=2)
    own = both.results.predictions("toy/reverse", "reverser", "dev")
    own.write_bytes(both.results.predictions("toy/reverse", "other", "dev").read_bytes())
    with pytest.raises(RunFailed, match="not what its origin says"):
        publish(both.results, pending(both.results))
    assert both.results.published and not both.results.published.exists()


def test_a_torn_published_line_is_closed_and_the_line_brought_again(both: Toy) -> None:
    run(both)
    (line,) = both.results.ledger.unpublished()
    published = both.results.folders[1] / "ledger.jsonl"
    published.parent.mkdir(parents=True)
    published.write_bytes(line.content[:50])
    publish(both.results, pending(both.results))
    assert lines_of(published) == [line.content[:50], line.content]
    assert len(both.results.ledger.read()[0]) == 1


def test_lines_are_named_by_the_beginning_of_their_ids(both: Toy) -> None:
    run(both)
    run(both)
    found = pending(both.results)
    assert named(found, [found[1].line.id[:7]]) == [found[1]]
    with pytest.raises(UnknownName, match="unpublished line"):
        named(found, ["xyz"])
    with pytest.raises(UserError, match="begins the ids of 2 lines"):
        named(found, [""])


def test_only_committed_code_is_published_but_for_runs_on_test(both: Toy, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "src").mkdir(parents=True)
    with pytest.raises(UserError, match="no git checkout"):
        refuse_uncommitted([], checkout)
    (checkout / "src/a.py").write_text("1\n")
    git = ["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    ledger = both.results.ledger
    known = entry("eval", "t", "s", split="dev")
    for change in (
        {"commit": "1" * 40, "dirty": False},
        {"commit": "", "dirty": False},
        {"commit": "1", "dirty": True},
    ):
        ledger.append(replace(known, run=f"{change}", **change))  # type: ignore[arg-type]
    ledger.append(replace(entry("eval", "t", "s", split="test"), dirty=True))
    add_lines(ledger.path, [json.dumps(asdict(replace(known, split="test", dirty=True, run="elsewhere"))).encode()])
    good, *loose, elsewhere = pending(both.results)
    assert elsewhere.entry.is_test_run
    refuse_uncommitted([good, elsewhere], checkout)
    with pytest.raises(UserError, match="2 lines come from uncommitted code"):
        refuse_uncommitted([good, *loose], checkout)
    (checkout / "notes.md").write_text("what is not source may change\n")
    refuse_uncommitted([good], checkout)
    (checkout / "src/a.py").write_text("2\n")
    with pytest.raises(UserError, match=r"src/a\.py .* changed since the last commit"):
        refuse_uncommitted([good], checkout)


def test_writers_of_both_ledgers_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "own.jsonl", tmp_path / "published.jsonl")
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            for number in range(12):
                ledger.append(entry("eval", "t", "s", split="test" if number % 2 else "dev"))
                add_lines(tmp_path / "published.jsonl", [line.content for line in ledger.unpublished()])
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    entries, notes = ledger.read()
    assert (len(entries), notes, ledger.test_runs("t", "s"), ledger.unpublished()) == (36, [], 18, [])
    assert len({parse_entry(line).run for line in lines_of(ledger.published)}) == len(lines_of(ledger.published)) == 36


def test_runs_on_test_of_two_branches_are_both_counted_when_they_are_merged(tmp_path: Path) -> None:
    attributes = Path(__file__).parents[2] / ".gitattributes"
    (tmp_path / ".gitattributes").write_bytes(attributes.read_bytes())
    published = tmp_path / "results" / "ledger.jsonl"

    def git(*words: str) -> None:
        named = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        subprocess.run(named, check=True, capture_output=True)

    def ran(name: str) -> None:
        Ledger(tmp_path / f"{name}.own", published).append(entry("eval", "t", "s", split="test"))
        git("add", "-A")
        git("commit", "-qm", name)

    git("init", "-q", "-b", "first")
    ran("before")
    git("branch", "second")
    ran("here")
    git("checkout", "-q", "second")
    ran("there")
    git("merge", "-q", "first", "-m", "both")
    assert Ledger(published).test_runs("t", "s") == 3
    assert Ledger(tmp_path / "here.own", published).test_runs("t", "s") == 3
