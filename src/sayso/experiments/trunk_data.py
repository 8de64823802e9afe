"""Pairs for the trunk's two steps of training, as ids: cheat sheets and cookbook first, then NL2Bash with cookbook.

Nothing of NL2Bash's dev and test parts is among them (`targets/bash/corpus/unseen`), and nothing of the everyday set.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from random import Random

from sayso.cookbook.entry import example_values, spoken
from sayso.cookbook.slot_types import TYPES
from sayso.core.types import Piece, Workspace
from sayso.english.prompt import TrunkTokens, answer_ids, request_ids, told_ids
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.meaning import is_held_back
from sayso.targets.bash.cookbook.recipes import FOLDER as COOKBOOK
from sayso.targets.bash.cookbook.recipes import load_recipes
from sayso.targets.bash.corpus.asked.pairs import WEIGHING, AskedPair, load_asked
from sayso.targets.bash.corpus.nl2bash import load, published_pairs
from sayso.targets.bash.corpus.unseen import Pair, held_out, unseen
from sayso.targets.bash.lessons.registers import with_typo
from sayso.training.arrays import Encoded, encoded, joined

LONGEST_REQUEST, LONGEST_BESIDE, LONGEST_ANSWER = 80, 160, 98
"""Ids: of a request alone, of one with examples, of an answer."""
ARTICLES = frozenset(("the", "a", "an"))
BARE, SMALL, MISTYPED, SHORTEST_TYPO = 0.3, 0.5, 0.1, 4


@dataclass(frozen=True)
class Ids:
    """One pair for the network."""

    source: list[int]
    target: list[int]


def nl2bash_pairs(workspace: Workspace) -> Iterator[Pair]:
    """The published train part, as the paper's systems saw it."""
    for pair in published_pairs(workspace.data, "train"):
        yield Pair(pair.nl, pair.command, "nl2bash")


def cookbook_pairs(turns: int = 6) -> Iterator[Pair]:
    """Every phrasing of every recipe with so many fillings of its slots, where values are said as they are written.

    Those that the cookbook's own weights are fitted with are left out: a trunk that knew them would answer too well.
    """
    for recipe in load_recipes(COOKBOOK):
        for number, phrasing in enumerate(recipe.say):
            for turn in () if is_held_back(phrasing) else range(turns):
                values = example_values(recipe, turn + number)
                said = {name: value.strip("'\"") for name, value in values.items() if "{" + name in phrasing}
                if all(is_written(recipe.slots[name].type, value) for name, value in said.items()):
                    yield Pair(spoken(phrasing, recipe, values), render(recipe, said), "cookbook")


def asked_pairs() -> Iterator[Pair]:
    """Requests in the words of people who want something done; those near a dev or test part are not among them."""
    for pair in load_asked():
        yield Pair(pair.request, pair.command, "asked")


def is_written(kind: str, value: str) -> bool:
    """Whether a value stands in a command as it is said: 3d does, "three days" does not."""
    return not TYPES[kind].pattern or re.fullmatch(TYPES[kind].pattern, value) is not None


def spoken_otherwise(text: str) -> str:
    """As one types it: no capital at the front of an English word, no full stop. "List files." -> "list files" """
    text = re.sub(r"(?<=\w)\.$", "", text.strip())
    return re.sub(r"^([A-Z])(?=[a-z]* )", lambda match: match[1].lower(), text)


def both_ways(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Every pair, and again as one types it where that is different."""
    for pair in pairs:
        yield pair
        typed = spoken_otherwise(pair.text)
        if typed != pair.text:
            yield pair._replace(text=typed)


def in_haste(pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """As one types on the way: articles left out, small letters, a slip now and then; what the command says stays."""
    random = Random(seed)
    for pair in pairs:
        words = pair.text.split(" ")
        if random.random() < BARE:
            words = [word for word in words if word not in ARTICLES] or words
        if random.random() < SMALL:
            words = [word if word in pair.command else word.lower() for word in words]
        long = [at for at, word in enumerate(words) if len(word) >= SHORTEST_TYPO and word not in pair.command]
        if long and random.random() < MISTYPED:
            at = random.choice(long)
            words[at] = with_typo(words[at], random)
        yield pair._replace(text=" ".join(words))


def as_ids(
    tokens: TrunkTokens, pairs: Iterable[Pair], dropped: Counter[str], contexts: Iterable[Piece | None] = ()
) -> Iterator[Ids]:
    """Pairs with what stands before their requests, if anything does; those that are too long are counted."""
    for pair, piece in zip(pairs, chain(contexts, repeat(None)), strict=False):
        row = row_of(tokens, pair, piece)
        if len(row.source) > (LONGEST_BESIDE if piece else LONGEST_REQUEST) or len(row.target) > LONGEST_ANSWER:
            dropped[f"{pair.source}: too long"] += 1
        else:
            yield row


def to_arrays(rows: Sequence[Ids]) -> Encoded:
    return encoded([row.source for row in rows], None, [row.target for row in rows], [0] * len(rows))


def dev_pairs(workspace: Workspace, style: Callable[[str], str] = str) -> list[Pair]:
    """Every group of NL2Bash dev in order, with its first reference in some style."""
    return [Pair(one.request.text, style(one.references[0]), "nl2bash dev") for one in load(workspace, "dev")]


def weighing_pairs(style: Callable[[str], str] = str) -> list[Pair]:
    """Requests as people type them that no step learns from: half of those that answers are weighed by."""
    pairs = (pair for pair in load_asked(WEIGHING) if is_looked_at(pair))
    return [Pair(pair.request, style(pair.command), "asked-weighing") for pair in pairs]


def is_looked_at(pair: AskedPair) -> bool:
    return int(pair.digest[-1], 16) < 8


def rows_of(tokens: TrunkTokens, pairs: Iterable[Pair], contexts: Iterable[Piece | None] = ()) -> list[Ids]:
    """Every pair, however long: what answers are compared with."""
    return [row_of(tokens, *one) for one in zip(pairs, chain(contexts, repeat(None)), strict=False)]


def told_back(tokens: TrunkTokens, pairs: Iterable[Pair]) -> Iterator[Ids]:
    """The other way round: a command is read and a request said that it answers (`english/prompt.told_ids`)."""
    for pair in pairs:
        row = Ids(told_ids(tokens, pair.command), answer_ids(tokens, pair.text))
        if len(row.source) <= LONGEST_ANSWER and len(row.target) <= LONGEST_REQUEST:
            yield row


def row_of(tokens: TrunkTokens, pair: Pair, piece: Piece | None) -> Ids:
    return Ids(request_ids(tokens, pair.text, context=(piece,) if piece else ()), answer_ids(tokens, pair.command))


def first_step(sheets: Sequence[Pair], grammar: Sequence[Pair], seed: int) -> list[Pair]:
    """Sheets, as written or as typed, and the expanded cookbook."""
    random = Random(seed)
    said = [one._replace(text=spoken_otherwise(one.text)) if random.random() < 0.5 else one for one in sheets]
    return [*said, *grammar]


def second_step(train: Sequence[Pair], turns: int, others: Iterable[Pair]) -> list[Pair]:
    """NL2Bash as written and as typed in every turn, everything else once."""
    return [*(pair for _ in range(turns) for pair in both_ways(train)), *others]


def clean(workspace: Workspace, pairs: Iterable[Pair], dropped: Counter[str]) -> list[Pair]:
    """Once each, none held out."""
    return list(unseen(dict.fromkeys(pairs), held_out(workspace), dropped))


def write_folder(
    folder: Path,
    tokens: TrunkTokens,
    steps: Mapping[str, Sequence[Pair]],
    dropped: Counter[str],
    beside: Mapping[str, Mapping[str, Encoded]] | None = None,
    contexts: Mapping[str, Sequence[Piece | None]] | None = None,
) -> dict[str, object]:
    """NAME.npz for every step with the rows that stand `beside` it, and what was counted."""
    before = dict(contexts or {})
    folder.mkdir(parents=True, exist_ok=True)
    facts: dict[str, object] = {}
    for name, pairs in steps.items():
        rows = list(as_ids(tokens, pairs, dropped, before.get(name, ())))
        others = dict((beside or {}).get(name, {}))
        whole = joined([to_arrays(rows), *others.values()])
        whole.save(folder / f"{name}.npz")
        lengths = whole.source.lengths.mean(), whole.target.lengths.mean()
        facts[name] = {
            "rows": len(rows),
            "sources": dict(Counter(pair.source for pair in pairs)),
            "beside": {other: len(one) for other, one in others.items()},
            "with_context": sum(piece is not None for piece in before.get(name, ())),
            "mean_request": round(float(lengths[0]), 1),
            "mean_answer": round(float(lengths[1]), 1),
        }
    facts["dropped"] = dict(dropped)
    (folder / "counts.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return facts
