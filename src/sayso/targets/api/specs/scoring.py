"""Calls of described APIs held against what was asked for: the operation, the call, the call as a server reads it.

`exact` compares as each set says it is to be: ours without defaults, order of lists and case of free text; BFCL by its
lists of accepted values, texts without blanks and punctuation; ToolAlpaca without empty values, defaults and case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sayso.core.errors import SaysoError
from sayso.core.types import Candidate, Example, Score, Unscored
from sayso.metrics.average import Pooling, mean_score
from sayso.targets.api.specs.calls import leaves, missing, parse_call
from sayso.targets.api.specs.described import api_of_request
from sayso.targets.api.specs.model import Operation

NOTHING_ASKED = Unscored("no operation is asked for")
LOOSE = re.compile(r"[ ,./\-_*^]")


def operation_of(example: Example, name: str) -> Operation | None:
    return api_of_request(example.request).find(name)


def is_right(example: Example, text: str) -> bool:
    """Whether a call is one of those that are accepted."""
    try:
        call = parse_call(text)
    except SaysoError:
        return False
    wanted = [parse_call(one) for one in example.references]
    operation = operation_of(example, call.operation)
    if operation is None or call.operation != wanted[0].operation:
        return False
    match example.meta["kind"]:
        case "bfcl":
            body = call.arguments.get("body", {})
            return isinstance(body, dict) and accepted(body, json.loads(example.meta["accepted"]))
        case "toolalpaca":
            return bare(call.arguments, operation) == bare(wanted[0].arguments, operation)
        case _:
            given = dict(leaves(call.arguments, operation.slots))
            if asked := json.loads(example.meta["missing"]):
                return sorted(missing(operation, given)) == sorted(asked)
            return plain(given, operation) in [
                plain(dict(leaves(one.arguments, operation.slots)), operation) for one in wanted
            ]


def plain(given: Mapping[str, Any], operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, value in given.items():
        slot = operation.find(path)
        if value == {} or (slot is not None and slot.default is not None and value == slot.default):
            continue
        if isinstance(value, str) and slot is not None and not (slot.enum or slot.pattern or slot.format):
            value = value.casefold().strip("\"'").rstrip(".")
        found[path] = sorted(map(str, value)) if isinstance(value, list) else value
    return found


def accepted(given: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    """As BFCL checks a call: every value in its list, "" in a list where it may be left out."""
    for name, values in truth.items():
        options = values if isinstance(values, list) else [values]
        if name not in given:
            if "" not in options:
                return False
        elif not any(same(given[name], one) for one in options):
            return False
    return not set(given) - set(truth)


def same(found: Any, wanted: Any) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return LOOSE.sub("", found).casefold() == LOOSE.sub("", wanted).casefold()
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, dict) and isinstance(wanted, dict):
        return accepted(found, wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(same(one, other) for one, other in zip(found, wanted, strict=True))
    return bool(found == wanted)


def bare(arguments: Mapping[str, Any], operation: Operation) -> dict[str, str]:
    """Arguments by name alone, wherever they stand, without what says nothing."""
    defaults = {slot.path.removeprefix("body."): slot.default for slot in operation.slots}
    found = {}
    for path, value in leaves(arguments, ()):
        name = path.removeprefix("body.")
        if value not in ("", None, [], {}) and value != defaults.get(name):
            found[name] = json.dumps(value, ensure_ascii=False, sort_keys=True).strip('"').casefold()
    return found


@dataclass(frozen=True)
class RightCall:
    """The first call is right; where none is asked for, an abstention is."""

    name: str = "exact"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "call|k:1|accepted:as-published|abstention:right-where-nothing-fits|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return self.measure_answer(example, candidates, not candidates)

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> int | Unscored:
        if not example.references:
            return int(abstained)
        return int(bool(candidates) and not abstained and is_right(example, candidates[0].text))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


@dataclass(frozen=True)
class RightOperation:
    """The first call names the right operation, whether or not the system then abstains."""

    name: str = "operation"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "operation|k:1|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        if not example.references:
            return NOTHING_ASKED
        wanted = parse_call(example.references[0]).operation
        return int(bool(candidates) and candidates[0].text.split(" ", 1)[0] == wanted)

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


@dataclass(frozen=True)
class Abstained:
    """The share of requests that get no answer: high is right where nothing fits, low elsewhere."""

    name: str = "abstained"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "abstained|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return self.measure_answer(example, candidates, not candidates)

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> int | Unscored:
        return int(abstained or not candidates)

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)


@dataclass(frozen=True)
class ServerReads:
    """The request, sent over HTTP to the mock server of its description, is taken, and read there as a right call."""

    name: str = "executed"

    pooling: ClassVar[Pooling] = "mean"

    @property
    def signature(self) -> str:
        return "executed|k:1|server:mock-of-the-spec|v:1"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int | Unscored:
        return self.measure_answer(example, candidates, not candidates)

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> int | Unscored:
        from sayso.targets.api.specs.mocked import read_by_server

        if not example.references:
            return int(abstained)
        if abstained or not candidates:
            return 0
        if json.loads(example.meta["missing"]):
            return int(is_right(example, candidates[0].text))  # nothing is sent before the rest is said
        read = read_by_server(api_of_request(example.request), candidates[0].text)
        return int(read is not None and is_right(example, read))

    def reduce(self, stats: Sequence[int | Unscored]) -> Score:
        return mean_score(self.name, self.signature, stats)
