"""What a program of sed does besides printing: enough of the language to see files written and commands run.

The answer is "reads", "writes" or "unknown"; a program that cannot be followed to its end is unknown.
"""

from __future__ import annotations

import re

# sed: one letter that neither takes an argument nor writes.
PLAIN = set("=dDgGhHnNpPxF")
TO_LINE_END = set("aic#")
LABELS = set("btT:")
READS_FILES = set("rR")
WRITES_FILES = set("wW")
NUMBERS = set("qQlL")
ADDRESS = re.compile(r"\s*(?:\d+(?:~\d+)?|\$|\+\d+|~\d+)")


def sed_effect(program: str) -> str:
    """`s/a/b/` -> reads, `w out` -> writes, `s/a/b/e` -> unknown."""
    reader = _Sed(program)
    try:
        reader.run()
    except (IndexError, ValueError):
        return "unknown"
    return reader.effect


class _Sed:
    """Walks over a script command by command; running off its end raises IndexError."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.effect = "reads"

    def run(self) -> None:
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\n;{}":
                self.at += 1
            if self.at >= len(self.text):
                return
            self.addresses()
            self.command()

    def addresses(self) -> None:
        """`1,5`, `/a/,$`, `\\,x,I`, then `!`."""
        for _ in range(2):
            if found := ADDRESS.match(self.text, self.at):
                self.at = found.end()
            elif self.text[self.at] == "/":
                self.regex(self.text[self.at])
            elif self.text[self.at] == "\\":
                self.at += 1
                self.regex(self.text[self.at])
            else:
                break
            self.blanks()
            if self.text[self.at] != ",":
                break
            self.at += 1
            self.blanks()
        while self.text[self.at] in " \t!":
            self.at += 1

    def regex(self, mark: str) -> None:
        self.at += 1
        self.until(mark)
        while self.at < len(self.text) and self.text[self.at] in "IM":
            self.at += 1

    def until(self, mark: str) -> None:
        """Past the next mark that is not escaped and not inside [...]."""
        inside = False
        while True:
            letter = self.text[self.at]
            if letter == "\\":
                self.at += 2
                continue
            if letter == "[" and not inside:
                inside = self.text.find("]", self.at + 2) >= 0
                self.at += 2 if inside and self.text[self.at + 1 : self.at + 2] in ("]", "^") else 1
                continue
            if letter == "]":
                inside = False
            self.at += 1
            if letter == mark and not inside:
                return

    def blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def command(self) -> None:
        letter = self.text[self.at]
        self.at += 1
        if letter in PLAIN or letter in "{}":
            return
        if letter in WRITES_FILES:
            self.worse("writes")
            self.line_end()
        elif letter == "e":
            self.worse("unknown")
            self.line_end()
        elif letter in TO_LINE_END or letter in READS_FILES:
            self.line_end()
        elif letter in LABELS or letter in NUMBERS:
            while self.at < len(self.text) and self.text[self.at] not in ";}\n":
                self.at += 1
        elif letter in "sy":
            self.substitute(letter)
        else:
            raise ValueError(letter)

    def line_end(self) -> None:
        while self.at < len(self.text) and self.text[self.at] != "\n":
            self.at += 2 if self.text[self.at] == "\\" else 1

    def substitute(self, letter: str) -> None:
        mark = self.text[self.at]
        if mark in "\n\\":
            raise ValueError(mark)
        self.at += 1
        self.until(mark)
        while self.text[self.at] != mark:
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1
        while letter == "s" and self.at < len(self.text) and (flag := self.text[self.at]) not in ";}\n":
            self.at += 1
            if flag == "w":
                self.worse("writes")
                self.line_end()
            elif flag == "e":
                self.worse("unknown")
            elif flag not in "gpiImM0123456789 \t":
                raise ValueError(flag)

    def worse(self, effect: str) -> None:
        self.effect = "unknown" if "unknown" in (effect, self.effect) else "writes"
