"""The substitutions of a here-document. The grammar misses some; one that is still missed afterwards is refused."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node as Raw

from sayso.core.errors import BadInstruction
from sayso.targets.bash.syntax.tree import Command, Script, Substitution
from sayso.targets.bash.syntax.words import SUBSTITUTIONS, Inner, Source, substitutions_below

STARTS = re.compile(r"\\.|\$\((?!\()|`", re.S)
# A line that nobody ends a document with.
END = "_END_OF_THE_DOCUMENT_"


def document(
    source: Source, body: Raw, inner: Inner, parse: Callable[[str, tuple[int, int]], Script]
) -> list[Substitution]:
    """What a body whose delimiter is not quoted runs; `parse` reads a text of its own whose nodes get a span."""
    found = substitutions_below(source, body, inner, True)
    text = source.slice(body)
    first = source.at(body.start_byte)
    seen = [(source.at(start) - first, source.at(end) - first) for start, end in _below(body)]
    starts = [match for match in STARTS.finditer(text) if match[0][0] != "\\"]
    missed = [match for match in starts if not any(start <= match.start() < end for start, end in seen)]
    if not missed:
        return found
    span = source.start(body), source.end(body)
    if all(match[0] == "`" for match in missed):
        return found + _back_quoted(text, [match.start() for match in missed], span, parse)
    if not text[:1].isspace():
        raise BadInstruction("a here-document that cannot be followed", source.text, span[0])
    # Blanks before the first substitution hide it.
    command = parse(f"cat <<{END}\nx{text.rstrip(chr(10))}\n{END}", span).items[0]
    assert isinstance(command, Command)
    return list(command.redirects[0].inner)


def _below(body: Raw) -> list[tuple[int, int]]:
    """Where the outermost substitutions of a body stand, in bytes."""
    found = []
    stack = list(body.children)
    while stack:
        raw = stack.pop()
        if raw.type in SUBSTITUTIONS:
            found.append((raw.start_byte, raw.end_byte))
        else:
            stack.extend(raw.children)
    return found


def _back_quoted(
    text: str, marks: list[int], span: tuple[int, int], parse: Callable[[str, tuple[int, int]], Script]
) -> list[Substitution]:
    if len(marks) % 2:
        raise BadInstruction("a back quote without its partner", text, span[0])
    found = []
    for first, last in zip(marks[::2], marks[1::2], strict=True):
        inside = re.sub(r"\\([$`\\])", r"\1", text[first + 1 : last])
        found.append(Substitution("$(", parse(inside, span), True, *span))
    return found
