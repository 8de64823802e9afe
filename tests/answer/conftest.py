"""A tiny instruction language, so that these tests know nothing of Bash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from sayso.core.errors import BadInstruction
from sayso.core.types import (
    Asked,
    Draft,
    Evidence,
    Finding,
    Grain,
    Note,
    Outcome,
    Request,
    Risk,
    Sandbox,
    Target,
)


def normalise(text: str) -> str:
    if "(" in text:
        raise BadInstruction("a bracket", text, text.index("("))
    return text.strip()


def risk(text: str) -> Risk:
    words = text.split()
    if words[:1] == ["delete"]:
        return Risk("destroys", (words[0],))
    return Risk("writes" if words[:1] == ["copy"] else "reads")


def check(text: str) -> list[Finding]:
    unheard = [Finding("no word conjure", known=False)] if "conjure" in text else []
    return [Finding("no flag --magic"), *unheard] if "--magic" in text else unheard


def template(text: str) -> str:
    return text


def split(text: str, grain: Grain) -> list[str]:
    return list(text)


def join(parts: Sequence[str], grain: Grain) -> str:
    return "".join(parts)


def explain(text: str) -> list[Note]:
    return []


def run(text: str, request: Request, sandbox: Sandbox) -> Outcome:
    raise AssertionError("nothing is run here")


def drafts(texts: Sequence[str]) -> list[Draft]:
    return [draft(text) for text in texts]


def draft(text: str) -> Draft:
    problem = "a bracket" if "(" in text else ""
    return Draft(text, text.strip(), risk(text), tuple(check(text)), problem)


def evidence(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    return [tuple(against(asked.request.text, draft.text)) for draft in drafts]


def against(said: str, text: str) -> Iterator[Evidence]:
    if "x.txt" in said and "x.txt" not in text:
        yield Evidence("unused", "does not use x.txt")
    if "delete" in said and text.startswith("list"):
        yield Evidence("not_done", "only looks, where a deed was asked for")


def bars(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    barred = (Evidence("unasked_destruction", "may destroy something, and that was not asked for"),)
    is_old = "old" in asked.request.text
    return [barred if is_old and draft.text.startswith("delete") else () for draft in drafts]


@pytest.fixture(scope="session")
def target() -> Target:
    """Instructions are words; a bracket does not parse, --magic is no flag, `conjure` is not known, `delete` destroys
    and what is old may not be deleted, `copy` writes."""
    return Target(
        "toy", normalise, template, split, join, risk, check, explain, run, drafts, evidence=evidence, bars=bars
    )
