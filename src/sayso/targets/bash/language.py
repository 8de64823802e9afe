"""Bash one-liners read as text: parse, canonical form, template, grains, risk (NL2Bash §2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sayso.core.types import Finding, Grain, Note, Risk
from sayso.targets.bash._canonical import canonical_text
from sayso.targets.bash._grains import join_command, split_command
from sayso.targets.bash._parse import parse
from sayso.targets.bash._risk import risk_of
from sayso.targets.bash._template import template_of
from sayso.targets.bash._tree import Script


@lru_cache(maxsize=256)
def _tree(command: str) -> Script:
    """One reading serves normalise, template and the rest when they are asked one after the other."""
    return parse(command)


def normalise(command: str) -> str:
    """The canonical text: `grep --ignore-case -rn "x" .` -> `grep -i -n -r x .`"""
    return canonical_text(_tree(command), command)


def template(command: str) -> str:
    """The command with arguments replaced by their types: `find . -name '*.c'` -> `find Path -name Regex`."""
    return template_of(_tree(command))


def split(command: str, grain: Grain) -> list[str]:
    """Characters, tokens or sub-tokens; any text can be split."""
    return split_command(command, grain)


def join(parts: Sequence[str], grain: Grain) -> str:
    """The exact inverse of split, spacing included."""
    return join_command(parts, grain)


def risk(command: str) -> Risk:
    return risk_of(command)


def check(command: str) -> list[Finding]:
    return []


def explain(command: str) -> list[Note]:
    return []
