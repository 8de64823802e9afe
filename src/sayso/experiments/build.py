"""README-EVAL: the baseline that the paper plans, a pipeline of small learners; it prints no settings for it."""

from __future__ import annotations

from sayso.experiments.recipe import Recipe

PIPELINE = Recipe(
    name="pipeline",
    paper="README-EVAL",
    table="planned, without a table",
    task="build/documents",
    also=("build/instructions", "build/script"),
    what="document classifier, then instruction extractor, then a learner that maps instructions to a script",
    network="learners",
    needs="a learner from instructions to scripts (the stages before it: `python -m sayso.experiments.build_lines`)",
)
