"""The build target and its tasks, as values: README-EVAL's script, and the stages that lead to it."""

from __future__ import annotations

from dataclasses import replace

from sayso.core.types import Target, Task
from sayso.targets.build import language, offers
from sayso.targets.build.evaluation.partition import parse_partition
from sayso.targets.build.evaluation.requests import load_examples
from sayso.targets.build.evaluation.stage_tasks import load_depends, load_documents, load_instructions, load_metadata
from sayso.targets.build.evaluation.trees import source_tree
from sayso.targets.build.execute import run
from sayso.targets.build.metrics import partitioned, script_metrics
from sayso.targets.build.stage_metrics import depends_metrics, document_metrics, instruction_metrics, metadata_metrics
from sayso.targets.build.systems import readers
from sayso.targets.build.systems.stages import KNOWN, SYSTEMS, open_staged

BUILD = Target(
    name="build",
    normalise=language.normalise,
    template=language.template,
    split=language.split,
    join=language.join,
    risk=language.risk,
    check=language.check,
    explain=language.explain,
    run=run,
    draft=language.drafts,
    bars=language.bars,
    corpora={"packages": offers.count_packages},
    fetchers={"contents": offers.get_contents},
    pickers={"packages": offers.get_packages},
    records={"packages": offers.show_package},
)


def in_cells(text: str, seed: int) -> Task:
    """The task with several packages under test at once: "4", or "all"."""
    return replace(SCRIPT, metrics=partitioned(parse_partition(text, seed)))


SCRIPT = Task(
    name="build/script",
    target=BUILD,
    load=load_examples,
    metrics=script_metrics,
    systems=SYSTEMS,
    stages={stage: tuple(systems) for stage, systems in KNOWN.items()},
    staged=open_staged,
    in_cells=in_cells,
    folder=source_tree,
)
DOCUMENTS = Task("build/documents", BUILD, load_documents, document_metrics, readers.DOCUMENTS)
INSTRUCTIONS = Task("build/instructions", BUILD, load_instructions, instruction_metrics, readers.INSTRUCTIONS)
DEPENDS = Task("build/depends", BUILD, load_depends, depends_metrics, readers.DEPENDS)
METADATA = Task("build/metadata", BUILD, load_metadata, metadata_metrics, readers.METADATA)
TASKS = {task.name: task for task in (SCRIPT, DOCUMENTS, INSTRUCTIONS, DEPENDS, METADATA)}
