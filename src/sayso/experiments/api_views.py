"""What the networks of Okapi read and write: calls with their values in lower case, and words cut into pieces for T5.

People do not type a name as the call spells it, and a network can copy only what it reads. T5 has no copying: it spells
a value with the pieces of its vocabulary. SentencePiece's are not here, so a rule cuts: two letters a piece.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Example, Request, Translator, Workspace
from sayso.english.stems import STOP_WORDS
from sayso.targets.api.syntax.calls import Call, Filter, Search, parse_call
from sayso.training.jobs import Examples

GOES_ON = "_"
# Names of a schema, keywords and SCAN's actions are one piece.
ONE_PIECE = re.compile(r"[a-z]+(\.[A-Za-z]+)+|[A-Z_]+|event|message|eq|asc|desc")
PAIR = re.compile(r"[a-z]{1,2}|.")


def fold_request(request: Request) -> Request:
    return replace(request, text=request.text.casefold())


def fold_values(text: str) -> str:
    """GET message FILTER message.from eq Ann -> the same with ann; what is no call (SCAN's actions) stays."""
    try:
        call = parse_call(text)
    except BadInstruction:
        return text
    clauses = [
        replace(one, value=one.value.casefold()) if isinstance(one, Filter | Search) else one for one in call.clauses
    ]
    return str(Call(call.resource, tuple(clauses)))


def folded(workspace: Workspace, examples: Examples) -> Examples:
    return {split: [_fold(one) for one in rows] for split, rows in examples.items()}


def _fold(example: Example) -> Example:
    return replace(
        example,
        request=fold_request(example.request),
        references=tuple(fold_values(text) for text in example.references),
    )


def cut_request(request: Request) -> Request:
    return replace(request, text=cut(request.text.casefold()))


def cut(text: str) -> str:
    """show konrad -> show ko _nr _ad"""
    return " ".join(piece for word in text.split() for piece in _pieces(word))


def _pieces(word: str) -> list[str]:
    if word in STOP_WORDS or ONE_PIECE.fullmatch(word):
        return [word]
    first, *rest = PAIR.findall(word)
    return [first, *(GOES_ON + part for part in rest)]


def uncut(text: str) -> str:
    """The inverse of `cut`, but for the width of blanks."""
    return text.replace(f" {GOES_ON}", "")


def in_pieces(workspace: Workspace, examples: Examples) -> Examples:
    return {split: [_cut(_fold(one)) for one in rows] for split, rows in examples.items()}


def _cut(example: Example) -> Example:
    return replace(
        example, request=cut_request(example.request), references=tuple(cut(text) for text in example.references)
    )


@dataclass(frozen=True)
class Uncut:
    """A translator whose answers are put together again."""

    translator: Translator

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        found = self.translator.translate(requests, k)
        return [[replace(one, text=uncut(one.text)) for one in candidates] for candidates in found]


def uncutting(translator: Translator, workspace: Workspace) -> Translator:
    return Uncut(translator)
