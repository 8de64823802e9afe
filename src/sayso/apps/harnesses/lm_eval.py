"""A task of ours for lm-evaluation-harness: `simple_evaluate(model, tasks=[lm_eval_task("bash/command", "dev")])`.

Statistics go through its `process_results`, and its aggregation is our `reduce`, so its numbers are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sayso.apps.harnesses.bridge import Bridge, open_bridge
from sayso.core.errors import MissingPart
from sayso.core.types import Split

LONGEST_ANSWER = 512


def lm_eval_task(task: str, split: Split = "dev") -> Any:
    """A `ConfigurableTask`; the harness and its `datasets` must be installed."""
    return task_of(open_bridge(task, split))


def task_of(bridge: Bridge) -> Any:
    try:
        from lm_eval.api.task import ConfigurableTask
    except ImportError as error:
        raise MissingPart("lm-evaluation-harness is not installed", "pip install lm_eval") from error
    return ConfigurableTask(config=config_of(bridge))


def config_of(bridge: Bridge) -> dict[str, Any]:
    name = f"sayso_{bridge.task.name}_{bridge.split}".replace("/", "_").replace("-", "_")
    return {
        "task": name,
        "custom_dataset": partial(dataset, bridge),
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{reference}}",
        "generation_kwargs": {"until": [], "max_gen_toks": LONGEST_ANSWER, "do_sample": False, "temperature": 0.0},
        "process_results": partial(process_results, bridge),
        "metric_list": [
            {"metric": score, "aggregation": partial(bridge.reduce, score), "higher_is_better": True}
            for score in bridge.metrics
        ],
        "metadata": {"version": 1.0},
    }


def dataset(bridge: Bridge, **told: Any) -> Any:
    """Its documents, as that library wants them."""
    from datasets import Dataset

    return {"test": Dataset.from_list(documents(bridge))}


def documents(bridge: Bridge) -> list[dict[str, str]]:
    return [
        {"id": name, "prompt": bridge.prompt(example), "reference": (example.references or ("",))[0]}
        for name, example in bridge.examples.items()
    ]


def process_results(bridge: Bridge, doc: dict[str, Any], results: Sequence[str]) -> dict[str, Any]:
    return bridge.measure(doc["id"], results[0])
