"""Raw nodes to shell words: quote removal, escapes, expansions and substitutions, each with its meaning kept apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node as Raw

from sayso.core.errors import BadInstruction
from sayso.targets.bash.syntax.tree import Expansion, Literal, Part, Script, Substitution, Word

Inner = Callable[[Raw, bool], Script]

EXPANSIONS = {"simple_expansion", "expansion", "arithmetic_expansion"}
SUBSTITUTIONS = {"command_substitution", "process_substitution"}
LETTER_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
ANSI_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.)|(.))", re.S
)
DOUBLE_ESCAPE = re.compile(r"\\([$`\"\\\n])")
RUNS_SOMETHING = re.compile(r"(?<!\\)`|\$\((?!\()|[<>]\(")
MAX_PARTS_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Source:
    """The text being read and how its byte positions become character positions of the whole instruction."""

    text: str
    data: bytes
    offset: int
    span: tuple[int, int] | None
    columns: list[int] = field(default_factory=list)

    def at(self, byte: int) -> int:
        """The character index of a byte of this text."""
        if len(self.data) == len(self.text) and not self.columns:
            return byte
        if not self.columns:
            for index, character in enumerate(self.text):
                self.columns.extend([index] * len(character.encode()))
            self.columns.append(len(self.text))
        return self.columns[byte]

    def start(self, raw: Raw) -> int:
        return self.span[0] if self.span else self.offset + self.at(raw.start_byte)

    def end(self, raw: Raw) -> int:
        return self.span[1] if self.span else self.offset + self.at(raw.end_byte)

    def slice(self, raw: Raw) -> str:
        return self.text[self.at(raw.start_byte) : self.at(raw.end_byte)]

    def between(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.text[self.at(start) : self.at(end)]


def read_word(source: Source, run: list[Raw], inner: Inner) -> Word:
    """Adjacent raw nodes as one word."""
    first = run[0]
    start, end = first.start_byte, run[-1].end_byte
    if len(source.data) != len(source.text) or source.columns:
        start, end = source.at(start), source.at(end)
    text = source.text[start:end]
    start, end = source.span or (source.offset + start, source.offset + end)
    if len(run) == 1 and not first.child_count:
        kind = first.type
        if kind == "raw_string":
            return Word(text, start, end, (Literal(text[1:-1], True),), text[1:-1])
        if kind != "ansi_c_string" and "\\" not in text:
            return Word(text, start, end, (Literal(text, False),), text)
    parts: list[Part] = []
    _read_parts(source, run, False, parts, inner, 0)
    merged = _merge(parts)
    value: str | None = None
    if all(isinstance(part, Literal) for part in merged):
        value = "".join(part.text for part in merged if isinstance(part, Literal))
    return Word(text, start, end, merged, value)


def _merge(parts: list[Part]) -> tuple[Part, ...]:
    """Neighbouring literals of the same quoting become one."""
    out: list[Part] = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, Literal) and isinstance(last, Literal) and last.quoted == part.quoted:
            out[-1] = Literal(last.text + part.text, part.quoted)
        else:
            out.append(part)
    if any(isinstance(part, Literal) and not part.quoted and "$" in part.text for part in out):
        return tuple(found for part in out for found in _missed_expansions(part))
    return tuple(out)


def _missed_expansions(part: Part) -> list[Part]:
    """The grammar reads `$a/$b/c` as `$a` and the text `/$b/c`; a bare dollar before a name is never text."""
    if not isinstance(part, Literal) or part.quoted:
        return [part]
    pieces = re.split(r"(\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]))", part.text)
    return [Expansion(piece, False) if at % 2 else Literal(piece, False) for at, piece in enumerate(pieces) if piece]


def _read_parts(
    source: Source, run: list[Raw], quoted: bool, parts: list[Part], inner: Inner, depth: int, stop: int | None = None
) -> None:
    """Append the parts of raw nodes in order; text between nodes is literal (the grammar skips blanks in strings)."""
    if depth > MAX_PARTS_DEPTH:
        raise BadInstruction("quoting is nested too deeply", source.text, source.start(run[0]))
    for index, raw in enumerate(run):
        if index and raw.start_byte > run[index - 1].end_byte:
            parts.append(Literal(_unescape(source.between(run[index - 1].end_byte, raw.start_byte), quoted), quoted))
        kind = raw.type
        if kind in EXPANSIONS:
            _expansion(source, raw, quoted, parts, inner)
        elif kind in SUBSTITUTIONS:
            _blanks(source, raw, parts, quoted)
            if source.slice(raw).lstrip().startswith("$`"):  # to Bash a dollar, then back quotes
                parts.append(Literal("$", quoted))
            parts.append(_substitution(source, raw, quoted, inner))
        elif kind in ("string", "translated_string"):
            _string(source, raw, parts, inner, depth)
        elif kind == "raw_string":
            parts.append(Literal(source.slice(raw)[1:-1], True))
        elif kind == "ansi_c_string":
            parts.append(Literal(_ansi(source.slice(raw)[2:-1]), True))
        elif (
            raw.child_count and kind in ("concatenation", "command_name", "variable_assignment", "array", "subscript")
        ) or (raw.child_count and _holds_more(raw)):
            _read_parts(source, raw.children, quoted, parts, inner, depth + 1)
        elif kind == "$" and not quoted and index + 1 < len(run) and run[index + 1].type == "string":
            continue  # `$"…"`: a translated string, whose dollar is not text
        elif kind == "``":
            raise BadInstruction("empty back quotes", source.text, source.start(raw), "remove the two back quotes")
        else:
            _literal(source.slice(raw), quoted, parts)


def _holds_more(raw: Raw) -> bool:
    """Whether a node of a kind that is not named here has quotes or expansions inside."""
    return any(c.child_count or c.type in ("raw_string", "ansi_c_string") for c in raw.children)


def _literal(text: str, quoted: bool, parts: list[Part]) -> None:
    if quoted:
        parts.append(Literal(_unescape(text, True), True))
    elif "\\" not in text:
        parts.append(Literal(text, False))
    else:
        for index, piece in enumerate(re.split(r"\\(.|\n)", text, flags=re.S)):
            if index % 2 and piece != "\n":
                parts.append(Literal(piece, True))
            elif piece and not index % 2:
                parts.append(Literal(piece, False))


def _unescape(text: str, quoted: bool) -> str:
    return DOUBLE_ESCAPE.sub(lambda m: "" if m[1] == "\n" else m[1], text) if quoted else text


def _ansi(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        octal, two, four, eight, control, letter = match.groups()
        if octal:
            return chr(int(octal, 8) & 0xFF)
        if code := two or four or eight:
            number = int(code, 16)
            return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else "\ufffd"
        if control:
            return chr(ord(control) & 0x1F)
        return LETTER_ESCAPES.get(letter, letter if letter in "\\'\"?" else "\\" + letter)

    return ANSI_ESCAPE.sub(one, text).partition("\0")[0]


def _string(source: Source, raw: Raw, parts: list[Part], inner: Inner, depth: int) -> None:
    children = raw.children
    if children and children[0].type == "$":
        children = children[1:]
    if len(children) == 1 and children[0].type == "string":
        _string(source, children[0], parts, inner, depth)
        return
    opening, closing, inside = children[0], children[-1], children[1:-1]
    before = len(parts)
    if not inside:
        text = source.between(opening.end_byte, closing.end_byte)[:-1]
        parts.append(Literal(_unescape(text, True), True))
        return
    lead = source.between(opening.end_byte, inside[0].start_byte)
    tail = source.between(inside[-1].end_byte, closing.end_byte)[:-1]
    if lead:
        parts.append(Literal(_unescape(lead, True), True))
    _read_parts(source, inside, True, parts, inner, depth + 1)
    if tail:
        parts.append(Literal(_unescape(tail, True), True))
    if len(parts) == before:
        parts.append(Literal("", True))


def _blanks(source: Source, raw: Raw, parts: list[Part], quoted: bool) -> int:
    """Inside strings the grammar hangs blanks before `$` on the expansion; give them back. Returns how many."""
    text = source.slice(raw)
    count = len(text) - len(text.lstrip())
    if count:
        parts.append(Literal(text[:count], quoted))
    return count


def _expansion(source: Source, raw: Raw, quoted: bool, parts: list[Part], inner: Inner) -> None:
    _blanks(source, raw, parts, quoted)
    found = substitutions_below(source, raw, inner, quoted)
    parts.append(Expansion(source.slice(raw).lstrip(), quoted, tuple(found)))


def substitutions_below(source: Source, top: Raw, inner: Inner, quoted: bool) -> list[Substitution]:
    """The outermost substitutions anywhere below a node."""
    found: list[Substitution] = []
    stack = [top]
    while stack:
        raw = stack.pop()
        if raw.type in SUBSTITUTIONS:
            found.append(_substitution(source, raw, quoted, inner))
            continue
        if raw.type == "expansion":
            _refuse_unread(source, raw)
        stack.extend(reversed(raw.children))
    return found


def _refuse_unread(source: Source, expansion: Raw) -> None:
    """The grammar takes the back quotes of `${x:-`rm f`}` for text; what Bash would run must not pass for harmless."""
    rest, at, stack = "", expansion.start_byte, [expansion]
    while stack:
        raw = stack.pop()
        if raw.type in SUBSTITUTIONS:
            rest += source.between(at, raw.start_byte)
            at = raw.end_byte
        else:
            stack.extend(reversed(raw.children))
    rest += source.between(at, expansion.end_byte)
    if RUNS_SOMETHING.search(rest):
        hint = "put what the command prints into a variable first"
        raise BadInstruction("a command inside ${…} cannot be read", source.text, source.start(expansion), hint)


def _substitution(source: Source, raw: Raw, quoted: bool, inner: Inner) -> Substitution:
    opener = source.slice(raw.children[0]).strip()
    body = inner(raw, quoted)
    start = source.start(raw)
    if not source.span:
        text = source.slice(raw)
        start += len(text) - len(text.lstrip())
    return Substitution("$(" if opener.endswith("`") else opener, body, quoted, start, source.end(raw))
