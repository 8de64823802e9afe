"""What a notebook trunk is asked on the machine where it learns: held-out cells, everyday requests, dev, test.

    python -m sayso.experiments.notebook_prompts OUT --held FILE --data DIR --cache DIR --tokenizer FILE

Answers to the first fit what weighs candidates; those to dev are looked at while choosing, those to test once, when
all is chosen. Nothing is learnt from any of them there.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sayso.core.types import Example, Piece, Request, Workspace
from sayso.english.cells import read_row
from sayso.english.prompt import load_trunk_tokens
from sayso.english.vocabulary import EOS
from sayso.experiments.asked_lessons import is_held, lesson_of, request_of
from sayso.targets.notebook.asked.stored import load_asked
from sayso.targets.notebook.tasks import load_assignments, load_code, load_everyday


def read_held(path: Path) -> Iterator[Example]:
    """What notebook_streams left out of what is learnt."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        context = tuple(Piece(**one) for one in row["request"]["context"])
        request = Request(row["request"]["text"], context)
        yield Example(row["id"], request, tuple(row["references"]), row["meta"])


def asked_held(is_told: bool = True) -> Iterator[Example]:
    """Requests of asked settings that nothing learns from, as a live kernel's user types them, or with nothing told of
    tables but what the cells above say."""
    for setting, tried in load_asked():
        for place, ask in enumerate(setting.asks) if is_held(setting.id) else ():
            for n, phrasing in enumerate(ask.phrasings):
                request = request_of(lesson_of(setting, place, phrasing, tried, None), None)
                if not is_told:
                    request = replace(request, context=tuple(one for one in request.context if one.kind != "names"))
                yield Example(f"{setting.id}#{place}#{n}", request, (ask.code,), {"runnable": ask.code})


def sets(held: Path, workspace: Workspace) -> Iterator[tuple[str, int, Iterable[Example]]]:
    yield "held", 0, read_held(held)
    yield "asked", 0, asked_held()
    yield "blind", 1, asked_held(is_told=False)
    yield "everyday", 0, load_everyday(workspace, "dev")
    yield "assignments", 0, load_assignments(workspace, "dev")
    yield "dev", 1, load_code(workspace, "dev")
    yield "test", 2, load_code(workspace, "test")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m sayso.experiments.notebook_prompts", description=__doc__)
    parser.add_argument("out", type=Path)
    for name in ("held", "data", "cache", "tokenizer"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args(argv)
    tokens = load_trunk_tokens(args.tokenizer)
    asked: list[dict[str, Any]] = []
    for name, rank, examples in sets(args.held, Workspace(args.data, args.cache)):
        for one in examples:
            prompt = read_row(tokens, one.request, tells_tables=True).ids
            answer = [*tokens.encode(one.meta.get("runnable", one.references[0] if one.references else "")), EOS]
            asked.append({"id": f"{name} {one.id}", "rank": rank, "prompt": prompt, "answer": answer[:384]})
    args.out.write_bytes(lzma.compress(json.dumps(asked).encode(), preset=6))
    longest = max(len(one["prompt"]) for one in asked)
    sys.stdout.write(json.dumps({"prompts": len(asked), "longest": longest, "bytes": args.out.stat().st_size}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
