"""Lines of a document with what they are by their form: headings, code, lists, prose, in any of the usual formats.

Markdown, reStructuredText, AsciiDoc, Org, HTML, manual-like and plain text are read by one set of cues, since a README
often mixes them and seldom says which it is. Nothing is rendered, and a line keeps its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Literal

Form = Literal["blank", "heading", "fence", "code", "item", "prose", "markup"]

FENCE = re.compile(
    r"\s*(?:```+|~~~+|----+$|\.\.\.\.+$|={4,}$|#\+(?:begin|end)_(?:src|example)|</?(?:pre|code)\b)", re.I
)
MARKDOWN_FENCE = re.compile(r"\s*(?:```+|~~~+)")
ORG_BEGIN, ORG_END = re.compile(r"\s*#\+begin_(?:src|example)", re.I), re.compile(r"\s*#\+end_(?:src|example)", re.I)
HTML_BEGIN, HTML_END = re.compile(r"<pre\b", re.I), re.compile(r"</pre>", re.I)
UNDERLINE = re.compile(r"\s*([=\-~^*#+`'\"_.])\1{2,}\s*$")
HASHES = re.compile(r"\s{0,3}#{1,6}\s+\S")
EQUALS = re.compile(r"={1,5}\s+\S.*")
NUMBERED_HEADING = re.compile(r"(?:\d+\.)*\d+\.?\s+[A-Z][^.:;,]{2,60}$")
CAPITALS = re.compile(r"[^a-z]{4,60}$")
HTML_HEADING = re.compile(r"\s*<h\d\b", re.I)
ITEM = re.compile(r"\s*(?:[-*+o•]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+\S")
PROMPT = re.compile(r"\s*(?:[$%>#]|[\w.@~-]*[$#%])\s+(?=\S)")
DIRECTIVE = re.compile(
    r"\s*(?:\.\. |:\w[\w-]*:|<!--|\[!\[|!\[|<(?:p|div|ul|ol|li|table|tr|td|br|img|a)\b|\[\w+\]$)", re.I
)
TAG = re.compile(r"<[^<>]{1,200}>")
INDENT = 2


@dataclass(frozen=True)
class Line:
    """One line, from 1, with tags and prompts as they are; `section` is the heading above it."""

    number: int
    text: str
    form: Form
    section: str = ""
    indent: int = 0

    @property
    def bare(self) -> str:
        """Without tags of HTML."""
        return plain(self.text)


def plain(text: str) -> str:
    return unescape(TAG.sub("", text)) if "<" in text or "&" in text else text


def read_lines(text: str) -> list[Line]:
    """Every line of a text, blank ones too."""
    rows = [row.expandtabs() for row in text.splitlines()]
    margin = common_margin(rows)
    found: list[Line] = []
    section, fenced, literal = "", "", False
    literal_indent = 0
    for at, row in enumerate(rows):
        indent = len(row) - len(row.lstrip())
        if not row.strip():
            found.append(Line(at + 1, row, "blank", section, 0))
            continue
        form, fenced = fenced_form(row, fenced)
        if form is None:
            if literal and indent <= literal_indent:
                literal = False
            if literal:
                form = "code"
            elif is_heading(rows, at):
                form = "heading"
                section = plain(row).strip(" #=*-_:~").strip() or section
            elif UNDERLINE.match(row) or DIRECTIVE.match(row):
                form = "markup"
            elif PROMPT.match(row) and not HASHES.match(row):
                form = "code"
            elif ITEM.match(row):
                form = "item"
            elif indent - margin >= INDENT and opens_code(found, indent):
                form = "code"
            else:
                form = "prose"
            if row.rstrip().endswith("::") and form != "code":
                literal, literal_indent = True, indent
        found.append(Line(at + 1, row, form, section, indent))
    return found


def fenced_form(row: str, fenced: str) -> tuple[Form | None, str]:
    """The form of a line at or within a fence, and which fence is open after it."""
    if fenced:
        ends = {"```": MARKDOWN_FENCE, "org": ORG_END, "pre": HTML_END}[fenced]
        return ("fence", "") if ends.search(row) else ("code", fenced)
    if MARKDOWN_FENCE.match(row):
        return "fence", "```"
    if ORG_BEGIN.match(row):
        return "fence", "org"
    if (begins := HTML_BEGIN.search(row)) and not HTML_END.search(row):
        return ("code" if row[begins.end() :].partition(">")[2].strip() else "fence"), "pre"
    return None, ""


def is_heading(rows: list[str], at: int) -> bool:
    row = rows[at]
    if HASHES.match(row) or HTML_HEADING.match(row) or (EQUALS.match(row) and not UNDERLINE.match(row)):
        return True
    below = rows[at + 1] if at + 1 < len(rows) else ""
    if UNDERLINE.match(below) and len(row.strip()) <= 80 and not UNDERLINE.match(row) and not row.strip().endswith("."):
        return True
    lonely = (at == 0 or not rows[at - 1].strip()) and len(row.strip()) <= 60 and len(row) - len(row.lstrip()) <= 1
    if not lonely:
        return False
    if CAPITALS.match(row.strip()) and re.search("[A-Z]{3}", row):
        return True
    words = row.strip().rstrip(":")
    return bool(NUMBERED_HEADING.match(words)) or (not below.strip() and bool(TITLE.match(words)))


TITLE = re.compile(r"[A-Z][\w/&-]*(?: [\w/&-]+){0,4}$")


def opens_code(before: list[Line], indent: int) -> bool:
    """Whether an indented line is a block of its own: after a blank line or other code, not a sentence carried on."""
    if not before:
        return False
    last = before[-1]
    if last.form == "blank":
        above = next((line for line in reversed(before) if line.form != "blank"), None)
        return above is None or above.indent < indent or above.form == "code"
    return last.form == "code" or (
        last.form in ("prose", "item") and last.text.rstrip().endswith(":") and last.indent < indent
    )


def common_margin(rows: list[str]) -> int:
    """The indent that nearly all lines have: a whole document may stand two columns in."""
    indents = sorted(len(row) - len(row.lstrip()) for row in rows if row.strip())
    return indents[len(indents) // 10] if indents else 0
