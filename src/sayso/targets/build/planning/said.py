"""The commands that the documents of a tree tell to run, as the readers of documents and instructions find them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sayso.targets.build.planning.plan import Said
from sayso.targets.build.reading.commands import command_in
from sayso.targets.build.reading.documents import THRESHOLD, rank_documents
from sayso.targets.build.reading.instructions import Instruction, joined, read_instructions, said_of
from sayso.targets.build.reading.markup import Line, read_lines
from sayso.targets.build.reading.tree import SourceTree

MOST_DOCUMENTS = 8


def documents_read(tree: SourceTree) -> list[str]:
    """Those that are likely to say how to build, the likeliest first."""
    return [one.path for one in rank_documents(tree) if one.score >= THRESHOLD][:MOST_DOCUMENTS]


def said_in(path: str, text: str, lines: Collection[int] | None = None) -> Iterator[Said]:
    """The commands of one document; `lines` keeps only what stands on one of them, or in a block of code with one."""
    each = read_lines(text)
    found = [one for one in read_instructions(path, text) if lines is None or one.evidence.line in lines]
    taken = {one.evidence.line for one in found}
    rest = [one for line in beside(each, taken) for one in said_of(path, line, "step")]
    for one in joined(sorted([*found, *rest], key=lambda one: one.evidence.line)) if rest else found:
        if one.command:
            yield Said(one.command, one.evidence, one.section, lead_of(each, one), one.kind)


def beside(each: Sequence[Line], taken: Collection[int]) -> Iterator[Line]:
    """Commands that were passed over, in a block of code of which another line was taken or that follows one."""
    blocks: list[list[Line]] = []
    for line in each:
        if line.form == "code":
            if not blocks or blocks[-1][-1].number + 1 != line.number:
                blocks.append([])
            blocks[-1].append(line)
    for block in blocks:
        near = range(block[0].number - NEAR, block[0].number)
        if any(line.number in taken for line in block) or any(number in taken for number in near):
            yield from (line for line in block if line.number not in taken and command_in(line.bare))


NEAR = 4
"""Lines between a command in a sentence and the block of code that goes on from it."""


def lead_of(each: Sequence[Line], one: Instruction) -> str:
    """The words that lead to a command: of its own line, or, above a block of code, the last line that is none."""
    at = one.evidence.line - 1
    while at > 0 and each[at].form in ("code", "blank", "fence"):
        at -= 1
    return each[at].text if each[at].form not in ("code", "fence") else ""
