"""Rows from which the trunk learns calls, as ids: requests for mail, calendar and files, and for described operations.

    python -m sayso.experiments.trunk_calls --data DATA --trunk DIR --out DIR

`api-wording` and `api-calls` are there to learn from, `api-wording-held` and `api-calls-held` to choose by: a tenth of
the lines of every writer, and of the groups of operations. Each has a JSON file of what its rows are beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from sayso.english.prompt import TrunkTokens, answer_ids, load_trunk_tokens, request_ids
from sayso.experiments import trunk_functions, trunk_wording
from sayso.experiments.trunk_data import LONGEST_ANSWER, Ids, in_haste, to_arrays
from sayso.experiments.trunk_wording import Row
from sayso.targets.api.corpus.asked import Taught, taught, taught_apart, taught_more
from sayso.targets.api.corpus.wording import load_wording
from sayso.targets.bash.corpus.unseen import Pair

LONGEST_REQUEST = 260
MARKS = "\"'.,;:?!()[]"
OKAPI, TURNS = 2000, 3
"""Calls of each domain of Okapi's train parts; how often a line stands again about other things."""


def hasty(rows: Iterable[Row], seed: int) -> Iterator[Row]:
    """As one types on the way; words that the answer repeats stay as they are."""
    for row in rows:
        words = row.request.split(" ")
        kept = {word for word in words if plain(word) and plain(word) in row.answer.casefold()}
        answer = f"{row.answer} {' '.join(kept)}"
        typed = next(in_haste([Pair(row.request, answer, row.source)], hash_of(row, seed)))
        yield row._replace(request=typed.text)


def plain(word: str) -> str:
    return word.strip(MARKS).casefold().removesuffix("'s")


def hash_of(row: Row, seed: int) -> int:
    return Random(f"{seed} {row.request} {row.answer}").getrandbits(32)


def wording_rows(data: Path, seed: int) -> list[Row]:
    lines = [one for one in load_wording() if not one.is_held]
    rows = list(trunk_wording.worded_rows(lines))
    pools = trunk_wording.pools_of(rows)
    again = [row for turn in range(TURNS) for row in trunk_wording.swapped(rows, pools, seed + turn)]
    return [*rows, *hasty(again, seed), *trunk_wording.okapi_rows(data, OKAPI, seed)]


def groups() -> Iterator[Taught]:
    yield from taught()
    yield from taught_apart()
    yield from taught_more()


def call_rows(held: bool, seed: int, dropped: Counter[str]) -> list[Row]:
    some = [one for one in groups() if trunk_functions.is_held(one.name) == held]
    found = list(trunk_functions.lessons_of(some))
    lessons = [one for one in found if one is not None]
    dropped[f"{'held' if held else 'train'}: a day that no clock finds"] += len(found) - len(lessons)
    if held:
        right = [trunk_functions.row_of(one.operation, one.request, one.values, one.group, "asked") for one in lessons]
        return [*right, *trunk_functions.others_of(some, Random(seed))]
    rows = list(trunk_functions.rows_of(some, lessons, seed))
    return [typed if row.source == "asked again" else row for row, typed in zip(rows, hasty(rows, seed), strict=True)]


def write(
    folder: Path, name: str, tokens: TrunkTokens, rows: Sequence[Row], dropped: Counter[str]
) -> dict[str, object]:
    kept: list[tuple[Row, Ids]] = []
    for row in dict.fromkeys(rows):
        ids = Ids(request_ids(tokens, row.request, "api", row.context), answer_ids(tokens, row.answer))
        if len(ids.source) > LONGEST_REQUEST or len(ids.target) > LONGEST_ANSWER:
            dropped[f"{name}: too long"] += 1
        else:
            kept.append((row, ids))
    whole = to_arrays([ids for _, ids in kept])
    whole.save(folder / f"{name}.npz")
    told = [{**row._asdict(), "context": [piece.text for piece in row.context]} for row, _ in kept]
    (folder / f"{name}.json").write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")
    return {
        "rows": len(kept),
        "sources": dict(Counter(row.source for row, _ in kept)),
        "nothing": sum(row.answer.startswith("-") for row, _ in kept),
        "mean_request": round(float(whole.source.lengths.mean()), 1),
        "mean_answer": round(float(whole.target.lengths.mean()), 1),
    }


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.trunk_calls", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the corpora")
    parser.add_argument("--trunk", type=Path, required=True, help="a folder with the trunk's tokenizer.json")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args(argv)
    tokens = load_trunk_tokens(args.trunk / "tokenizer.json")
    args.out.mkdir(parents=True, exist_ok=True)
    dropped: Counter[str] = Counter()
    held = list(trunk_wording.worded_rows(one for one in load_wording() if one.is_held))
    parts = {
        "api-wording": wording_rows(args.data, args.seed),
        "api-wording-held": held,
        "api-calls": call_rows(False, args.seed, dropped),
        "api-calls-held": call_rows(True, args.seed, dropped),
    }
    facts: dict[str, object] = {name: write(args.out, name, tokens, rows, dropped) for name, rows in parts.items()}
    facts["dropped"] = dict(dropped)
    (args.out / "api-counts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(facts, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
