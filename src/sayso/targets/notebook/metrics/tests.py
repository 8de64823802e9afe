"""`tests@k`: 1 when one of the first k candidates passes the assignment's own tests, run below its context.

A cell passes when it raises nothing and the assert cells below it raise nothing. An example is unscored only where its
own reference fails or a blank cell passes, which is found by running both. What each cell was refused for is kept in
the cache, one file an example, so that nothing runs twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.files import write_atomically
from sayso.core.types import Candidate, Example, Metric, Sandbox, Score, Unscored, Workspace
from sayso.metrics.average import Pooling, mean_score
from sayso.targets.notebook.execute import LIMITS, VERSION, CellLimits, CellRun, run_cells
from sayso.targets.notebook.kernel_packages import Kernel, fetched
from sayso.targets.notebook.metrics.frame import ByAssignment
from sayso.targets.notebook.syntax.canonical import parse
from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.python2 import to_python3

BLANK = "pass"
NO_TESTS = Unscored("no tests")
REFERENCE_FAILS = "the reference fails the tests"
BLANK_PASSES = "a blank cell passes the tests"
GIVEN = "boilerplate"
"""The name of a piece of context that stood in the target's cell."""

Passes = Callable[[Example, Sequence[str]], Sequence[bool] | Unscored]


@dataclass(frozen=True)
class Tests:
    """`passes` may raise SandboxFailed, which is unscored and never wrong."""

    name: str
    k: int
    passes: Passes
    passes_name: str
    together: int = 1
    """Candidates that are asked for at a time, where it costs less to run several than to run twice."""

    pooling: ClassVar[Pooling] = "mean"
    __test__: ClassVar[bool] = False

    @property
    def signature(self) -> str:
        return f"tests|k:{self.k}|cells:{self.passes_name}|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        if "tests" not in example.meta:
            return NO_TESTS
        verdicts = self.passes(example, [one.text for one in candidates[: max(self.k, self.together)]])
        return verdicts if isinstance(verdicts, Unscored) else int(any(verdicts[: self.k]))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


def graded_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """None without a sandbox; without the kernel's packages what has tests is unscored, with what to do about it."""
    if workspace.sandbox is None:
        return ()
    try:
        kernel = fetched(workspace.cache)
    except MissingPart as error:
        return of_each_k(NoKernel(error.message, error.hint), "none")
    return of_each_k(Grader(workspace.sandbox, workspace.cache, kernel), grader_name(kernel))


def needed_graded_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """The same where nothing else is scored: raises MissingPart without the kernel's packages."""
    if workspace.sandbox is not None:
        fetched(workspace.cache)
    return graded_metrics(workspace)


def of_each_k(passes: Passes, name: str, together: int = 1) -> tuple[Metric[Any], ...]:
    return tuple(ByAssignment(Tests(f"tests@{k}", k, passes, name, together)) for k in (1, 5))


def grader_name(kernel: Kernel, limits: CellLimits = LIMITS) -> str:
    return f"ipykernel-v{VERSION}-{kernel.digest[:12]}-{limits.cpu_seconds:g}s-{limits.memory_mb}MB"


@dataclass(frozen=True)
class NoKernel:
    """Stands where no cell can be run."""

    message: str
    hint: str

    def __call__(self, example: Example, texts: Sequence[str]) -> Unscored:
        raise SandboxFailed(self.message, self.hint, reason="sandbox without kernel: run `sayso data get kernel`")


@dataclass(frozen=True)
class Grader:
    """Verdicts on cells. Pickles with its sandbox, so that workers grade on their own."""

    sandbox: Sandbox
    cache: Path
    kernel: Kernel
    limits: CellLimits = LIMITS

    def __call__(self, example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
        path = self.cache / "notebook-tests" / f"{self.key(example)}.json"
        known = load(path)
        if not known:
            known = self.examined(example)
            save(path, known)
        if "unscored" in known:
            return Unscored(known["unscored"])
        problems: dict[str, str] = known["problems"]
        new = {text: self.problem(example, text) for text in dict.fromkeys(texts) if text not in problems}
        if new:
            # Another worker may have graded the same example meanwhile.
            problems = {**load(path).get("problems", {}), **problems, **new}
            save(path, {"id": example.id, "problems": problems})
        return [not problems[text] for text in texts]

    def examined(self, example: Example) -> dict[str, Any]:
        """Whether the tests can tell the reference from nothing."""
        reference = example.meta.get("runnable") or example.references[0]
        if why := self.problem(example, reference):
            return {"id": example.id, "unscored": REFERENCE_FAILS, "why": why}
        if not (why := self.problem(example, BLANK)):
            return {"id": example.id, "unscored": BLANK_PASSES}
        return {"id": example.id, "problems": {reference: "", BLANK: why}}

    def problem(self, example: Example, text: str) -> str:
        """Why a cell does not pass, in one line; "" where it does."""
        return first_problem(self.run(example, text), *places(example))

    def run(self, example: Example, text: str) -> tuple[CellRun, ...]:
        """The cells above, the text in the place of the target, the cells below up to the last assert."""
        above = code_above(example)
        cells = [*above, text, *code_below(example)]
        return run_cells(cells, len(above), self.sandbox, self.kernel, files_of(example), self.limits).cells

    def key(self, example: Example) -> str:
        """Everything that a verdict depends on but the candidate."""
        meta = [example.meta.get(name, "") for name in ("runnable", "tests", "asserts", "files")]
        parts = [grader_name(self.kernel, self.limits), self.kernel.digest, *code_above(example), *meta]
        return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]


def code_above(example: Example) -> list[str]:
    """Without what was given in the cell itself, where the candidate now stands."""
    code = (piece for piece in example.request.context if piece.kind == "code" and piece.name != GIVEN)
    return [in_python3(piece.text) for piece in code]


def code_below(example: Example) -> list[str]:
    return [in_python3(cell) for cell in json.loads(example.meta["tests"])]


@lru_cache(maxsize=256)
def in_python3(cell: str) -> str:
    """Cells around a target are converted as targets are: only where they are no Python 3, and else left alone."""
    code = without_magics(cell)
    try:
        parse(code)
    except SyntaxError:
        return to_python3(code) or cell
    return cell


def places(example: Example) -> tuple[int, list[int]]:
    """Where the candidate stands, and where the asserts."""
    place, below = len(code_above(example)), len(code_below(example))
    asserts = json.loads(example.meta.get("asserts", "null"))
    return place, [place + 1 + number for number in (range(below) if asserts is None else asserts)]


def files_of(example: Example) -> dict[str, str]:
    """Data that lies beside the notebook: name -> text."""
    found: dict[str, Any] = json.loads(example.meta.get("files", "{}"))
    return {name: file["text"] if isinstance(file, dict) else str(file) for name, file in found.items()}


def first_problem(cells: Sequence[CellRun], place: int, asserts: Sequence[int]) -> str:
    return next((cells[one].told(one + 1) for one in (place, *asserts) if cells[one].status != "ok"), "")


def load(path: Path) -> dict[str, Any]:
    """What was kept; a missing or damaged file is as good as none, for all in it can be made again."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and ("problems" in found or "unscored" in found) else {}


def save(path: Path, value: dict[str, Any]) -> None:
    with write_atomically(path) as file:
        file.write(json.dumps(value).encode())
