"""The notebooks of train as windows of ids for a trunk: cells in order, a loss on every target cell.

    python -m sayso.experiments.notebook_streams OUT --data DIR --cache DIR --tokenizer FILE [--share .1] [--held .02]

Windows of 1,024 ids at most; each begins with what was imported and defined above it and repeats cells before it, of
which nothing is learnt. Packed with the standard library, so that a machine with torch alone can read them. Some
repositories are held out: what weighs candidates is fitted on answers to them.
"""

from __future__ import annotations

import argparse
import array
import hashlib
import json
import lzma
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sayso.core.types import Example, Piece, Workspace
from sayso.english.cells import BOILERPLATE, TAG, Encoder, code_ids, given_ids, summary_ids, text_ids
from sayso.english.prompt import load_trunk_tokens
from sayso.experiments.notebook_stubs import stub
from sayso.targets.notebook.corpus.lines import read_rows
from sayso.targets.notebook.corpus.notebook import Cell, Notebook
from sayso.targets.notebook.corpus.packing import examples_of
from sayso.targets.notebook.corpus.pairs import LEFT, has_solution_title, pair_solutions, pairs
from sayso.targets.notebook.corpus.prepared import prepared
from sayso.training.streams import HALF, LEARNT, READ, WINDOW

OVERLAP = 288
GIVEN_SHARE = 0.6
"""Target cells that are shown as an exercise first."""
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1, "dict_size": 1 << 27}]


@dataclass(frozen=True)
class Remembering:
    """An encoder that cuts a short text once: the same lines are imported again and again."""

    tokens: Encoder
    known: dict[str, list[int]]

    def encode(self, text: str) -> list[int]:
        if len(text) > 200:
            return self.tokens.encode(text)
        if (found := self.known.get(text)) is None:
            found = self.known[text] = self.tokens.encode(text)
        return found


@dataclass(frozen=True)
class StreamCell:
    """`ids` as they are read; `given` what stands before them where they are learnt; `lead` is READ, HALF or LEARNT."""

    ids: list[int]
    code: str = ""
    lead: int = READ
    given: tuple[int, ...] = ()


def stream(row: Any, tokens: Encoder, draw: random.Random, exercises: dict[int, str]) -> list[StreamCell]:
    """The cells of a notebook, targets with the code that runs."""
    targets = {one["above"]: one for one in row["examples"]}
    cells: list[StreamCell] = []
    for place, (kind, text, where) in enumerate(row["cells"]):
        if kind == "text":
            cells.append(StreamCell(text_ids(tokens, text)))
        elif place in targets and targets[place]["cell"] == where:
            cells.append(target(targets[place], tokens, draw, exercises))
        else:
            lead = READ if LEFT.search(text) else HALF
            cells.append(StreamCell(code_ids(tokens, text), text, lead))
    last = targets.get(len(row["cells"]))
    if last is not None:
        cells.append(target(last, tokens, draw, exercises))
    return cells


def target(one: Any, tokens: Encoder, draw: random.Random, exercises: dict[int, str]) -> StreamCell:
    code = one["runnable"]
    given = exercises.get(one["cell"], "") or (stub(code, draw) if draw.random() < GIVEN_SHARE else "")
    return StreamCell(code_ids(tokens, code), code, LEARNT, tuple(given_ids(tokens, given)) if given else ())


def windows(cells: Sequence[StreamCell], tokens: Encoder) -> Iterator[list[int]]:
    """Rows that together learn every cell once."""
    start = 0
    while start < len(cells):
        first, back = start, 0
        while first and back + len(cells[first - 1].ids) <= OVERLAP:
            first -= 1
            back += len(cells[first].ids)
        row = [TAG, *lead_in(summary_ids(tokens, (cell.code for cell in cells[:first])))]
        for cell in cells[first:start]:
            row += marked(cell, READ)
        learnt = 0
        while start < len(cells):
            more = [*cells[start].given, *marked(cells[start], cells[start].lead)]
            if len(row) + len(more) > WINDOW and learnt:
                break
            row += more
            learnt += cells[start].lead != READ
            start += 1
        if learnt:
            yield row[:WINDOW]


def lead_in(ids: list[int]) -> list[int]:
    return [READ, *ids[1:]] if ids else []


def marked(cell: StreamCell, lead: int) -> list[int]:
    """A code cell begins with how it is learnt, which becomes BOS where it is read."""
    return [lead, *cell.ids[1:]] if cell.code else cell.ids


def exercises_of(rows: Iterable[Any]) -> dict[tuple[str, str], dict[int, str]]:
    """What exercise notebooks of train give where solution notebooks of the same repository have a target."""
    by_repository: dict[str, list[Notebook]] = defaultdict(list)
    for row in rows:
        cells: list[Cell] = []
        for kind, text, place in row["cells"]:
            cells += [Cell("raw", "")] * (place - len(cells)) + [Cell(kind, text)]
        for one in row["examples"]:
            if one["cell"] >= len(cells):
                cells += [Cell("raw", "")] * (one["cell"] - len(cells)) + [Cell("code", one["runnable"])]
        by_repository[row["repository"]].append(Notebook(row["repository"], row["path"], tuple(cells)))
    found: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for notebooks in by_repository.values():
        if any(map(has_solution_title, notebooks)):
            for pair in pairs(notebooks):
                for solution in pair_solutions(pair, Counter()):
                    key = (pair.solution.repository, pair.solution.path)
                    found[key][solution.cell] = solution.given
    return found


def is_held(repository: str, share: float) -> bool:
    return int(hashlib.sha256(repository.encode()).hexdigest()[:8], 16) < share * 2**32


def held_examples(rows: Iterable[Any], n: int, draw: random.Random) -> Iterator[Example]:
    """Targets of repositories that are held out, as dev has them: mostly with an exercise's code."""
    found = [one for row in rows for one in examples_of(row)]
    for one in draw.sample(found, min(n, len(found))):
        given = stub(one.meta["runnable"], draw) if draw.random() < GIVEN_SHARE else ""
        context = (*one.request.context, *([Piece("code", given, BOILERPLATE)] if given else []))
        yield replace(one, request=replace(one.request, context=context))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.notebook_streams", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the notebooks (%(default)s)")
    parser.add_argument("--held", type=float, default=0.02, help="share of repositories (%(default)s)")
    parser.add_argument("--questions", type=int, default=600, help="targets of those (%(default)s)")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args(argv)
    folder = prepared(Workspace(args.data, args.cache))
    tokens = Remembering(load_trunk_tokens(args.tokenizer), {})
    draw = random.Random(args.seed)
    exercises = exercises_of(read_rows(folder / "train.jsonl.zst"))
    rows: list[list[int]] = []
    held: list[Any] = []
    counts: Counter[str] = Counter(exercises=sum(map(len, exercises.values())))
    for row in read_rows(folder / "train.jsonl.zst"):
        if is_held(row["repository"], args.held):
            held.append(row)
            continue
        if draw.random() >= args.share:
            continue
        cells = stream(row, tokens, draw, exercises.get((row["repository"], row["path"]), {}))
        counts["notebooks"] += 1
        counts["targets"] += sum(cell.lead == LEARNT for cell in cells)
        counts["given"] += sum(bool(cell.given) for cell in cells)
        rows += windows(cells, tokens)
    flat = array.array("H", (one for row in rows for one in row))
    counts["windows"], counts["ids"] = len(rows), len(flat)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    packed = lzma.compress(flat.tobytes(), lzma.FORMAT_XZ, filters=FILTERS)
    args.out.write_bytes(packed)
    asked = [*held_examples(held, args.questions, draw)]
    args.out.with_suffix(".held.jsonl").write_text("".join(json.dumps(asdict(one)) + "\n" for one in asked))
    counts["held"], counts["held notebooks"] = len(asked), len(held)
    sys.stdout.write(json.dumps({**counts, "bytes": len(packed)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
