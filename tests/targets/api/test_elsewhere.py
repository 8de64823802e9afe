"""Rows of Okapi that stand in both splits, and paraphrases of one call."""

from __future__ import annotations

from pathlib import Path

from sayso.core.types import Example, Request, Workspace
from sayso.runs.papers import Desk
from sayso.runs.papers.okapi import also_elsewhere
from sayso.runs.store import Results
from sayso.targets import find_task
from sayso.targets.api.corpus.elsewhere import NOWHERE, cluster_of

CHECKOUT = Path(__file__).parents[3] / "results"


def test_length_draws_calls_program_templates_and_scan_rows() -> None:
    one = Example("a", Request("x"), ("GET messages FILTER message.from eq Bo",))
    two = Example("b", Request("y"), ("GET messages FILTER message.from eq bo",))
    three = Example("c", Request("z"), ("GET messages FILTER message.from eq Al",))
    call, template = cluster_of("length-email"), cluster_of("program-email")
    assert call is not None and template is not None and cluster_of("scan-length") is None
    assert call(one) == call(two) != call(three)
    assert template(one) == template(three)


def test_half_of_length_email_test_stands_in_program_train(workspace: Workspace) -> None:
    task = find_task("api/length-email")
    ((title, label),) = task.slices(workspace).items()
    kinds = [label(example) for example in task.load(workspace, "test")]
    assert title == "also in Program"
    counts = {name: sum(name in one for one in kinds) for name in ("its train", "its dev", "its test", NOWHERE)}
    assert counts["its train"] == 459 and counts["its dev"] == 231
    assert all(one == [NOWHERE] for one in kinds if NOWHERE in one)


def test_table_7_says_so_beside_the_scores_and_gives_the_score_on_the_rest(workspace: Workspace) -> None:
    desk = Desk(workspace, Results(workspace.cache / "none", CHECKOUT))
    (told,) = also_elsewhere(desk, "api/length-email", "test")
    assert "of 963 requests 459 in its train, 231 in its dev" in told
    assert told.endswith("on the 277 others default has 0.852")
    assert not list(also_elsewhere(desk, "api/scan-mcd1", "test"))


def test_without_the_corpus_table_7_is_shown_without_it(tmp_path: Path) -> None:
    desk = Desk(Workspace(tmp_path, tmp_path), Results(tmp_path / "none", CHECKOUT))
    assert not list(also_elsewhere(desk, "api/length-email", "test"))
