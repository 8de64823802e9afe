"""Bash one-liners read as text: parse, canonical form, template, grains, risk (NL2Bash §2)."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.types import Finding, Grain, Note, Risk
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.effects.runs_unasked import runs_unasked
from sayso.targets.bash.forms.canonical import canonical
from sayso.targets.bash.forms.grains import join_command, split_command
from sayso.targets.bash.forms.template import template_of
from sayso.targets.bash.review.check import findings
from sayso.targets.bash.review.explain import notes
from sayso.targets.bash.syntax.parser import parse


def normalise(command: str) -> str:
    """The canonical text: `grep --ignore-case -rn "x" .` -> `grep -i -n -r x .`"""
    return canonical(parse(command), command)


def template(command: str) -> str:
    """The command with arguments replaced by their types: `find . -name '*.c'` -> `find Path -name Regex`."""
    return template_of(parse(command))


def split(command: str, grain: Grain) -> list[str]:
    """Characters, tokens or sub-tokens; any text can be split."""
    return split_command(command, grain)


def join(parts: Sequence[str], grain: Grain) -> str:
    """The exact inverse of split, spacing included."""
    return join_command(parts, grain)


def risk(command: str) -> Risk:
    """reads, writes, destroys or unknown, and why; never raises, and what does not parse is never safe."""
    return risk_of(command)


def unasked(command: str) -> str:
    """Why a command must not run without a question; "" where every word of it is on the list."""
    return runs_unasked(command)


def check(command: str) -> list[Finding]:
    """Unknown utilities and flags, missing values, values of a wrong type; never raises."""
    return findings(command)


def explain(command: str) -> list[Note]:
    """Word by word, operators included; never raises."""
    return notes(command)
