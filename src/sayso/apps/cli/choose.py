"""The one-key menu under an answer in a terminal: run, dry run, edit, then, explain, next, copy, quit. Only r runs."""

from __future__ import annotations

import os

from sayso.apps.cli import keyboard, running
from sayso.apps.cli.marks import candidate_lines, fold
from sayso.apps.cli.output import note
from sayso.apps.cli.unseen import refuse_unseen
from sayso.apps.requests import clean
from sayso.core.errors import SaysoError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

# Key → how the menu shows it.
KEYS = {
    "r": "[r]un",
    "d": "[d]ry run",
    "e": "[e]dit",
    "t": "[t]hen",
    "x": "e[x]plain",
    "n": "[n]ext",
    "c": "[c]opy",
    "q": "[q]uit",
}
QUITS = ("q", keyboard.END)


class Choice:
    """What the user took from an answer: `how` is "run" or "copied"; `proposed` is what stood there before an edit."""

    def __init__(self, request: str, proposed: str, command: str, how: str, exit_code: int | None = None) -> None:
        self.request = request
        self.proposed = proposed
        self.command = command
        self.how = how
        self.exit_code = exit_code


class Menu:
    """Stands on one candidate at a time; an edited one is kept in its place until the next is asked for."""

    def __init__(
        self, answer: Mapping[str, Any], coloured: bool, taken: Callable[[Choice], None] = lambda choice: None
    ) -> None:
        self.request = str(answer["request"])
        self.candidates: Sequence[Mapping[str, Any]] = answer["candidates"]
        self.coloured = coloured
        self.taken = taken
        self.at = 0
        self.one = self.candidates[0]

    def ask(self) -> int:
        """Until something was run, which gives its exit code, or the user has had enough."""
        while True:
            key = keyboard.read_key(self.prompt())
            keyboard.say(f"{key if key.isprintable() else ''}\n")
            if key in QUITS:
                return 0
            try:
                code = self.do(key)
            except SaysoError as error:  # of one key; the others still work
                note(f"{error.message}{f' ({error.hint})' if error.hint else ''}")
                continue
            if code is not None:
                return code

    def prompt(self) -> str:
        """Names where they fit, else letters: `2/3 r d e t x n c q ?> `"""
        place = f"{self.at + 1}/{len(self.candidates)}" + ("" if self.one is self.candidates[self.at] else " edited")
        long = f"{place}  {'  '.join(self.keys().values())}  > "
        return long if len(long) < width() else f"{place} {' '.join(self.keys())} ?> "

    def keys(self) -> dict[str, str]:
        return {key: name for key, name in KEYS.items() if key != "n" or len(self.candidates) > 1}

    def do(self, key: str) -> int | None:
        if key == "r":
            return self.run()
        if key == "n" and len(self.candidates) > 1:
            self.go((self.at + 1) % len(self.candidates))
        elif key.isdigit() and 0 < int(key) <= len(self.candidates):
            self.go(int(key) - 1)
        elif key == "e":
            self.edit()
        elif key == "t":
            self.change()
        elif key == "x":
            explain(self.one["text"])
        elif key == "d":
            self.rehearse()
        elif key == "c":
            self.copy()
        elif key not in self.keys():
            keyboard.say("\n".join([*fold(f"keys: {', '.join(self.keys().values())}", width() - 1), ""]))
        return None

    def run(self) -> int | None:
        if not running.may_run(self.one):
            return None
        code = running.run_in_shell(self.one["text"])
        self.take("run", code)
        return code

    def go(self, at: int) -> None:
        self.at, self.one = at, self.candidates[at]
        self.show()

    def show(self) -> None:
        place = f"{self.at + 1} of {len(self.candidates)}" if self.one is self.candidates[self.at] else "edited"
        lines = candidate_lines(self.one, self.request, place, self.coloured, width())
        keyboard.say("\n".join([*lines, ""]))

    def edit(self) -> None:
        text = keyboard.edit(self.one["text"])
        if text != self.one["text"]:
            self.one = rated(clean(text, "command"))
            self.show()

    def change(self) -> None:
        """A follow-up in English on the candidate that stands there; "undo that" gives back what was proposed."""
        from sayso.apps.cli.then import changed

        proposed = self.candidates[self.at]["text"]
        if one := changed(self.one["text"], [proposed] if self.one["text"] != proposed else [], self.request):
            self.one = one
            self.show()

    def rehearse(self) -> None:
        from sayso.apps.cli import dry_run

        keyboard.say("\n".join([*dry_run.lines(dry_run.rehearse(self.one["text"]), self.coloured), ""]))

    def copy(self) -> None:
        from sayso.apps.cli import clipboard

        refuse_unseen(self.one["text"])
        note(f"copied by {clipboard.copy(self.one['text'])}")
        self.take("copied")

    def take(self, how: str, code: int | None = None) -> None:
        self.taken(Choice(self.request, self.candidates[self.at]["text"], self.one["text"], how, code))


def rated(text: str) -> dict[str, Any]:
    """A command that the user wrote, as a candidate: what it may do is worked out again."""
    from sayso.apps.cli.local_tools import as_here
    from sayso.targets import find_target

    target = find_target("bash")
    risk = target.risk(text)
    why = [finding.message for finding in as_here(text, target.check(text))]
    return {"text": text, "risk": risk.level, "risky": list(risk.words), "why": why}


def explain(text: str) -> None:
    """As `sayso explain` prints it."""
    import argparse

    from sayso.apps.cli import explain

    parser = argparse.ArgumentParser()
    explain.add_arguments(parser)
    explain.run(parser.parse_args(["--", text], argparse.Namespace(json=False)))


def width() -> int:
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80
