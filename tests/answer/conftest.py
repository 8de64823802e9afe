"""A tiny instruction language, so that these tests know nothing of Bash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from sayso.core.errors import BadInstruction
from sayso.core.types import Doubt, Finding, Grain, Note, Outcome, Request, Risk, Sandbox, Target


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


def doubts(request: Request, text: str) -> Iterator[Doubt]:
    if "x.txt" in request.text and "x.txt" not in text:
        yield Doubt(0.85, "does not use x.txt")
    if "old" in request.text and text.startswith("delete"):
        yield Doubt(0.1, "may destroy something, and that was not asked for", "barred")
    if "delete" in request.text and text.startswith("list"):
        yield Doubt(0.4, "only looks, where a deed was asked for", "unfit")


@pytest.fixture(scope="session")
def target() -> Target:
    """Instructions are words; a bracket does not parse, --magic is no flag, `conjure` is not known, `delete` destroys
    and what is old may not be deleted, `copy` writes."""
    return Target("toy", normalise, template, split, join, risk, check, explain, run, doubts)
