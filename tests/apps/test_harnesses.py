"""Our tasks for other harnesses: what they are given, and that statistics reduce to our own scores.

The harnesses themselves are no dependencies: where they are installed (pip install lm_eval inspect_ai) they are run for
real, here with three examples and by `python -m benchmarks.harnesses` with stored answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.harnesses import OFFLINE, our_scores, through_inspect, through_lm_eval

from sayso.apps.harnesses import inspect_ai, lm_eval
from sayso.apps.harnesses.bridge import Bridge
from sayso.core.errors import MissingPart
from sayso.core.types import Candidate, Example, Metric, Piece, Request, Split, Unscored, Workspace
from sayso.metrics.coverage import Answered
from sayso.metrics.match import Match
from sayso.targets import find_task

Through = Callable[[Bridge, Mapping[str, str]], dict[str, float]]


def same(text: str) -> str:
    return text


def load(workspace: Workspace, split: Split) -> list[Example]:
    return [
        Example("a", Request("list", (Piece("code", "x = 1", "cell"),)), ("ls",)),
        Example("b", Request("where"), ("pwd",)),
        Example("c", Request("nothing"), ()),
    ]


def metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return Match("match@1", 1, same, "raw"), Match("match@3", 3, same, "raw"), Answered()


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    task = replace(find_task("bash/command"), name="toy/ls", load=load, metrics=metrics)
    return Bridge(task, "dev", Workspace(tmp_path, tmp_path))


def test_only_scores_of_one_text_go_there(bridge: Bridge) -> None:
    assert list(bridge.metrics) == ["match@1"]


def test_a_prompt_says_what_an_answer_is_and_shows_the_context(bridge: Bridge) -> None:
    prompt = bridge.prompt(bridge.examples["a"])
    assert prompt.startswith("Answer with one Bash command") and prompt.endswith("[code cell]\nx = 1\n\nlist")


def test_statistics_travel_as_json_and_reduce_to_our_score(bridge: Bridge) -> None:
    said = {"a": "ls", "b": "cd", "c": "x"}
    rows = [bridge.measure(name, text)["match@1"] for name, text in said.items()]
    assert rows == [1, 0, {"unscored": "no reference"}]
    ours = bridge.metrics["match@1"].reduce([1, 0, Unscored("no reference")])
    assert bridge.reduce("match@1", rows) == ours.value == 0.5
    assert bridge.measure("a", " \n")["match@1"] == 0


def test_lm_eval_gets_documents_and_our_aggregation(bridge: Bridge) -> None:
    config = lm_eval.config_of(bridge)
    assert config["task"] == "sayso_toy_ls_dev" and config["output_type"] == "generate_until"
    assert [one["id"] for one in lm_eval.documents(bridge)] == ["a", "b", "c"]
    assert config["process_results"]({"id": "a"}, ["ls"]) == {"match@1": 1}
    assert config["metric_list"][0]["aggregation"]([1, 0]) == 0.5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of theirs
@pytest.mark.parametrize(("library", "through"), [("lm_eval", through_lm_eval), ("inspect_ai", through_inspect)])
def test_a_real_run_of_the_harness_has_our_numbers(
    library: str, through: Through, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not installed(library):
        pytest.skip(f"{library} is not installed (pip install {library})")
    for name, value in OFFLINE.items():
        monkeypatch.setenv(name, value)
    answers = {"a": "ls", "b": "cd", "c": "x"}
    assert through(bridge, answers) == our_scores(bridge, answers) == {"match@1": 0.5}


@pytest.mark.parametrize("adapter", [lm_eval, inspect_ai])
def test_without_the_harness_it_is_said_what_to_install(bridge: Bridge, adapter: Any) -> None:
    if installed(adapter.__name__.rpartition(".")[2]):
        pytest.skip("it is installed here: python -m benchmarks.harnesses")
    with pytest.raises(MissingPart, match="not installed"):
        adapter.task_of(bridge)


def installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def test_candidates_are_what_metrics_see(bridge: Bridge) -> None:
    seen: list[Sequence[Candidate]] = []

    class Watching:
        name, signature, k = "watching", "watching", 1

        def measure(self, example: Example, candidates: Sequence[Candidate]) -> int:
            seen.append(candidates)
            return 1

        def reduce(self, stats: Any) -> Any:
            raise NotImplementedError

    watched = replace(bridge, task=replace(bridge.task, metrics=lambda workspace: (Watching(),)))
    watched.measure("a", "ls -l")
    assert [one.text for one in seen[0]] == ["ls -l"]
