"""Whether plans follow what a README says beyond its build files: 24 small projects, half of them held out.

`python -m benchmarks.readme_plans [--half choose|held] [--only NAME]` prints a row for each project: whether
what the first script installs is what the README asks for, the same after repairs, and the first script of a planner
that was given no document. `--prove` shows that a script of ours makes each right, and that nothing does not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from benchmarks import Row
from benchmarks.build_plans import open_builder
from benchmarks.build_projects import is_program
from benchmarks.readme_projects import PROJECTS, SOLUTIONS, ReadmeProject
from sayso.core.errors import SandboxFailed
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.source import Source, read_folder
from sayso.targets.build.evaluation.reading import is_document
from sayso.targets.build.planning.planner import ranked_plans
from sayso.targets.build.planning.survey import survey_folder
from sayso.targets.build.trying.sandboxed import log_end, run_in
from sayso.targets.build.trying.trying import BUDGET, try_plans

FEWEST = 2


def written(name: str, folder: Path) -> tuple[Path, Source]:
    """The files of a project below a folder of its own."""
    top = folder / name
    for path, text in PROJECTS[name].files.items():
        place = top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(0o755 if is_program(text) else 0o644)
    return top, read_folder(name, "1", top)


def is_right(builder: Builder, project: ReadmeProject, source: Source, script: str) -> tuple[bool, str]:
    """Whether what a script installs is what the README asks for, and what was said where it is not."""
    job = Job(source, script or ":")
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "x").write_text("x")
        check = Job(read_folder("check", "1", Path(made)), project.right + "\n", (job,))
        done = builder.build(job)
        held = builder.build(check)
    return done.succeeded and held.succeeded, "" if held.succeeded and done.succeeded else log_end(done)[-300:]


def rows(builder: Builder, half: str, only: Sequence[str]) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as made:
        for name, project in PROJECTS.items():
            if (half and project.half != half) or (only and name not in only):
                continue
            top, source = written(name, Path(made))
            ground = survey_folder(top).ground
            first = ranked_plans(ground)[0]
            unread = ranked_plans(replace(ground, said=()))[0]
            found = try_plans(ground, ranked_plans(ground), run_in(builder, source), BUDGET)
            right, said = is_right(builder, project, source, first.script)
            yield {
                "name": name,
                "kind": project.kind,
                "half": project.half,
                "unread": is_right(builder, project, source, unread.script)[0],
                "first": right,
                "tried": is_right(builder, project, source, found.best.plan.script)[0],
                "backed": sum(is_document(one.file) for step in first.steps for one in step.causes[:1]),
                "steps": len(first.steps),
                "script": first.script,
                "said": said,
            }


def prove(builder: Builder) -> list[str]:
    """What is wrong with the projects themselves."""
    wrong = []
    with tempfile.TemporaryDirectory() as made:
        for name, project in PROJECTS.items():
            _, source = written(name, Path(made))
            right, said = is_right(builder, project, source, SOLUTIONS[name])
            if not right:
                wrong.append(f"{name}: the solution does not hold: {said}")
            if is_right(builder, project, source, ":")[0]:
                wrong.append(f"{name}: nothing holds as well")
    return wrong


def run(most: int | None = None) -> list[Row]:
    """For `python -m benchmarks`: both halves; nothing where no sandbox works."""
    try:
        found = list(islice(rows(open_builder(), "", ()), most))
    except SandboxFailed:
        return []
    shown = []
    for half in ("choose", "held"):
        of_half = [one for one in found if one["half"] == half]
        right = sum(bool(one["first"]) for one in of_half)
        shown.append(Row(f"README projects that the first script gets right ({half})", right, "projects", len(of_half)))
    return shown


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readme_plans", description=__doc__)
    parser.add_argument("--half", choices=("choose", "held"), default="", help="only this half")
    parser.add_argument("--only", action="append", default=[], help="only these projects")
    parser.add_argument("--prove", action="store_true", help="run our own solutions and nothing else")
    args = parser.parse_args(argv)
    builder = open_builder()
    if args.prove:
        wrong = prove(builder)
        print("\n".join(wrong) or f"{len(PROJECTS)} projects hold")
        return 1 if wrong else 0
    found = []
    for row in rows(builder, args.half, args.only):
        found.append(row)
        print(json.dumps(row), flush=True)
    for half in ("choose", "held"):
        of_half = [row for row in found if row["half"] == half]
        if of_half:
            counts = ", ".join(
                f"{which} {sum(bool(row[which]) for row in of_half)}" for which in ("unread", "first", "tried")
            )
            print(f"{half}: {counts} of {len(of_half)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
