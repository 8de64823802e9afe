"""README-EVAL's builds here beside those that the vendored set records, and the sets that its graph gives by a seed.

`python -m benchmarks.readme_eval` lists every outcome that differs; what is not built yet is built first (a quarter of
an hour of CPU on a fresh cache). The recorded outcomes are a cross-check: no score is made of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from benchmarks import Row
from sayso.apps import settings
from sayso.apps.cli.progress import Progress
from sayso.core.errors import MissingData
from sayso.core.types import Workspace
from sayso.targets.build.corpus.graph import read_graph
from sayso.targets.build.evaluation.choose import Plan, choose, dependencies_of
from sayso.targets.build.evaluation.recorded import Edge, compare, disagreements
from sayso.targets.build.evaluation.requests import load_examples
from sayso.targets.build.evaluation.sets import read_set, set_folder
from sayso.targets.build.evaluation.workshop import UNMADE, open_workshop
from sayso.targets.build.systems.stages import SYSTEMS

SNIFFING = ("sniff", "sniff2")
SEEDS = (0, 1, 2)
MOST_DEPENDENTS = 200
"""What more leaves than this need is infrastructure, as debhelper is."""
MOST_DIFFERENT = 4
"""Of 214 outcomes, on the same packages at pinned versions."""


def compared(workspace: Workspace) -> list[Edge]:
    found, progress = read_set(set_folder(workspace.data)), Progress()
    examples = list(load_examples(workspace, "dev"))
    scripts = {}
    for name in SNIFFING:
        answers = SYSTEMS[name](workspace).translator.translate([one.request for one in examples], 1)
        texts = [candidates[0].text for candidates in answers]
        scripts[name] = dict(zip((package.name for package in found.tests), texts, strict=True))
    builder = open_workshop(found, workspace).builder(progress)
    try:
        return list(compare(found, scripts, lambda jobs: builder.build_all(jobs, None, progress)))
    finally:
        progress.close()


def chosen(workspace: Workspace) -> dict[str, dict[str, int]]:
    """How many packages stand in C, T and V, and in the sets for tuning, of the whole graph by a few seeds."""
    graph = dependencies_of(read_graph(workspace.data))
    found = {}
    for seed in SEEDS:
        sets = choose(graph, seed, Plan(most_dependents=MOST_DEPENDENTS))
        found[f"seed {seed}"] = {
            "C": len(sets.common),
            "T": len(sets.tests),
            "V": len(sets.validation),
            "edges": sum(map(len, sets.edges.values())),
            "tuning V": len(sets.tuning_edges),
            "tuning T": len(frozenset().union(*sets.tuning_edges.values())),
        }
    return found


def run() -> list[Row]:
    """For `python -m benchmarks`; nothing where the corpora or the root that they ask for are not on this machine."""
    workspace = settings.workspace()
    try:
        if open_workshop(read_set(set_folder(workspace.data)), workspace).root_name == UNMADE:
            return []
        edges = compared(workspace)
    except MissingData:
        return []
    different = sum(edge.recorded != edge.here for edge in edges)
    return [Row("README-EVAL outcomes other than recorded", different, "edges", len(edges), limit=MOST_DIFFERENT)]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readme_eval", description=__doc__)
    parser.add_argument("--choose", action="store_true", help="only count the sets that the graph gives")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(argv)
    workspace = settings.workspace()
    edges = [] if args.choose else compared(workspace)
    answer = {
        "sets": chosen(workspace),
        "disagreements": {world: {"different": a, "n": n} for world, (a, n) in disagreements(edges).items()},
        "different": [vars(edge) for edge in edges if edge.recorded != edge.here],
    }
    print(json.dumps(answer, indent=None if args.json else 1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
