"""Rows of Okapi that stand in both splits, and paraphrases of one call."""

from __future__ import annotations

from sayso.core.types import Example, Request, Workspace
from sayso.targets import find_task
from sayso.targets.api.corpus.elsewhere import NOWHERE, cluster_of


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
