"""Bash one-liners read as text: parse, canonical form, template, grains, risk (NL2Bash §2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sayso.core.errors import BadInstruction
from sayso.core.types import Draft, Finding, Grain, Note, Risk
from sayso.targets.bash.effects.risk import UNREADABLE, risk_in, risk_of
from sayso.targets.bash.effects.runs_unasked import runs_unasked
from sayso.targets.bash.forms.canonical import canonical
from sayso.targets.bash.forms.grains import join_command, split_command
from sayso.targets.bash.forms.structure import Part, parts_of, utilities_in
from sayso.targets.bash.forms.template import template_of
from sayso.targets.bash.review.check import findings, findings_in, unreadable
from sayso.targets.bash.review.explain import notes
from sayso.targets.bash.syntax.called import Called, read_commands
from sayso.targets.bash.syntax.line_edits import Line, line_of
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Script


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


class Parsed:
    """A command that is parsed once; what its tree tells is worked out when it is first asked for, and kept."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.script: Script | None = None
        self.error: BadInstruction | None = None
        try:
            self.script = parse(text)
        except BadInstruction as error:
            self.error = error

    @cached_property
    def canonical(self) -> str:
        """The text itself where it does not parse."""
        return canonical(self.script, self.text) if self.script else self.text.strip()

    @cached_property
    def risk(self) -> Risk:
        return risk_in(self.script, self.text) if self.script else UNREADABLE

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return (unreadable(self.error, self.text),) if self.error else tuple(findings_in(self.tree))

    @property
    def tree(self) -> Script:
        """For those who know that it parses."""
        assert self.script is not None
        return self.script

    @cached_property
    def line(self) -> Line | None:
        """As edits see it: None where it is no plain pipeline."""
        return line_of(self.script, self.text) if self.script else None

    @cached_property
    def parts(self) -> list[Part]:
        return list(parts_of(self.script)) if self.script else [Part("text", self.text.strip())]

    @cached_property
    def tools(self) -> list[tuple[str, frozenset[str]]]:
        """Every utility with its flags."""
        return utilities_in(self.script) if self.script else [(self.text.strip(), frozenset())]

    @cached_property
    def template(self) -> str:
        """The text where there is none."""
        return template_of(self.script) if self.script else self.text

    @cached_property
    def words(self) -> list[Called]:
        """Its simple commands, as far as `shlex` tells."""
        return read_commands(self.text)


def drafts(texts: Sequence[str]) -> list[Draft]:
    """The `draft` of the target."""
    return [draft_of(Parsed(text)) for text in texts]


def draft_of(one: Parsed) -> Draft:
    problem = one.error.message if one.error else ""
    return Draft(one.text, one.canonical, one.risk, one.findings, problem, one)


def parsed(draft: Draft) -> Parsed:
    """What the target made of the text of a draft."""
    return draft.tree if isinstance(draft.tree, Parsed) else Parsed(draft.text)
