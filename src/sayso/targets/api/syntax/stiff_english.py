"""A call said in stiff English: the canonical utterance that annotators were shown (Okapi §3.1, figure 2)."""

from __future__ import annotations

from sayso.targets.api.syntax.calls import Call, Clause, Count, Filter, OrderBy, Search, Select, Top
from sayso.targets.api.syntax.schema import domain_of, schema

COMPARED = {
    "eq": "", "ne": "not ", "gt": "after ", "ge": "from ", "lt": "before ", "le": "up to ",
    "contains": "contains ", "lacks": "without ", "startswith": "starts with ", "endswith": "ends with ",
}  # fmt: skip


def canonical_utterance(call: Call) -> str:
    """GET message FILTER message.isRead eq False TOP 5 -> Request: emails. is read: False. top: 5."""
    domain = domain_of(call.resource)
    asked = schema(domain).resources[call.resource] if domain else call.resource
    return " ".join([f"Request: {asked}.", *(f"{_said(clause)}." for clause in call.clauses)])


def _said(clause: Clause) -> str:
    match clause:
        case Filter(name, operator, value):
            return f"{_name(name)}: {COMPARED[operator]}{value}"
        case Search(value):
            return f"search: {value}"
        case OrderBy(name, direction):
            return f"order by: {_name(name)}, {'ascending' if direction == 'asc' else 'descending'}"
        case Top(number):
            return f"top: {number}"
        case Select(name):
            return f"show: {_name(name)}"
        case Count():
            return "count: the number of results"


def _name(name: str) -> str:
    """message.hasAttachments -> has attachments"""
    short = name.rpartition(".")[2]
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in short)


def edit_distance(one: str, other: str) -> int:
    """Levenshtein's, over characters."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]
