"""Words written back with the least quoting that keeps their meaning, always in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable

from sayso.targets.bash.syntax.tree import Expansion, Literal, Part, Substitution, Word

PLAIN = re.compile(r"(?:[\w./:,@%+=^!-]|\{\})+")
BARE_NAME = re.compile(r"\$[A-Za-z_]\w*")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
CONTROL_NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
BRACES = re.compile(r"\{[^{}]*(,|\.\.)[^{}]*\}")
PATTERN = re.compile(r"([*?\[\]]+)")
BRACE_OR_PATTERN = re.compile(r"([*?\[\]{},.]+)")
NAME_START = re.compile(r"[A-Za-z0-9_\[]")
BRACED_NAME = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*|[0-9])\}")
ASSIGNS = re.compile(r"([A-Za-z_]\w*)(\[.*\])?\+?=", re.S)
# Words that find reads as a part of its tests, in quotes or not.
FIND_TESTS = frozenset(("!", "(", ")", ","))
RESERVED = {
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select",
    "function", "time", "{", "}", "!", "[[", "]]", "coproc", "[", "declare", "typeset", "export", "readonly", "local",
    "unset", "unsetenv",
}  # fmt: skip

Render = Callable[[Substitution], str]
# A piece of a word: text and whether it is literal (L), active when bare (A), a quoted or a bare expansion (Q, B).
Piece = tuple[str, str]


def write_word(word: Word, render: Render, *, is_name: bool = False) -> str:
    """`"a"b` -> `ab`, `\\*.c` -> `'*.c'`, `"$x y"` stays; `render` writes the script of a substitution."""
    value = word.value
    if value is not None and (not is_name or (value.isalnum() and value not in RESERVED)) and PLAIN.fullmatch(value):
        return f"'{value}'" if value in ("==", "=~") else value  # operators to the grammar, if they stand last
    if is_name and value is not None and is_fixed(word) and (value in RESERVED or re.search(r"[={!]", value)):
        return value if word.text == value and value in RESERVED else f"'{value}'" if "'" not in value else quote(value)
    text = _write(_pieces(word.parts, render))
    if is_name and (found := ASSIGNS.match(text)):  # a command's name, however much it looks like an assignment
        return f"'{found[1]}'{text[found.end(1) :]}"
    return text


def is_fixed(word: Word) -> bool:
    """Whether nothing in it expands: no variable, pattern, brace or tilde that the shell would act on."""
    return word.value is not None and all(kind == "L" for _, kind in _pieces(word.parts, lambda _: ""))


def has_braces(word: Word) -> bool:
    """Whether the shell makes several words of it: `{a,b}`."""
    bare = "".join(part.text for part in word.parts if isinstance(part, Literal) and not part.quoted)
    return "{" in bare and BRACES.search(bare) is not None


def quote(text: str) -> str:
    """Literal text as one word."""
    return _segment([(text, "L")])


def quote_path(path: str) -> str:
    """A path as one word: a `~/` at its head keeps its meaning, a dash, `!` or another user's `~name` loses its."""
    if path in ("~", "~/"):
        return path
    if path.startswith("~/"):
        return f"~/{quote(path[2:])}"
    is_read = (path.startswith("-") and path != "-") or path in FIND_TESTS
    return quote(f"./{path}" if is_read else path)


def _pieces(parts: tuple[Part, ...], render: Render) -> list[Piece]:
    pieces: list[Piece] = []
    bare = "".join(part.text if isinstance(part, Literal) and not part.quoted else "x" for part in parts)
    active = BRACE_OR_PATTERN if "{" in bare and BRACES.search(bare) else PATTERN
    for index, part in enumerate(parts):
        if isinstance(part, Literal):
            _literal(part, active, index, pieces)
        elif isinstance(part, Expansion):
            pieces.append((_expansion(part, parts, index), "Q" if part.quoted else "B"))
        else:
            pieces.append((render(part), "Q" if part.quoted and part.opener == "$(" else "B"))
    return pieces


def _literal(part: Literal, active: re.Pattern[str], index: int, pieces: list[Piece]) -> None:
    text = part.text
    if part.quoted:
        pieces.append((text, "L"))
        return
    if index == 0 and text.startswith("~"):
        pieces.append(("~", "A"))
        text = text[1:]
        if not text:
            return
    for at, piece in enumerate(active.split(text)):
        if piece:
            pieces.append((piece, "A" if at % 2 else "L"))


def _expansion(part: Expansion, parts: tuple[Part, ...], index: int) -> str:
    """`${x}` as `$x` where what follows cannot be taken for a part of the name."""
    braced = BRACED_NAME.fullmatch(part.text)
    if not braced:
        return part.text
    following = parts[index + 1] if index + 1 < len(parts) else None
    if isinstance(following, Literal) and (following.quoted == part.quoted) and NAME_START.match(following.text):
        return part.text
    return "$" + braced[1]


def _write(pieces: list[Piece]) -> str:
    """Runs of literal and quoted pieces become segments, each quoted only where it must be."""
    out: list[str] = []
    run: list[Piece] = []
    for piece in pieces:
        if piece[1] in "LQ":
            run.append(piece)
            continue
        if run:
            out.append(_segment(run))
            run = []
        out.append(piece[0])
    if run:
        out.append(_segment(run))
    for index in range(len(out) - 1):
        # A bare `$x` must not swallow the plain text after it.
        out[index] = _apart(out[index], out[index + 1])
    return "".join(out) or "''"


def _segment(run: list[Piece]) -> str:
    if any(kind == "Q" for _, kind in run):
        texts = [text if kind == "Q" else _escape(text) for text, kind in run]
        inside = [_apart(text, after) for text, after in zip(texts, [*texts[1:], ""], strict=True)]
        return '"' + "".join(inside) + '"'
    text = "".join(text for text, _ in run)
    if PLAIN.fullmatch(text):
        return text
    if not text:
        return "''"
    if CONTROL.search(text):
        return "$'" + CONTROL.sub(_control, re.sub(r"(['\\])", r"\\\1", text)) + "'"
    if "'" not in text:
        return f"'{text}'"
    if not re.search(r'[$`"\\!]', text):
        return f'"{text}"'
    return "'" + text.replace("'", "'\\''") + "'"


def _control(match: re.Match[str]) -> str:
    return CONTROL_NAMES.get(match[0], f"\\x{ord(match[0]):02x}")


def _apart(text: str, after: str) -> str:
    return "${" + text[1:] + "}" if BARE_NAME.fullmatch(text) and NAME_START.match(after) else text


def _escape(text: str) -> str:
    return re.sub(r'([$`"\\])', r"\\\1", text)
