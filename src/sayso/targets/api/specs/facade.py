"""What apps ask of a described API, in one record: answers, lists, checks, shapes, sending, teaching."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.core.given import parse_json
from sayso.core.progress import Progress, silent
from sayso.core.types import Finding, System
from sayso.targets.api.specs.calls import written
from sayso.targets.api.specs.language import Calls
from sayso.targets.api.specs.reader import Reader
from sayso.targets.api.specs.shapes import Http, every_shape, http_of
from sayso.targets.api.specs.store import open_spec
from sayso.targets.api.specs.system import system_of
from sayso.targets.api.specs.teaching import Taught

if TYPE_CHECKING:
    from sayso.targets.api.specs.sending import Answer


@dataclass
class Spec:
    path: Path
    reader: Reader
    taught: tuple[Taught, ...] = ()

    @property
    def system(self) -> System:
        return system_of(self.reader)

    @property
    def calls(self) -> Calls:
        return Calls(self.reader)

    def shapes(self, call: str) -> dict[str, object]:
        parsed, operation = self.calls.parsed(call)
        return every_shape(self.reader.api, operation, parsed)

    def http(self, call: str) -> Http:
        parsed, operation = self.calls.parsed(call)
        return http_of(self.reader.api, operation, parsed)

    def send(self, http: Http, secret: Callable[[str], str | None]) -> Answer:
        """To the description's own server; whoever calls this has asked."""
        from sayso.targets.api.specs.sending import send

        return send(http, secret)

    def problems(self) -> list[str]:
        """What the standard's own validator says of the description, a few lines at the most."""
        from sayso.targets.api.specs.validating import problems

        return problems(self.path)

    def check(self, call: str) -> list[Finding]:
        return self.calls.check(call)

    def listing(self) -> list[dict[str, Any]]:
        return [
            {
                "operation": one.id,
                "method": one.method.upper(),
                "path": one.path,
                "summary": one.summary,
                "takes": [slot.path for slot in one.slots],
                "required": [slot.path for slot in one.slots if slot.required and not slot.under],
            }
            for one in self.reader.api.operations
        ]


def open_api(path: Path, cache: Path, progress: Progress = silent, taught: Path | None = None) -> Spec:
    """A description by its file, made ready once; `taught` is the file that holds what was taught of it."""
    examples = tuple(read_taught(taught)) if taught else ()
    return Spec(path, open_spec(path, cache, progress, examples), examples)


def read_taught(path: Path) -> list[Taught]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    found = []
    for at, line in enumerate(lines, 1):
        try:
            row = parse_json(line)
            found.append(Taught(str(row["request"]), str(row["call"])))
        except (ValueError, KeyError, TypeError) as error:
            raise BadFile(f"{path}:{at} is no taught example", f"delete the line, or the file: {path}") from error
    return found


def teach(
    path: Path, cache: Path, where: Path, request: str, call: str, progress: Progress = silent
) -> Mapping[str, Any]:
    """Adds an example, learns anew, and says how many of the examples known so far are answered before and after."""
    before = open_api(path, cache, progress, where)
    normal = before.calls.normalise(call)
    wrong = [one.message for one in before.check(normal)]
    examples = [*[one for one in before.taught if one.request != request], Taught(request, normal)]
    where.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(where, 0o600) as file:
        file.write("".join(json.dumps(vars(one)) + "\n" for one in examples).encode())
    after = open_api(path, cache, progress, where)
    rows = [
        {
            "request": one.request,
            "call": one.call,
            "before": answer(before, one.request),
            "after": answer(after, one.request),
        }
        for one in examples
    ]
    return {
        "examples": rows,
        "right_before": sum(row["before"] == row["call"] for row in rows),
        "right_after": sum(row["after"] == row["call"] for row in rows),
        "findings": wrong,
    }


def answer(spec: Spec, request: str) -> str:
    found = spec.reader.read(request, None, 1)
    return written(found[0].operation.id, found[0].filled.arguments) if found else ""


def serve_mock(spec: Spec) -> Any:
    from sayso.targets.api.specs.mock import mock_app

    return mock_app(spec.reader.api)
