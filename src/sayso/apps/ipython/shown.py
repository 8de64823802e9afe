"""An answer in a notebook: a table, one column a cell, or plain text where there is only that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from sayso.apps.cells import with_imports
from sayso.apps.cli.output import comment, risk_of
from sayso.apps.cli.unseen import visible

COLOURS = {"reads": "#2a7d2a", "writes": "#9a6700", "destroys": "#b3261e", "unknown": "#9a6700"}
TOP = "text-align:left;vertical-align:top;padding:2px 10px"
PRE = "text-align:left;white-space:pre-wrap;margin:2px 0"
NOTHING = "I don't know."


def as_text(answer: Mapping[str, Any]) -> str:
    """The cells one below the other, each with its number."""
    lines: list[str] = []
    for number, one in enumerate(answer["candidates"], 1):
        lines += [f"[{number}] {heading(one, number)}", visible(with_imports(one))]
        lines += [f"    {line}" for line in reasons(one)]
    return "\n".join([*(lines or [NOTHING]), *remarks(answer)])


def as_html(answer: Mapping[str, Any]) -> str:
    """The same side by side. What is shown is text: nothing in it becomes HTML."""
    columns = list(enumerate(answer["candidates"], 1))
    cells = "".join(
        f'<td style="{TOP}"><pre style="{PRE}">{escape(visible(with_imports(one)))}</pre></td>' for _, one in columns
    )
    heads = "".join(
        f'<th style="{TOP}">{number} · <span style="color:{COLOURS.get(one["risk"], COLOURS["unknown"])}">'
        f"{escape(heading(one, number))}</span></th>"
        for number, one in columns
    )
    notes = "".join(f'<td style="{TOP}">{"<br>".join(map(escape, reasons(one)))}</td>' for _, one in columns)
    table = f'<table class="sayso"><tr>{heads}</tr><tr>{cells}</tr><tr>{notes}</tr></table>'
    lines = [*([] if columns else [NOTHING]), *remarks(answer)]
    return (table if columns else "") + "".join(f"<div>{escape(line)}</div>" for line in lines)


def heading(one: Mapping[str, Any], number: int) -> str:
    """ "reads, in the next cell" """
    return comment(risk_of(one)) + (", in the next cell" if number == 1 else "")


def reasons(one: Mapping[str, Any]) -> list[str]:
    found = [*one["why"]]
    if one["unknown_names"]:
        found.append(f"nothing here gives {', '.join(one['unknown_names'])}")
    return [comment(line) for line in found]


def remarks(answer: Mapping[str, Any]) -> Iterator[str]:
    """What is to be known beside the cells."""
    yield from (comment(line) for line in answer.get("said", ()))
    if not answer["candidates"] and answer.get("reason"):
        yield comment(str(answer["reason"]))
    if len(answer["candidates"]) > 1:
        yield "%sayso pick 2 takes another; nothing was run"
    if answer.get("note"):
        yield comment(str(answer["note"]))
