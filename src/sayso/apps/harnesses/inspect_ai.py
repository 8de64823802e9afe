"""A task of ours for inspect_ai: `eval(inspect_task("bash/command", "dev"), model=…)`.

Each sample keeps our statistics in its score, and a metric of that library reduces them, so its numbers are ours.
"""

from __future__ import annotations

from typing import Any

from sayso.apps.harnesses.bridge import Bridge, open_bridge
from sayso.core.errors import MissingPart
from sayso.core.types import Split


def inspect_task(task: str, split: Split = "dev", solver: Any = None) -> Any:
    """A `Task`; inspect_ai must be installed. A `solver` of your own takes the place of one plain generation."""
    return task_of(open_bridge(task, split), solver)


def task_of(bridge: Bridge, solver: Any = None) -> Any:
    try:
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample
        from inspect_ai.scorer import Score, metric, scorer
        from inspect_ai.solver import generate
    except ImportError as error:
        raise MissingPart("inspect_ai is not installed", "pip install inspect_ai") from error

    def reducing(name: str) -> Any:
        def reduced() -> Any:
            # Some versions hand over the score of a sample, some the score alone.
            return lambda scores: bridge.reduce(name, [getattr(one, "score", one).metadata[name] for one in scores])

        return metric(name=name)(reduced)()

    def sayso_scores() -> Any:
        async def score(state: Any, target: Any) -> Any:
            answer = state.output.completion
            found = bridge.measure(str(state.sample_id), answer)
            first = found[next(iter(bridge.metrics))]
            return Score(value=first if isinstance(first, int | float) else 0.0, answer=answer, metadata=found)

        return score

    samples = [
        Sample(id=name, input=bridge.prompt(example), target=list(example.references) or "")
        for name, example in bridge.examples.items()
    ]
    scored = scorer(metrics=[reducing(name) for name in bridge.metrics])(sayso_scores)
    named = f"sayso {bridge.task.name} {bridge.split}"
    return Task(dataset=MemoryDataset(samples, name=named), solver=solver or generate(), scorer=scored())
