"""Stored answers through lm-evaluation-harness and inspect_ai for real: do their numbers equal ours?

    python -m benchmarks.harnesses [TASK …] [--split dev] [--system default] [--limit N]

Both harnesses are no dependencies of ours (452 MB with theirs): pip install lm_eval inspect_ai, anywhere beside sayso.
The first candidates of stored predictions stand in for a model. Nothing is fetched and nothing is recorded.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sayso.apps import settings
from sayso.apps.harnesses import inspect_ai as inspect_bridge
from sayso.apps.harnesses import lm_eval as lm_bridge
from sayso.apps.harnesses.bridge import Bridge
from sayso.core.errors import SaysoError
from sayso.core.types import Candidate, Example, Split
from sayso.runs.rescore import read_stored
from sayso.runs.subject import DEFAULTS
from sayso.targets import TASKS, find_task

# Nothing of theirs is to look for a data set on the network, or to draw.
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "INSPECT_DISPLAY": "none"}


def first_answers(bridge: Bridge, system: str) -> dict[str, str]:
    """Id -> the first candidate that is stored."""
    examples = list(bridge.examples.values())
    path = settings.results().stored(bridge.task.name, system, bridge.split)
    some = replace(DEFAULTS, limit=len(examples))
    found = read_stored(bridge.task, examples, path, bridge.workspace, bridge.split, some)[1]
    return {
        example.id: one.candidates[0].text if one and one.candidates else ""
        for example, one in zip(examples, found, strict=True)
    }


def our_scores(bridge: Bridge, answers: Mapping[str, str]) -> dict[str, float]:
    """As `sayso score` has them, of one candidate each."""

    def column(metric: Any, examples: Sequence[Example]) -> list[Any]:
        told = ((one, [Candidate(answers[one.id], 1.0)] if answers[one.id].strip() else []) for one in examples)
        return [metric.measure(*pair) for pair in told]

    examples = list(bridge.examples.values())
    return {name: metric.reduce(column(metric, examples)).value for name, metric in bridge.metrics.items()}


def through_lm_eval(bridge: Bridge, answers: Mapping[str, str]) -> dict[str, float]:
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM

    class Replay(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            return [answers[request.doc["id"]] for request in requests]

        def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any:
            raise NotImplementedError

    task = lm_bridge.task_of(bridge)
    found = simple_evaluate(Replay(), tasks=[task], bootstrap_iters=0, log_samples=False)
    (row,) = found["results"].values()
    return {name.partition(",")[0]: value for name, value in row.items() if name.partition(",")[0] in bridge.metrics}


def through_inspect(bridge: Bridge, answers: Mapping[str, str]) -> dict[str, float]:
    from inspect_ai import eval_async
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    def replay() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            state.output = ModelOutput.from_content("replay", answers[str(state.sample_id)])
            return state

        return solve

    with tempfile.TemporaryDirectory() as logs:
        task = inspect_bridge.task_of(bridge, solver(replay)())
        (log,) = asyncio.run(eval_async(task, model="mockllm/model", log_dir=logs, log_samples=True))
    if log.status != "success":
        raise SystemExit(f"inspect_ai: {log.status}: {log.error.message if log.error else ''}")
    return {name: one.value for name, one in log.results.scores[0].metrics.items()}


def compared(name: str, split: Split, system: str, limit: int) -> dict[str, Any]:
    bridge = Bridge(find_task(name), split, settings.workspace())
    answers = first_answers(bridge, system)
    if limit:
        some = dict(list(bridge.examples.items())[:limit])
        bridge = replace(bridge)
        vars(bridge)["examples"] = some
        answers = {name: answers[name] for name in some}
    ours = our_scores(bridge, answers)
    rows = {"sayso": ours, "lm_eval": through_lm_eval(bridge, answers), "inspect_ai": through_inspect(bridge, answers)}
    equal = all(
        name in found and (math.isclose(found[name], value, abs_tol=1e-9) or (found[name] != found[name] != value))
        for found in rows.values()
        for name, value in ours.items()
        if value == value
    )
    return {"task": name, "split": split, "system": system, "n": len(answers), "scores": rows, "equal": equal}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.harnesses", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="all that have stored answers of the system")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--system", default="default")
    parser.add_argument("--limit", type=int, default=0, help="only the first N examples of each")
    args = parser.parse_args(argv)
    os.environ.update(OFFLINE)
    results = settings.results()
    tasks = args.tasks or [name for name in TASKS if args.system in results.systems(name, args.split)]
    told = []
    for name in tasks:
        try:
            told.append(compared(name, args.split, args.system, args.limit))
        except SaysoError as error:
            print(error.told(), file=sys.stderr)
            return error.exit_code
        print(json.dumps(told[-1]), flush=True)
    print(f"{sum(one['equal'] for one in told)} of {len(told)} tasks have equal scores", file=sys.stderr)
    return 0 if all(one["equal"] for one in told) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
