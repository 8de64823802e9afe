"""Bash one-liners read as text: parse, canonical form, template, grains, risk (NL2Bash §2)."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.types import Finding, Grain, Note, Risk
from sayso.targets.bash._parse import parse
from sayso.targets.bash._risk import risk_of
from sayso.targets.bash._template import template_of


def normalise(command: str) -> str:
    parse(command)
    return command.strip()


def template(command: str) -> str:
    """The command with arguments replaced by their types: `find . -name '*.c'` -> `find Path -name Regex`."""
    return template_of(parse(command))


def split(command: str, grain: Grain) -> list[str]:
    return list(command)


def join(parts: Sequence[str], grain: Grain) -> str:
    return "".join(parts)


def risk(command: str) -> Risk:
    return risk_of(command)


def check(command: str) -> list[Finding]:
    return []


def explain(command: str) -> list[Note]:
    return []
