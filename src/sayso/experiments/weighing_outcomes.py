"""What every source of Bash answers proposes for requests that it has not seen, and what came of running it.

`python -m sayso.experiments.weighing_outcomes DATA CACHE OUT [--set NAME]…` appends a line a request to OUT/NAME.jsonl:
{"id", "request", "described", SOURCE…, "told", "verdicts", "unscored"}, a candidate being [text, score, why]; `told`
is how likely the request is told back by each text.
Sets: `asked` (the corpus written for this alone: fitted on), `asked-form` (the same by canonical form, much quicker),
`nl2bash` (by canonical form) and `everyday` (dev: fitted
on crossed, chosen by), `fresh-dev` and `steps` (dev: chosen by), `elsewhere` (no command answers). What OUT holds is
not asked again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sayso.answer.rerank import Combined
from sayso.answer.verify import POOL
from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.progress import Progress, silent
from sayso.core.types import Candidate, Example, Request, Sandbox, Unscored, Workspace
from sayso.experiments.fit_rerank import canonical
from sayso.sandbox import open_sandbox
from sayso.targets.bash.cookbook import recipes
from sayso.targets.bash.corpus.asked.pairs import WEIGHING, load_asked
from sayso.targets.bash.corpus.nl2bash import load
from sayso.targets.bash.everyday.entries import Entry, evaluate, load_everyday
from sayso.targets.bash.executed.judge import Judge
from sayso.targets.bash.systems.combined import best_system
from sayso.targets.bash.tasks import BASH

SOURCES = ("steps", "quick", "recalled", "model")
SETS = ("asked", "asked-form", "nl2bash", "everyday", "fresh-dev", "steps", "elsewhere")
STEP_REQUESTS = Path(__file__).parents[3] / "benchmarks" / "step_requests"
Verdicts = dict[str, bool] | Unscored
Judging = Callable[[Sequence[str]], Verdicts]
"""Which of some commands do what was asked."""


@dataclass(frozen=True)
class Trial:
    """A request, and who says what its answers are worth."""

    id: str
    request: str
    judging: Judging


def trials(name: str, here: Workspace, sandbox: Sandbox) -> Iterator[Trial]:
    judge = Judge(sandbox, here.cache)
    if name in ("asked", "asked-form"):
        judging = partial(by_reference, judge=judge) if name == "asked" else by_form
        # By digest, so that those of all writers come early.
        for pair in sorted(load_asked(WEIGHING), key=lambda pair: pair.digest):
            yield Trial(pair.id, pair.request, judging(Example(pair.id, Request(pair.request), (pair.command,))))
    elif name == "nl2bash":
        for one in load(here, "dev"):
            yield Trial(one.id, one.request.text, by_form(one))
    elif name == "elsewhere":
        lines = (recipes.FOLDER / "_elsewhere.txt").read_text(encoding="utf-8").splitlines()
        for text in (line for line in lines if line and not line.startswith("#")):
            yield Trial(f"elsewhere:{text}", text, lambda texts: dict.fromkeys(texts, False))
    else:
        entries = {
            "everyday": partial(load_everyday, "dev"),
            "fresh-dev": partial(load_everyday, "fresh-dev"),
            "steps": partial(load_everyday, "dev", STEP_REQUESTS),
        }
        for entry in entries[name]():
            yield Trial(entry.id, entry.request, by_check(entry, sandbox))


def by_reference(example: Example, judge: Judge) -> Judging:
    def judged(texts: Sequence[str]) -> Verdicts:
        found = judge(example, texts)
        return found if isinstance(found, Unscored) else dict(zip(texts, found, strict=True))

    return judged


def by_form(example: Example) -> Judging:
    """Right is what has the canonical form of a reference; nothing is run."""
    wanted = {canonical(command) for command in example.references}
    return lambda texts: {text: canonical(text) in wanted for text in texts}


def by_check(entry: Entry, sandbox: Sandbox) -> Judging:
    def judged(texts: Sequence[str]) -> Verdicts:
        found: dict[str, bool] = {}
        for text in texts:
            verdict = evaluate(entry, text, sandbox)
            if isinstance(verdict, Unscored):
                return verdict
            found[text] = verdict
        return found

    return judged


def proposed(system: Combined, request: str) -> dict[str, Any]:
    """What each source says, all asked, whatever recipes are sure of."""
    asked = system.target.read(Request(request))
    found = {
        "quick": system.quick.translate([asked.request], POOL)[0],
        "steps": system.in_steps(asked, BASH.draft),
        "recalled": system.in_memory(asked),
        "model": system.model(asked, "first").translate([asked.request], POOL)[0],
    }
    return {"described": system.described(asked.request), **{name: as_rows(some) for name, some in found.items()}}


def as_rows(candidates: Sequence[Candidate]) -> list[list[Any]]:
    return [[one.text, one.score, list(one.why)] for one in candidates]


def outcome(system: Combined, trial: Trial) -> dict[str, Any]:
    said = proposed(system, trial.request)
    texts = list(dict.fromkeys(row[0] for name in SOURCES for row in said[name]))
    try:
        verdicts = trial.judging(texts)
    except SandboxFailed:
        verdicts = Unscored("the sandbox failed")
    known = {"verdicts": {}, "unscored": verdicts.reason} if isinstance(verdicts, Unscored) else {"verdicts": verdicts}
    told = system.tells(Request(trial.request), texts) if system.tells else []
    back = {text: round(much, 3) for text, much in zip(texts, told, strict=False)}
    return {"id": trial.id, "request": trial.request, **said, "told": back, "unscored": "", **known}


def collect(name: str, here: Workspace, sandbox: Sandbox, out: Path, progress: Progress = silent) -> int:
    """Lines that were added."""
    system = best_system(BASH, here).translator
    if not isinstance(system, Combined):
        raise MissingPart("there is no trunk whose answers could be weighed", "install sayso whole, with onnxruntime")
    path = out / f"{name}.jsonl"
    known = (
        {json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()} if path.exists() else set()
    )
    left = [trial for trial in trials(name, here, sandbox) if trial.id not in known]
    with path.open("a", encoding="utf-8") as file:
        for at, trial in enumerate(left, 1):
            file.write(f"{json.dumps(outcome(system, trial), ensure_ascii=False)}\n")
            file.flush()
            progress(f"requests of {name}", at, len(left))
    return len(left)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--set", action="append", choices=SETS)
    args = parser.parse_args(argv)
    sandbox = open_sandbox(args.cache)
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.set or SETS:
        added = collect(name, Workspace(args.data, args.cache, sandbox), sandbox, args.out)
        print(f"{name}: {added} added", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
