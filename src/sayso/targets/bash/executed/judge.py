"""The comparison behind `executed@k`: verdicts on an example's candidates, kept so that none is run twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sayso import english
from sayso.core.errors import BadInstruction
from sayso.core.files import write_atomically
from sayso.core.types import Example, Sandbox, Unscored
from sayso.targets.bash.executed.equivalence import VERSION, Ready, agreeing, prepare
from sayso.targets.bash.executed.request import departs
from sayso.targets.bash.knowledge.utilities import DATA
from sayso.targets.bash.language import normalise

PROGRAMS = "usr/bin"
HERE = Path(__file__).parent
# What the canonical form is made by, of which a match needs no run, and by which fixtures read a command.
CANONICAL = ("forms", "syntax", "knowledge")


@lru_cache
def judge_name() -> str:
    """Names the judge in signatures: its version, digests of its code with the reading of English, and of the forms."""
    canonical = [path for room in CANONICAL for path in sorted((HERE.parent / room).rglob("*.py"))]
    reading = [*sorted(HERE.glob("*.py")), *sorted(Path(english.__file__).parent.rglob("*.py"))]
    digests = (_digest(reading), _digest([*canonical, DATA]))
    return f"bash-fixtures-v{VERSION},judge:{digests[0]},canonical:{digests[1]}"


def _digest(paths: Sequence[Path]) -> str:
    made = hashlib.sha256()
    for path in paths:
        made.update(f"{path.name}\0".encode() + path.read_bytes())
    return made.hexdigest()[:8]


@dataclass(frozen=True)
class Judge:
    """A reference that cannot be judged by is passed over; an example is unscored when all of its references are so.

    Pickles with its sandbox, so that workers judge on their own.
    """

    sandbox: Sandbox
    cache: Path
    _last: dict[str, list[Ready]] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {"sandbox": self.sandbox, "cache": self.cache, "_last": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def __call__(self, example: Example, texts: Sequence[str]) -> list[bool] | Unscored:
        path = self.cache / "executed" / f"{self._key(example)}.json"
        known = _load(path)
        if "unscored" in known:
            return Unscored(known["unscored"])
        verdicts: dict[str, bool] = known.get("verdicts", {})
        new = [text for text in dict.fromkeys(texts) if text not in verdicts]
        if new or not known:
            ready = self._ready(example, path.stem)
            if isinstance(ready, Unscored):
                _save(path, {"unscored": ready.reason})
                return ready
            found = self._agreeing(example, ready, new)
            # Another worker may have judged the same example meanwhile.
            verdicts = {**_load(path).get("verdicts", {}), **verdicts, **{text: text in found for text in new}}
            _save(path, {"verdicts": verdicts})
        return [verdicts[text] for text in texts]

    def _ready(self, example: Example, key: str) -> list[Ready] | Unscored:
        """The references that can be judged by; those of the last example are at hand."""
        if key not in self._last:
            found = [prepare(example.request.text, reference, self.sandbox) for reference in example.references]
            ready = [reference for reference in found if isinstance(reference, Ready)]
            if not ready:
                return next(reference for reference in found if isinstance(reference, Unscored))
            self._last.clear()
            self._last[key] = ready
        return self._last[key]

    def _agreeing(self, example: Example, ready: Sequence[Ready], texts: Sequence[str]) -> set[str]:
        """What is a reference in other words needs no run; the rest is run until a reference agrees."""
        heeding = [text for text in example.references if not departs(example.request.text, text)]
        forms = {form for reference in heeding if (form := _form(reference))}
        found = {text for text in texts if _form(text) in forms}
        for reference in ready:
            found |= agreeing(reference, [text for text in texts if text not in found], self.sandbox)
        return found

    def _key(self, example: Example) -> str:
        """Everything that a verdict depends on but the candidate; installing a program changes it."""
        root = getattr(self.sandbox, "root", None) or Path("/")
        try:
            stamp = (root / PROGRAMS).stat().st_mtime_ns
        except OSError:
            stamp = 0
        parts = [judge_name(), str(root), str(stamp), example.request.text, *example.references]
        return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:32]


def _form(command: str) -> str:
    try:
        return normalise(command)
    except BadInstruction:
        return ""


def _load(path: Path) -> dict[str, Any]:
    """What was kept; a missing or damaged file is as good as none, for all in it can be made again."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save(path: Path, value: dict[str, Any]) -> None:
    with write_atomically(path) as file:
        file.write(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape"))
