"""Calls of a described API as an instruction language: the functions of a `Target` that a description makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sayso.core.errors import BadInstruction, UnknownName
from sayso.core.types import Candidate, Draft, Finding, Followed, Grain, Note, Outcome, Request, Risk, Sandbox
from sayso.targets.api.requests.clock import Clock
from sayso.targets.api.specs.calls import Call, findings, leaves, nested, parse_call, written, wrong
from sayso.targets.api.specs.fill import fill, gathered
from sayso.targets.api.specs.model import Operation
from sayso.targets.api.specs.reader import Reader
from sayso.targets.api.specs.said.spans import Said, said


@dataclass
class Calls:
    """Plain functions over text, with the description that they need."""

    reader: Reader

    def parsed(self, text: str) -> tuple[Call, Operation]:
        call = parse_call(text)
        try:
            return call, self.reader.operation(call.operation)
        except UnknownName as error:
            raise BadInstruction(error.message, text, 0, error.hint) from error

    def normalise(self, text: str) -> str:
        call, _ = self.parsed(text)
        return str(call)

    def template(self, text: str) -> str:
        call, operation = self.parsed(text)
        return " ".join([operation.id, *sorted(path for path, _ in leaves(call.arguments, operation.slots))])

    def split(self, text: str, grain: Grain) -> list[str]:
        return list(text) if grain == "char" else text.split(" ")

    def join(self, parts: Sequence[str], grain: Grain) -> str:
        return ("" if grain == "char" else " ").join(parts)

    def risk(self, text: str) -> Risk:
        """By the method: what reads, what writes, what deletes."""
        try:
            _, operation = self.parsed(text)
        except BadInstruction:
            return Risk("unknown")
        if operation.is_safe:
            return Risk("reads")
        return Risk("destroys" if operation.method == "delete" else "writes", (operation.method.upper(),))

    def check(self, text: str) -> list[Finding]:
        try:
            call, operation = self.parsed(text)
        except BadInstruction as error:
            return [Finding(error.message, max(error.offset, 0), max(error.offset, 0), fatal=True)]
        return findings(call, operation)

    def explain(self, text: str) -> list[Note]:
        try:
            call, operation = self.parsed(text)
        except BadInstruction:
            return []
        what = operation.summary or operation.text or "an operation without description"
        notes = [Note(operation.id, f"{what} ({operation.method.upper()} {operation.path})", 0, len(operation.id))]
        for path, value in leaves(call.arguments, operation.slots):
            slot = operation.find(path)
            told = (slot.text or f"{slot.kind} in the {slot.where}") if slot else "not known to this operation"
            name = path.rpartition(".")[2]
            at = text.find(f'"{name}"')
            notes.append(Note(f"{path} = {value}", told, at, at + len(name) + 2 if at >= 0 else -1))
        return notes

    def run(self, text: str, request: Request, sandbox: Sandbox) -> Outcome:
        raise BadInstruction("calls of an API are sent by `sayso api --spec FILE --send`, not run", text)

    def draft(self, texts: Sequence[str]) -> list[Draft]:
        return [self.drafted(text) for text in texts]

    def drafted(self, text: str) -> Draft:
        try:
            return Draft(text, self.normalise(text), self.risk(text), tuple(self.check(text)))
        except BadInstruction as error:
            return Draft(text, text, Risk("unknown"), tuple(self.check(text)), error.message)

    def follow(self, instruction: str, words: str, before: Sequence[str]) -> Followed:
        """Values that are said after an answer take the place of its own, or come beside them."""
        low = words.casefold().strip(" .!")
        if low in ("undo", "undo that", "undo it", "go back", "back"):
            if not before:
                return Followed((), "there is nothing to undo")
            return Followed((Candidate(before[-1], 1.0, ("as it was before",)),), undone=True)
        call, operation = self.parsed(instruction)
        given = dict(leaves(call.arguments, operation.slots))
        cut = said(words, Clock(datetime.now(UTC), UTC))
        found = fill(cut, operation, self.reader.slot_weights, self.reader.reads)
        named = [
            one
            for one in given
            if low.startswith(("without ", "no ", "drop ", "remove "))
            and any(word in low.split() for word in one.replace("_", " ").split("."))
        ]
        if named:
            for path in named:
                del given[path]
            return Followed(
                (
                    Candidate(
                        written(operation.id, nested(given, operation.body_many)), 1.0, (f"without {', '.join(named)}",)
                    ),
                )
            )
        values = gathered(found.chosen, operation) or instead(cut, operation, given)
        if not values:
            return Followed((), f"nothing in this is a value of {operation.id}")
        given |= values
        text = written(operation.id, nested(given, operation.body_many))
        return Followed((Candidate(text, 1.0, (", ".join(f"{path} is {value}" for path, value in values.items()),)),))


def instead(cut: Said, operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    """`make it 20`: a bare number or name takes the place of the one argument that it could be; of two, of none."""
    kinds = {"number": "number", "counted": "number", "quoted": "text", "id": "text", "name": "text"}
    bare = {(kinds[one.kind], one.value) for one in cut.spans if one.kind in kinds}
    if len(bare) != 1:
        return {}
    kind, value = bare.pop()
    slots = [slot for path in given if (slot := operation.find(path)) is not None and not slot.many]
    able = [slot for slot in slots if (slot.kind in ("integer", "number")) == (kind == "number")]
    able = [slot for slot in able if not slot.enum and not slot.format and not wrong(slot, value)]
    return {able[0].path: value} if len(able) == 1 else {}
