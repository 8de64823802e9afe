"""Bash one-liners read as text: parse, canonical form, template, grains, risk (NL2Bash §2)."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.types import Finding, Grain, Note, Risk


def normalise(command: str) -> str:
    return command.strip()


def template(command: str) -> str:
    return command.strip()


def split(command: str, grain: Grain) -> list[str]:
    return list(command)


def join(parts: Sequence[str], grain: Grain) -> str:
    return "".join(parts)


def risk(command: str) -> Risk:
    return Risk("unknown")


def check(command: str) -> list[Finding]:
    return []


def explain(command: str) -> list[Note]:
    return []
