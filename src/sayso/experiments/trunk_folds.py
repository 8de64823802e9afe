"""NL2Bash's train part in folds, so that every request of it can be answered by a network that never saw it.

Such answers are what a reranker may be fitted on: those of a network that learnt the request are too good.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sayso.core.types import Example, Workspace
from sayso.english.prompt import TrunkTokens, answer_ids, request_ids
from sayso.experiments.trunk_data import Ids, to_arrays
from sayso.targets.bash.corpus.nl2bash import group_examples, published_pairs, request_key
from sayso.targets.bash.corpus.unseen import Pair
from sayso.training.arrays import Encoded
from sayso.training.decode import unpack_answers

FOLDS = 3


def fold_of(text: str, folds: int = FOLDS) -> int:
    """Equal normalised requests share a fold, however they are typed."""
    return int(hashlib.sha256(request_key(text).encode()).hexdigest(), 16) % folds


def without_fold(pairs: Sequence[Pair], fold: int) -> list[Pair]:
    """NL2Bash's pairs of the other folds, and everything that is not NL2Bash's."""
    return [pair for pair in pairs if pair.source != "nl2bash" or fold_of(pair.text) != fold]


def fold_examples(workspace: Workspace, fold: int) -> list[Example]:
    """The groups of a fold in the order of the corpus."""
    groups = group_examples(published_pairs(workspace.data, "train"))
    return [one for one in groups if fold_of(one.request.text) == fold]


def fold_arrays(examples: Sequence[Example], tokens: TrunkTokens) -> Encoded:
    rows = [Ids(request_ids(tokens, one.request.text), answer_ids(tokens, one.references[0])) for one in examples]
    return to_arrays(rows)


def candidates(parts: Mapping[str, bytes], folder: Path, tokens: TrunkTokens) -> Iterator[dict[str, object]]:
    """What came home of the folds, a request at a time: its id, its text, and equal answers once, best first."""
    for fold in range(FOLDS):
        asked = json.loads((folder / f"fold-{fold}.json").read_text(encoding="utf-8"))
        name = f"fold-{fold}/fold-{fold}.npz"
        for row, found in zip(asked, unpack_answers(parts[name], name), strict=True):
            best: dict[str, float] = {}
            for ids, score in found:
                best.setdefault(tokens.decode(ids).strip(), round(score, 4))
            yield {**row, "answers": [{"text": text, "logprob": one} for text, one in best.items()], "fold": fold}
