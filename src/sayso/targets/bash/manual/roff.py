"""The source of a manual page as blocks: headings, tags, paragraphs and lines, with fonts kept as one-character marks.

Reads man and mdoc macros, conditionals and the page's own macros, without groff; tables and drawings are left out.
Never raises on any text: what it does not understand is dropped or kept as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sayso.targets.bash.manual.escapes import BOLD, ITALIC, MAX_DEPTH, ROMAN, arguments, unescape, without_fonts
from sayso.targets.bash.manual.mdoc import MDOC_INLINE, PUNCTUATION, mdoc_line

Kind = Literal["section", "tag", "text", "line"]

FLAG_FIRST = re.compile("[\x01-\x03 \"'\\[]*[-+].{0,300}$")
MAX_LINES = 60_000


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a page. A tag is the head of an indented paragraph; `depth` counts the indents around it."""

    kind: Kind
    text: str
    depth: int = 0


ALTERNATE = {"BR": (BOLD, ROMAN), "RB": (ROMAN, BOLD), "BI": (BOLD, ITALIC), "IB": (ITALIC, BOLD)}
ALTERNATE |= {"IR": (ITALIC, ROMAN), "RI": (ROMAN, ITALIC)}
PLAIN_FONTS = {"B": BOLD, "I": ITALIC, "SM": ROMAN, "SB": BOLD, "R": ROMAN, "CW": BOLD}
PARAGRAPHS = {"PP", "P", "LP", "Pp", "sp", "Sp", "bp", "HP", "br", "Bl", "El", "Bd", "Ed"}
NO_FILL = {"nf": True, "EX": True, "Vb": True, "fi": False, "EE": False, "Ve": False}
TABLES = {"TS": "TE", "PS": "PE", "EQ": "EN"}


def read_page(source: str) -> list[Block]:
    """Every block of a page in order."""
    reader = _Reader()
    reader.lines(_joined(source), 0)
    reader.flush()
    return reader.out


def _joined(source: str) -> list[str]:
    """Lines without comments; a backslash at the end of a line joins it with the next."""
    source = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", source.replace("\r\n", "\n"))
    source = re.sub(r'(?<!\\)((?:\\\\)*)\\["#].*', r"\1", source)
    return re.sub(r"(?<!\\)\\\n", "", source).split("\n")[:MAX_LINES]


class _Reader:
    """Walks over lines and collects blocks in `out`."""

    def __init__(self) -> None:
        self.out: list[Block] = []
        self.words: list[str] = []
        self.strings: dict[str, str] = {}
        self.macros: dict[str, list[str]] = {}
        self.expect = ""
        self.depth = 0
        self.no_fill = False
        self.written = 0
        self.chosen = False
        self.name = ""
        self.item: list[str] | None = None

    def lines(self, lines: Sequence[str], level: int) -> None:
        rest = iter(lines)
        for line in rest:
            self.written += 1
            if self.written > MAX_LINES:
                return
            if line[:1] in (".", "'"):
                if line[1:].strip():
                    self.request(line, rest, level)
            else:
                self.words_of(line)

    def words_of(self, line: str) -> None:
        text = unescape(line, self.strings)
        if self.expect:
            self.tagged(text)
        elif self.no_fill:
            self.out.append(Block("line", text, self.depth))
        elif text.strip():
            if line[0] in " \t" and self.words:  # a leading blank breaks the line in roff
                self.flush()
            self.words.append(text)
        else:
            self.flush()

    def tagged(self, text: str) -> None:
        """The line after .TP or an empty .SH is the tag or the heading."""
        if not without_fonts(text).strip():
            return
        is_flag = FLAG_FIRST.match(text) is not None  # netstat titles a section `--route, -r`
        kind: Kind = "section" if self.expect == "section" and not is_flag else "tag"
        self.expect = ""
        self.out.append(Block(kind, text.strip(), self.depth))

    def last_is_tag(self) -> None:
        """`.PP`, `-a`, `.RS`, text: what stands before an indent and looks like a flag is its tag."""
        if self.out and self.out[-1].kind == "text" and FLAG_FIRST.match(self.out[-1].text):
            self.out[-1] = replace(self.out[-1], kind="tag")

    def flush(self) -> None:
        if self.words:
            self.out.append(Block("text", " ".join(self.words), self.depth))
            self.words = []

    def request(self, line: str, rest: Iterator[str], level: int) -> None:
        name, _, tail = line[1:].strip().partition(" ")
        if "\t" in name:
            name, _, tail = name.partition("\t")
        tail = tail.strip()
        if name in ("de", "de1", "am", "ig"):
            self.define(name, tail, rest)
        elif name in ("if", "ie", "el", "while"):
            self.conditional(name, tail, rest, level)
        elif name in ("ds", "as"):
            key, _, value = tail.partition(" ")
            self.strings[key] = value.removeprefix('"') if name == "ds" else self.strings.get(key, "") + value
        elif name in TABLES:
            self.flush()
            self.skip(TABLES[name], rest)
        elif name in self.macros and level < MAX_DEPTH:
            self.call(name, tail, level)
        else:
            self.macro(name, tail)

    def define(self, name: str, tail: str, rest: Iterator[str]) -> None:
        words = tail.split()
        end = "." + (words[1] if len(words) > 1 and name != "ig" else ".")
        body: list[str] = []
        for line in rest:
            if line.rstrip() == end or line.startswith(".."):
                break
            body.append(line)
        # Pages redefine standard macros for other typesetters; ours are right for reading.
        if name.startswith("de") and words and not _is_standard(words[0]):
            self.macros[words[0]] = [line.replace("\\\\", "\\") for line in body[:200]]

    def call(self, name: str, tail: str, level: int) -> None:
        given = arguments(tail)
        values = {str(i): value for i, value in enumerate(given, 1)} | {"*": " ".join(given), "@": tail}
        body = [re.sub(r"\\\$([1-9*@])", lambda m: values.get(m[1], ""), line) for line in self.macros[name]]
        self.lines(body, level + 1)

    def conditional(self, name: str, tail: str, rest: Iterator[str], level: int) -> None:
        """Read as for a terminal: `n` holds, `t` does not."""
        if name == "el":
            holds, body = not self.chosen, tail
        else:
            holds, body = _condition(tail)
            self.chosen = holds
        body = body.strip()
        inside = [body]
        if body.startswith("\\{"):
            inside = [body[2:].strip(), *_until_closed(body[2:], rest)]
        if holds and name != "while":
            kept = [line for line in inside if line.strip() not in ("", "\\")]
            chosen = self.chosen
            self.lines(kept, level)
            self.chosen = chosen

    def skip(self, end: str, rest: Iterator[str]) -> None:
        for line in rest:
            if line.startswith("." + end):
                return

    def macro(self, name: str, tail: str) -> None:
        if name in ("SH", "SS", "Sh", "Ss"):
            self.flush()
            self.no_fill, self.depth, self.expect = False, 0, "section"
            if tail:
                self.tagged(unescape(" ".join(arguments(tail)), self.strings))
        elif name in ("TP", "TQ", "IP", "It"):
            self.start_tag(name, tail)
        elif name in ("RS", "RE"):
            self.flush()
            if name == "RS":
                self.last_is_tag()
            self.depth = max(0, self.depth + (1 if name == "RS" else -1))
        elif name in NO_FILL:
            self.flush()
            self.no_fill = NO_FILL[name]
        elif name in PARAGRAPHS:
            self.flush()
            if name == "Bd" and ("-literal" in tail or "-unfilled" in tail):
                self.no_fill = True
            elif name == "Ed":
                self.no_fill = False
        elif name in ALTERNATE or name in PLAIN_FONTS:
            self.words_of(self.fonts(name, tail))
        elif name == "OP":
            flag, *value = [*arguments(tail), ""]
            self.words_of(f"[\\fB{flag}\\fR \\fI{value[0]}\\fR]")
        elif name == "SY":
            self.flush()
            self.words_of(f"\\fB{tail}\\fR")
        elif name in MDOC_INLINE:
            self.mdoc(name, arguments(tail))

    def mdoc(self, name: str, given: list[str]) -> None:
        if name == "Nm":
            named = bool(given) and given[0] not in PUNCTUATION
            self.name = self.name or (given[0] if named else "")
            given = given if named else [self.name, *given]
        if self.item is None:
            self.words_of(mdoc_line(name, given))
        elif name == "Sm":
            self.item.append("\x04" if given == ["off"] else "\x05")
        else:
            self.item.append(unescape(mdoc_line(name, given), self.strings))
            if "Xc" in (name, *given):  # the head of an item ends here
                self.out.append(Block("tag", _spaced(self.item), self.depth))
                self.item = None

    def fonts(self, name: str, tail: str) -> str:
        """`.BR a b` alternates two fonts without a blank between; `.B a b` keeps the blanks."""
        given = [word.replace("\\\\", "\\") for word in arguments(tail)]  # arguments are read twice
        if name in PLAIN_FONTS:
            return f"{PLAIN_FONTS[name]}{' '.join(given)}{ROMAN}"
        marks = ALTERNATE[name]
        return "".join(f"{marks[i % 2]}{word}" for i, word in enumerate(given)) + ROMAN

    def start_tag(self, name: str, tail: str) -> None:
        self.flush()
        self.no_fill = False
        if name == "It":
            self.item = [] if "Xo" in tail.split() else None
            text = unescape(mdoc_line(name, arguments(tail)), self.strings)
            if self.item is not None:
                self.item.append(text)
            elif text:
                self.out.append(Block("tag", text, self.depth))
        elif name == "IP":
            given = arguments(tail)
            text = unescape(given[0], self.strings).strip() if given else ""
            if without_fonts(text):
                self.out.append(Block("tag", text, self.depth))
            elif not given:
                self.last_is_tag()
        else:
            self.expect = "tag"


def _spaced(pieces: Sequence[str]) -> str:
    """Pieces joined by blanks, but for those between `.Sm off` (x04) and `.Sm on` (x05)."""
    out, blank = "", True
    for piece in pieces:
        if piece in ("\x04", "\x05"):
            out += " " if piece == "\x04" else ""
            blank = piece == "\x05"
        elif piece:
            out += (" " if blank and out and not out.endswith(" ") else "") + piece
    return out.strip()


STANDARD = {*ALTERNATE, *PLAIN_FONTS, *PARAGRAPHS, *NO_FILL, *TABLES, "SH", "SS", "TP", "TQ", "IP", "RS", "RE", "TH"}


def _is_standard(name: str) -> bool:
    return name in STANDARD or name in MDOC_INLINE


CONDITION = re.compile(
    r"""(!?)(?:([ntoe])(?=[\s\\.'])|'([^']*)'([^']*)'|"([^"]*)"([^"]*)"|([cdmr]\s?\S+)|(\S+))\s*(.*)""", re.DOTALL
)


def _condition(text: str) -> tuple[bool, str]:
    """Whether it holds, and what stands behind it."""
    found = CONDITION.match(text)
    if found is None:
        return False, ""
    negated, letter, a, b, c, d, _, number, body = found.groups()
    if letter:
        holds = letter in "no"
    elif a is not None or c is not None:
        holds = (a, c) == (b, d)
    else:
        holds = bool(number and ("\\n(.g" in number or "\\n[.g]" in number or number.lstrip("(")[:1] in "123456789"))
    return holds != bool(negated), body


def _until_closed(first: str, rest: Iterator[str]) -> Iterator[str]:
    """Lines up to the `\\}` that closes a block, inner blocks included."""
    depth = 1 + first.count("\\{") - first.count("\\}")
    while depth > 0:
        line = next(rest, None)
        if line is None:
            return
        depth += line.count("\\{") - line.count("\\}")
        yield line.replace("\\}", "") if depth <= 0 else line
