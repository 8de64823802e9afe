"""Asked cells run in the sandbox: many settings in one run, since a kernel for each would take hours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import sayso
from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits
from sayso.targets.notebook.asked.written import Setting
from sayso.targets.notebook.execute import ENVIRONMENT, PLACE
from sayso.targets.notebook.kernel_packages import INSIDE, PYTHON, Kernel

LOAD = {
    "statsmodels": "statsmodels.api", "sklearn": "sklearn.linear_model", "seaborn": "seaborn", "scipy": "scipy.stats",
    "matplotlib": "matplotlib.pyplot", "pandas": "pandas", "numpy": "numpy",
}  # fmt: skip
"""What is loaded once for many settings, where one of them names it: children of a small process begin sooner."""
PARTS = (
    "core/types.py",
    "core/progress.py",
    "targets/notebook/hand/namespace.py",
    "targets/notebook/inside/small_cells.py",
)
"""Of this package, what the program inside reads."""
TOGETHER = 24
NOT_RUN = "not run"


@dataclass(frozen=True)
class Tried:
    """What came of one ask: `status` is ran, fails, does nothing, above fails, died or not run."""

    status: str
    error: str = ""
    names: tuple[str, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()
    """The first line of each table beside the notebook."""


def try_settings(settings: Sequence[Setting], kernel: Kernel, cache: Path) -> Iterator[list[Tried]]:
    """What came of each setting's asks, in their order."""
    from sayso.sandbox.bubblewrap import BubblewrapSandbox

    sandbox = BubblewrapSandbox(cache, None, dict(kernel.shown))
    try:
        results: dict[int, list[Tried]] = {}
        order = sorted(range(len(settings)), key=lambda place: needs(settings[place]))
        for start in range(0, len(order), TOGETHER):
            some = order[start : start + TOGETHER]
            found = run([settings[place] for place in some], sandbox)
            results |= {place: [*tried(settings[place], found.get(at, []))] for at, place in enumerate(some)}
        yield from (results[place] for place in range(len(settings)))
    finally:
        sandbox.close()


def try_anew(settings: Sequence[Setting], kernel: Kernel, cache: Path, known: Path) -> list[list[Tried]]:
    """The same, but for settings whose results the file `known` has."""
    stored: dict[str, Any] = json.loads(known.read_text("utf-8")) if known.is_file() else {}
    keys = [hashlib.sha256(json.dumps(as_job(one)).encode()).hexdigest()[:16] for one in settings]
    missing = sorted(
        {key: one for key, one in zip(keys, settings, strict=True) if key not in stored}.items(), key=needed
    )
    for start in range(0, len(missing), TOGETHER):
        some = missing[start : start + TOGETHER]
        found = try_settings([one for _, one in some], kernel, cache)
        stored |= {key: [asdict(one) for one in each] for (key, _), each in zip(some, found, strict=True)}
        known.write_text(json.dumps(stored), "utf-8")
    return [[read_tried(one) for one in stored[key]] for key in keys]


def read_tried(one: Mapping[str, Any]) -> Tried:
    tables = tuple((name, line) for name, line in one["tables"])
    return Tried(one["status"], one["error"], tuple(one["names"]), tables)


def run(settings: Sequence[Setting], sandbox: Any) -> dict[int, list[Any]]:
    named = {module for one in settings for module in needs(one)}
    job = {"load": [LOAD[module] for module in named], "settings": [as_job(one) for one in settings]}
    package = Path(sayso.__file__).parent
    program = files("sayso.targets.notebook").joinpath("inside/asked_runner.py").read_bytes()
    put = [
        FileSpec("/tmp/asked.json", json.dumps(job).encode()),
        FileSpec(f"{PLACE}/asked_runner.py", program),
        *(FileSpec(f"{PLACE}/sayso/{part}", (package / part).read_bytes()) for part in PARTS),
    ]
    told = " ".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    script = f"export {told}\nexec {PYTHON} -S {PLACE}/asked_runner.py /tmp/asked.json\n"
    limits = Limits(cpu_seconds=600, wall_seconds=900, memory_mb=3072, output_bytes=20_000_000, processes=64)
    outcome = sandbox.run(script, put, limits)
    lines = [json.loads(line) for line in outcome.stdout.splitlines() if line.startswith(b"{")]
    if not lines:
        said = outcome.stderr.decode(errors="replace").strip()[-300:]
        raise SandboxFailed(f"no cell was tried: {said or outcome.stopped}", "`sayso doctor`", reason="sandbox")
    return {line["number"]: line["asks"] for line in lines}


def needs(one: Setting) -> list[str]:
    return named_in("\n".join([one.hidden, *one.shown, *(ask.code for ask in one.asks)]))


def needed(one: tuple[str, Setting]) -> list[str]:
    return needs(one[1])


def named_in(text: str) -> list[str]:
    """What of `LOAD` a text names."""
    return [module for module in LOAD if module in text or (module == "matplotlib" and ".plot" in text)]


def as_job(one: Setting) -> dict[str, Any]:
    asks = [
        {"before": [other.code for other in one.before(place)], "code": ask.code} for place, ask in enumerate(one.asks)
    ]
    return {"hidden": one.hidden, "shown": list(one.shown), "asks": asks}


def tried(one: Setting, found: Sequence[Any]) -> Iterator[Tried]:
    if found and "setting" in found[0]:
        yield from (Tried("above fails", found[0]["setting"]) for _ in one.asks)
        return
    for place in range(len(one.asks)):
        words: dict[str, Any] = found[place] if place < len(found) else {"status": NOT_RUN}
        yield Tried(
            words["status"],
            words.get("error", ""),
            tuple(words.get("names", ())),
            tuple(words.get("tables", {}).items()),
        )


def packages_of(folder: Path) -> Kernel:
    """A folder of packages of the sandbox's own Python, where more is needed than the pinned ones."""
    return Kernel(PYTHON, {INSIDE: folder}, "given")
