"""Plans and repairs over small projects of ours and over sources of train packages: how many install what can be used.

`python -m benchmarks.build_plans [--sources FOLDER] [--only NAME]` prints a row for each; FOLDER holds upstream
archives of packages that are in train, a folder for each. "Works" is generic: `trying/using.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks import Row
from benchmarks.build_projects import PROJECTS, is_program
from sayso.apps import settings
from sayso.core.errors import SandboxFailed
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.root import find_root
from sayso.targets.build.builds.source import Source, read_files, read_folder, unpack
from sayso.targets.build.evaluation.sets import ROOT, set_folder
from sayso.targets.build.planning.planner import ranked_plans
from sayso.targets.build.planning.survey import survey_folder
from sayso.targets.build.trying.sandboxed import log_end, run_in
from sayso.targets.build.trying.trying import BUDGET, Tried, try_plans
from sayso.targets.build.trying.using import CHECK

FEWEST = 2


def ours(folder: Path) -> Iterator[tuple[str, Path, Source]]:
    for name, files in PROJECTS.items():
        for path, text in files.items():
            place = folder / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            place.chmod(0o755 if is_program(text) else 0o644)
        yield name, folder / name, read_folder(name, "1", folder / name)


def theirs(sources: Path, folder: Path) -> Iterator[tuple[str, Path, Source]]:
    for package in sorted(sources.iterdir()):
        archives = [
            path for path in package.glob("*.tar.*") if ".debian." not in path.name and not path.name.endswith(".asc")
        ]
        if archives:
            source = read_files(package.name, "1", archives[:1])
            yield package.name, unpack(source, folder / package.name), source


def tried(builder: Builder, top: Path, source: Source, budget: int) -> tuple[Tried, bool, str]:
    ground = survey_folder(top).ground
    found = try_plans(ground, ranked_plans(ground), run_in(builder, source), budget, shorten=budget > 1)
    job = Job(source, found.best.plan.script or ":")
    empty = Path(tempfile.mkdtemp())
    (empty / "x").write_text("x")
    check = Job(read_folder("check", "1", empty), CHECK, (job,))
    built = builder.build(check)
    works = built.succeeded and found.best.ended.succeeded
    return found, works, log_end(built)


def rows(builder: Builder, sources: Path | None, only: Sequence[str]) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        each = [*ours(folder / "ours"), *(theirs(sources, folder / "theirs") if sources else ())]
        for name, top, source in each:
            if only and name not in only:
                continue
            _, alone, _ = tried(builder, top, source, 1)
            found, works, said = tried(builder, top, source, BUDGET)
            yield {
                "name": name,
                "system": found.best.plan.system,
                "first": alone,
                "tried": works,
                "tries": len(found.tries),
                "failures": [
                    one.failure.kind if one.failure else "/".join(one.lacking) or "fine" for one in found.tries
                ],
                "script": found.best.plan.script,
                "said": "" if works else said[-400:],
            }


def open_builder() -> Builder:
    workspace = settings.workspace()
    packages = set_folder(workspace.data) / ROOT
    return Builder(workspace.cache, find_root(packages, workspace.cache) if packages.is_file() else None)


def run(most: int | None = None) -> list[Row]:
    """For `python -m benchmarks`: our own projects; nothing where no sandbox works."""
    try:
        found = list(islice(rows(open_builder(), None, ()), most))
    except SandboxFailed:
        return []
    share = sum(bool(one["tried"]) for one in found)
    return [Row("own projects that a plan builds, after 4 tries", share, "projects", len(found))]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.build_plans", description=__doc__)
    parser.add_argument("--sources", type=Path, help="a folder of upstream archives, a folder a package")
    parser.add_argument("--only", action="append", default=[], help="only these")
    args = parser.parse_args(argv)
    found = []
    for row in rows(open_builder(), args.sources, args.only):
        found.append(row)
        print(json.dumps(row), flush=True)
    for which in ("first", "tried"):
        print(f"{which}: {sum(bool(row[which]) for row in found)} of {len(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
