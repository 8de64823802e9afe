"""What the maintainers say for each stage, from the set itself: the upper end of every scale, and no system's business.

Only the `gold` system, its stages and the metrics read this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Request
from sayso.targets.build.evaluation.requests import id_of, name_in
from sayso.targets.build.evaluation.sets import FILE, LARGEST, read_set, set_folder


@dataclass(frozen=True)
class Maintainers:
    """A stage that looks its answer up by the package that a request names; None where the set has no such package."""

    data: Path
    stage: str

    def __call__(self, request: Request, before: Mapping[str, str]) -> str | None:
        return self.answers.get(name_in(request))

    @cached_property
    def answers(self) -> Mapping[str, str]:
        folder = set_folder(self.data)
        known = read_set(folder)
        if self.stage == "script":
            return {package.name: package.script for package in known.tests}
        if self.stage == "depends":
            return {one.name: "\n".join(f"build {need}" for need in one.needs) for one in known.tests}
        rows: list[dict[str, Any]] = parse_json(read_plain(folder / FILE, LARGEST))["T"]
        try:
            return {row["name"]: "\n".join(dict.fromkeys(self.places(row))) for row in rows}
        except (KeyError, TypeError, AttributeError) as error:
            raise BadFile(f"{folder / FILE} does not say which lines are behind a script: {error!r}") from error

    def places(self, row: Mapping[str, Any]) -> list[str]:
        """The documents behind a script, or the lines in them: `path` or `path:line`."""
        found = [one for one in row.get("justification", ()) if isinstance(one, dict) and one.get("file")]
        if self.stage == "documents":
            return [one["file"] for one in found]
        return [f"{one['file']}:{one['line']}" for one in found if one.get("line")]

    def example_of(self, script: str) -> str | None:
        """The id of an example whose reference a script is."""
        return next((id_of(name) for name, text in self.answers.items() if text == script), None)
