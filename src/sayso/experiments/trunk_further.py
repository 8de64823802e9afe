"""Rows to go on with where a trunk is there already: what some writers wrote since, and some of what it has learnt.

A new pair stands as it was written, typed in haste about other names, and the other way round. Of the rest a sample is
learnt again, so that it is not forgotten; rows of other targets stand beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from sayso.core.types import Workspace
from sayso.english.prompt import TrunkTokens
from sayso.experiments.trunk_data import (
    both_ways,
    clean,
    cookbook_pairs,
    dev_pairs,
    in_haste,
    nl2bash_pairs,
    rows_of,
    to_arrays,
    told_back,
    weighing_pairs,
    write_folder,
)
from sayso.experiments.trunk_renamed import pools_of, renamed
from sayso.experiments.trunk_style import house_style
from sayso.targets.bash.corpus.asked.pairs import load_asked
from sayso.targets.bash.corpus.unseen import Pair
from sayso.training.arrays import Encoded, load_encoded, some_of, take

FEW = 12
"""Every so many requests of dev are looked at while it trains."""
MOST_BESIDE = 100_000
"""Ids of each file of another target; the rows of some are ten times as long as a command."""
LONGEST_BESIDE = 120
"""Ids of a request of theirs; longer ones would need memory that a laptop has not."""


def new_pairs(writers: Iterable[str]) -> tuple[list[Pair], list[Pair]]:
    """Asked pairs of these writers, and those of all others."""
    chosen = set(writers)
    found: tuple[list[Pair], list[Pair]] = ([], [])
    for one in load_asked():
        found[one.id.partition(":")[0] not in chosen].append(Pair(one.request, one.command, "asked"))
    return found


def write_further(
    workspace: Workspace,
    tokens: TrunkTokens,
    writers: Sequence[str],
    again: int,
    beside: Sequence[Path],
    seed: int,
    out: Path,
) -> dict[str, object]:
    """`further.npz` and `dev-few.npz`, with counts."""
    dropped: Counter[str] = Counter()
    random, spelt = Random(seed), cache(house_style)
    new, known = (clean(workspace, some, dropped) for some in new_pairs(writers))
    pools = pools_of([*new, *known])
    typed = list(in_haste(renamed(new, pools, seed), seed))
    old = [*both_ways(nl2bash_pairs(workspace)), *known, *clean(workspace, cookbook_pairs(1), dropped)]
    learnt = random.sample(old, min(again, len(old)))
    rows = [one._replace(command=spelt(one.command)) for one in (*new, *typed, *learnt)]
    others = {path.stem: at_most(load_encoded(path)) for path in beside}
    back = random.sample(new, len(new) // 2) + random.sample(old, min(again, len(old)) // 6)
    others["told back"] = to_arrays(list(told_back(tokens, back)))
    facts = write_folder(out, tokens, {"further": rows}, dropped, {"further": others})
    few = [*dev_pairs(workspace, house_style)[::FEW], *weighing_pairs(house_style)[::FEW]]
    to_arrays(rows_of(tokens, few)).save(out / "dev-few.npz")
    return {**facts, "dev-few": len(few)}


def at_most(whole: Encoded) -> Encoded:
    """A sample of the shorter rows."""
    rows = np.flatnonzero(whole.source.lengths <= LONGEST_BESIDE)
    source = take(whole.source, rows)
    short = Encoded(source, source, take(whole.target, rows), whole.extra[rows])
    return some_of(short, min(1, MOST_BESIDE / int(short.source.lengths.sum() + short.target.lengths.sum())))
