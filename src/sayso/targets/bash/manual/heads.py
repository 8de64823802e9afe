"""The head of an option in a manual: `-I[FMT], --iso-8601[=FMT]` -> its names, each with the argument it shows.

Fonts decide where they are given (a bold name, an italic argument), spelling where they are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.targets.bash.manual.escapes import BOLD, ITALIC, MARKS, ROMAN
from sayso.targets.bash.manual.placeholder import argument_type


@dataclass(frozen=True, slots=True)
class Form:
    """One name as a head shows it; `argument` is the placeholder, "" where none is shown."""

    name: str
    argument: str = ""
    optional: bool = False


LONG = re.compile(r"--(\[no-?\]|\(no-?\)|\{no-?\})?([A-Za-z0-9?@][\w.+:@]*(?:-[\w.+:@]+)*)(\[-?[a-z][\w-]*\])?")
DIGITS = re.compile(r"-(\d)(?=$|[\s,|\].])(?:\s*(?:\.\.\.?|…|to|through)\s*-(\d)\b)?|-\d+(?=$|[\s,|\]])")
ANY_NUMBER = re.compile(r"-<(?:number|num|n|digit)>")
SINGLE = re.compile(r"-(\[no-?\])?([A-Za-z][\w+]*(?:-[A-Za-z0-9][\w]*)*)")
MARK = re.compile(r"-[^\s\w,;|()\[\]<>'\"`*/=.:+–—-](?=$|[\s,\]])|-[:.](?=$|[\s,\]])")
GAP = re.compile(r"[\s,;|/]+|\(?(?:or|and)\b|to(?=\s+-)")
OPENING = re.compile(r"[\s\"'`\[{•·]*(?:\+\|(?=-)|\+/(?=-)|-,\s+(?=-))?")
CLOSERS = "]})\"'"
# A word after a name that is prose and no argument.
PROSE = {
    "or", "and", "is", "are", "with", "if", "the", "to", "in", "of", "for", "as", "when", "same", "only", "not", "this",
    "option", "options", "see", "like", "deprecated", "default", "was", "will", "can", "has", "on", "flag", "flags",
    "means", "does", "implies", "specifies", "causes", "enables", "disables", "also", "a", "an", "by", "obsolete",
    "switch",
}  # fmt: skip
NUMBERS = {"num", "number", "n", "#", "nnn", "count"}
MAX_HEAD = 600
PIECES = re.compile(f"({MARKS.pattern})")
LETTERS = {BOLD: "b", ITALIC: "i", ROMAN: "r"}


def read_head(text: str, *, is_tag: bool = True) -> tuple[list[Form], int]:
    """The forms at the beginning of a text, and how many of its characters (fonts not counted) they take.

    In running text (`is_tag` false) only an argument in italics, capitals or brackets counts as one.
    """
    plain, fonts = _fonts(text[:MAX_HEAD])
    reader = _Head(plain, fonts, is_tag)
    return reader.read(), reader.at


def _fonts(text: str) -> tuple[str, str]:
    """The text without marks, and for each character b, i or r."""
    out: list[str] = []
    fonts: list[str] = []
    font = "r"
    for piece in PIECES.split(text):
        if piece in LETTERS:
            font = LETTERS[piece]
        else:
            out.append(piece)
            fonts.append(font * len(piece))
    return "".join(out), "".join(fonts)


class _Head:
    def __init__(self, plain: str, fonts: str, is_tag: bool) -> None:
        self.text, self.fonts, self.is_tag = plain, fonts, is_tag
        self.at = 0

    def read(self) -> list[Form]:
        forms: list[Form] = []
        if found := OPENING.match(self.text):
            self.at = found.end()
        while True:
            start = self.at
            names = self.names()
            if not names:
                self.at = start
                return forms
            argument, optional = self.argument(names)
            forms += [Form(name, argument, optional) for name in names]
            end = self.at
            if not self.gap():
                return forms
            if self.text[self.at : self.at + 1] not in "-+":
                self.at = end
                return forms

    def gap(self) -> bool:
        """Step over what separates two names; false at the end."""
        while self.at < len(self.text):
            found = GAP.match(self.text, self.at)
            if found:
                self.at = found.end()
            elif self.text[self.at] in CLOSERS + "[{(\"'" and self.text[self.at + 1 : self.at + 2] in (
                "",
                " ",
                ",",
                "-",
                "|",
            ):
                self.at += 1
            else:
                break
        return self.at < len(self.text)

    def names(self) -> list[str]:
        if found := LONG.match(self.text, self.at):
            return self.long(found)
        if found := DIGITS.match(self.text, self.at):
            self.at = found.end()
            first, last = found.groups()
            return [f"-{n}" for n in range(int(first), int(last or first) + 1)] if first else ["-NUM"]
        if found := ANY_NUMBER.match(self.text, self.at):
            self.at = found.end()
            return ["-NUM"]
        if found := SINGLE.match(self.text, self.at):
            return self.single(found)
        if found := MARK.match(self.text, self.at):
            self.at = found.end()
            return [found[0]]
        return []

    def long(self, found: re.Match[str]) -> list[str]:
        negated, stem, tail = found.groups()
        end = found.end()
        if tail and not tail.startswith("[-"):  # --color[when]: the bracket is an argument
            end -= len(tail)
            tail = None
        self.at = end
        stem = stem.rstrip(".:")
        names = ["--" + stem]
        if negated:
            names.append(f"--no-{stem}" if "-" in negated else f"--no{stem}")
        if tail:
            names.append(f"--{stem}{tail[1:-1]}")
        return names

    def single(self, found: re.Match[str]) -> list[str]:
        negated, stem = found.groups()
        begin = found.start(2)
        cut = self.change(begin, found.end())
        if cut < found.end():
            stem = self.text[begin:cut]
        elif len(stem) > 2 and stem.isupper() and argument_type(stem) == "Number":
            self.at = cut
            return ["-NUM"]  # pr -COLUMN
        elif re.fullmatch(r"[A-Za-z][A-Z]{3,}", stem) and argument_type(stem[1:]) != "String":
            stem, cut = stem[0], begin + 1  # -nNUM
        self.at = cut
        if not stem:
            placeholder = re.match(r"\w+", self.text[begin:])
            if placeholder and placeholder[0].lower() in NUMBERS:
                self.at = begin + placeholder.end()
                return ["-NUM"]
            return []
        if stem.lower() in ("num", "number") and self.fonts[begin] != "b":
            return ["-NUM"]
        return [f"-{stem}", f"-no{'-' if '-' in negated else ''}{stem}"] if negated else [f"-{stem}"]

    def change(self, begin: int, end: int) -> int:
        """Where italics begin inside a name: `-o` bold, `file` italic."""
        first = self.fonts[begin - 1] if begin else "r"
        for at in range(begin, end):
            if self.fonts[at] == "i" and first != "i":
                return at
        return end

    def argument(self, names: list[str]) -> tuple[str, bool]:
        rest = self.text[self.at :]
        if found := re.match(r"\[[= ]\](?=[\w<#])|\s?=\s(?=[A-Za-z<\[{])", rest):  # --charset[=]X, --delay = SECS
            self.at += found.end()
            return self.glued() or "arg", False
        if found := re.match(r"\s?\[(?:[= ]|:|\s)?", rest):
            inside = self.bracket(found.end())
            if inside is not None:
                return inside
        if found := re.match(r"(?:=|:(?=[<A-Z\[{]))\s?", rest):
            self.at += found.end()
            return self.glued() or "arg", False
        if rest[:1] and rest[0] not in " \t,|/;:)]}\"'" and (self.fonts[self.at] == "i" or rest[0].isupper()):
            return self.glued(), False
        if rest[:1] == "<":
            return self.glued(), False
        return self.separate(), False

    def bracket(self, begin: int) -> tuple[str, bool] | None:
        """`[=WHEN]`, `[N]`, ` [file]` -> optional; `[bind:]port` -> a required one that begins with a bracket."""
        start = self.at + begin
        end = self.close(self.text.index("[", self.at))
        if end is None:
            return None
        inside = self.text[start:end].strip()
        after = self.text[end + 1 : end + 2]
        glued = self.text[self.at] == "["
        if inside.startswith(("-", "no", "|")) or not inside:
            return None
        if not glued and after not in ("", " ", ",", "|", ".", "…", ")", "]"):
            self.at += 1
            return self.glued(), False
        if not glued and not (self.is_tag or self.placeholder(self.text.index("[", self.at) + 1, inside)):
            return None
        self.at = end + 1
        return inside.lstrip("=:"), True

    def close(self, at: int) -> int | None:
        depth = 0
        for place in range(at, min(len(self.text), at + 200)):
            depth += {"[": 1, "]": -1}.get(self.text[place], 0)
            if not depth:
                return place
        return None

    def glued(self) -> str:
        """Everything up to a blank or comma outside of brackets."""
        start, depth = self.at, 0
        while self.at < len(self.text):
            letter = self.text[self.at]
            if depth <= 0 and (letter in " \t)" or (letter in ",|]" and self.ends(letter))):
                break
            depth += 1 if letter in "[{<(" else -1 if letter in "]}>)" else 0
            self.at += 1
        return self.text[start : self.at].strip()

    def ends(self, letter: str) -> bool:
        after = self.text[self.at + 1 :].lstrip()
        return letter == "]" or not after or after[0] in "-+" or self.text[self.at + 1 : self.at + 2] in (" ", "")

    def separate(self) -> str:
        """Words after a blank, up to what separates names or to prose."""
        taken: list[str] = []
        while found := re.compile(r"[ \t](?=[^\s-])|[ \t](?=-\w+\])").match(self.text, self.at):
            if GAP.match(self.text, found.end()) or self.text[found.end()] in ")":
                break
            begin = found.end()
            before, self.at = self.at, begin
            word = self.glued()
            if not word or not self.placeholder(begin, word) or len(taken) > 3:
                self.at = before
                break
            taken.append(word.rstrip(",:") if word != "," else word)
        return " ".join(taken)

    def placeholder(self, at: int, word: str) -> bool:
        """Whether a word can stand for an argument where it stands."""
        if not re.search(r"\w", word) and word not in ("{}", ";", "..."):
            return False
        if word.startswith(("(", "—", "=", "•")) or "://" in word:
            return False
        if self.fonts[at] == "i" or word[0] in "<{[" or re.fullmatch(r"[A-Z][A-Z0-9_-]*(?:[.,=:|].*)?", word):
            return True
        return self.is_tag and word.lower().strip("().,:") not in PROSE


def names_in_cluster(text: str) -> Iterator[str]:
    """`-46AaCf` of a synopsis -> -4, -6, -A …"""
    yield from (f"-{letter}" for letter in text.lstrip("-") if letter.isalnum() or letter in "@?")
