"""Whether cells do what the asked corpus' own cell does: both run in the sandbox below the same cells, and what they
show, make and change is compared (`inside/pictures.py`). Verdicts are kept in a file, since fits ask again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import sayso
from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits
from sayso.targets.notebook.asked.tried import LOAD, named_in
from sayso.targets.notebook.asked.written import Setting
from sayso.targets.notebook.execute import ENVIRONMENT, PLACE
from sayso.targets.notebook.kernel_packages import FONTS, INSIDE, Kernel

VERSION = 1
"""Counts up when a verdict may change."""
PARTS = (
    "targets/notebook/inside/small_cells.py",
    "targets/notebook/inside/pictures.py",
)
TOGETHER = 60


@dataclass(frozen=True)
class Compared:
    """One phrasing of one ask with the cells that answer it."""

    setting: Setting
    place: int
    request: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """`problems` has a line for each cell, "" where it does the same; `unscored` says why there is none."""

    problems: tuple[str, ...] = ()
    unscored: str = ""

    @property
    def right(self) -> list[bool]:
        return [not one for one in self.problems]


class Comparing:
    """Runs what no file knows yet; the sandbox is opened with the first."""

    def __init__(self, kernel: Kernel, cache: Path, known: Path | None = None) -> None:
        self.kernel, self.cache, self.known = kernel, cache, known
        self.stored: dict[str, Any] = json.loads(known.read_text("utf-8")) if known and known.is_file() else {}

    def verdicts(self, asked: Sequence[Compared]) -> list[Verdict]:
        keys = [self.key(one) for one in asked]
        todo = [at for at, key in enumerate(keys) if self.missing(key, asked[at].cells)]
        order = sorted(todo, key=lambda at: (needs(asked[at]), asked[at].setting.id))
        for start in range(0, len(order), TOGETHER):
            some = order[start : start + TOGETHER]
            new = [self.missing(keys[at], asked[at].cells) for at in some]
            for at, cells, found in zip(some, new, self.run([asked[at] for at in some], new), strict=True):
                entry = self.stored.setdefault(keys[at], {"problems": {}})
                if "unscored" in found:
                    entry["unscored"] = found["unscored"]
                else:
                    entry["problems"] |= dict(zip(cells, found["problems"], strict=True))
            self.keep()
        return [self.verdict(key, one.cells) for key, one in zip(keys, asked, strict=True)]

    def keep(self) -> None:
        if self.known:
            self.known.parent.mkdir(parents=True, exist_ok=True)
            self.known.write_text(json.dumps(self.stored), "utf-8")

    def missing(self, key: str, cells: Sequence[str]) -> list[str]:
        entry = self.stored.get(key, {})
        if "unscored" in entry:
            return []
        return [one for one in dict.fromkeys(cells) if one not in entry.get("problems", {})]

    def verdict(self, key: str, cells: Sequence[str]) -> Verdict:
        entry = self.stored.get(key, {"problems": {}})
        if "unscored" in entry:
            return Verdict(unscored=entry["unscored"])
        return Verdict(tuple(entry["problems"][one] for one in cells))

    def key(self, one: Compared) -> str:
        ask = one.setting.asks[one.place]
        before = [other.code for other in one.setting.before(one.place)]
        parts = [
            str(VERSION),
            self.kernel.digest,
            one.setting.hidden,
            *one.setting.shown,
            *before,
            ask.code,
            one.request,
        ]
        return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:20]

    def run(self, asked: Sequence[Compared], cells: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
        """Each phrasing as a setting of its own: one that dies takes no other with it."""
        from sayso.sandbox.bubblewrap import BubblewrapSandbox

        job = {
            "load": [LOAD[module] for module in sorted({name for one in asked for name in needs(one)})],
            "settings": [as_job(one, some) for one, some in zip(asked, cells, strict=True)],
        }
        sandbox = BubblewrapSandbox(self.cache, None, dict(self.kernel.shown))
        try:
            outcome = sandbox.run(script(self.kernel), put(job), LIMITS)
        finally:
            sandbox.close()
        lines = [json.loads(line) for line in outcome.stdout.splitlines() if line.startswith(b"{")]
        if not lines:
            said = outcome.stderr.decode(errors="replace").strip()[-300:]
            raise SandboxFailed(f"no cell was compared: {said or outcome.stopped}", "`sayso doctor`", reason="sandbox")
        found = {line["number"]: line["asks"] for line in lines}
        return [(found.get(at) or [{"unscored": "not run"}])[0] for at in range(len(asked))]


LIMITS = Limits(cpu_seconds=900, wall_seconds=1200, memory_mb=3072, output_bytes=20_000_000, processes=64)


def needs(one: Compared) -> list[str]:
    codes = [one.setting.hidden, *one.setting.shown, one.setting.asks[one.place].code]
    return named_in("\n".join(codes))


def as_job(one: Compared, cells: Sequence[str]) -> dict[str, Any]:
    before = [other.code for other in one.setting.before(one.place)]
    ask = {
        "before": before,
        "code": one.setting.asks[one.place].code,
        "request": one.request,
        "cells": list(cells),
    }
    return {"hidden": one.setting.hidden, "shown": list(one.setting.shown), "asks": [ask]}


def put(job: dict[str, Any]) -> list[FileSpec]:
    package = Path(sayso.__file__).parent
    program = files("sayso.targets.notebook").joinpath("inside/compared_runner.py").read_bytes()
    return [
        FileSpec("/tmp/compared.json", json.dumps(job).encode()),
        FileSpec(f"{PLACE}/compared_runner.py", program),
        *(FileSpec(f"{PLACE}/sayso/{part}", (package / part).read_bytes()) for part in PARTS),
    ]


def script(kernel: Kernel) -> str:
    told = " ".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    fonts = f"mkdir -p /tmp/matplotlib; cp {INSIDE}/{FONTS}/* /tmp/matplotlib 2>/dev/null"
    return f"{fonts}\nexport {told}\nexec {kernel.python} -S {PLACE}/compared_runner.py /tmp/compared.json\n"
