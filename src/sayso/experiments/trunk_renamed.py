"""Asked pairs under other names: what a request names and its command repeats becomes what another pair names.

So names are copied, not remembered. A name is changed only where every place that it stands in, in both texts, can be
changed with it: `sort people.csv … > people.sorted.csv` keeps its shape, "people over 30 in people.csv" stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from sayso.core.types import Constant, Request
from sayso.english.constants import word_set
from sayso.english.tokens import tokenise
from sayso.targets.bash.corpus.unseen import Pair
from sayso.targets.bash.request.constants_used import constants_of

RENAMED = 0.8
"""Of the names that may be changed."""
STEM = re.compile(r"[A-Za-z][A-Za-z_-]{2,}")
NUMBER = re.compile(r"[1-9]\d{1,3}")
NAMED = frozenset(("file", "path"))
KEPT = word_set(
    "bin boot dev etc home lib mnt opt proc root run sbin srv sys tmp usr var www log origin main master head"
)
"""Names that mean something by themselves."""

Pools = Mapping[str, Sequence[str]]


def pools_of(pairs: Iterable[Pair]) -> Pools:
    """Names and numbers to take from, by kind; a number stands in for one of as many digits."""
    found: dict[str, set[str]] = {}
    for pair in pairs:
        for kind, value in changeable(pair):
            found.setdefault(kind, set()).add(value)
    return {kind: sorted(some) for kind, some in found.items()}


def changeable(pair: Pair) -> list[tuple[str, str]]:
    """(kind, what is written) of all that may be changed in both texts at once."""
    constants = constants_of(Request(pair.text))
    told = {value: kind for one in constants for kind, value in parts_of(one)}
    plain = " ".join(token.text for token in tokenise(pair.text) if token.kind == "word")
    derived = numbers_in(pair.command) - numbers_in(pair.text) - {"0", "1", "2"}
    return [
        (kind, value)
        for value, kind in told.items()
        if stands_in(value, pair.command)
        and not stands_in(value, plain)
        and not (derived and not kind.isalpha())
    ]  # fmt: skip


def parts_of(constant: Constant) -> Iterator[tuple[str, str]]:
    """The names within a constant, its last and those before: `photos/trip.jpg` has `photos` and `trip`."""
    if constant.kind in NAMED and not constant.text.startswith((".", "-")):
        for part in constant.text.strip("'\"").split("/"):
            stem = part.partition(".")[0]
            if STEM.fullmatch(stem) and stem.lower() not in KEPT and not stem[0].isupper():
                yield ("name", stem)
    elif constant.kind == "number" and NUMBER.fullmatch(constant.text):
        yield (f"number of {len(constant.text)}", constant.text)


def renamed(pairs: Iterable[Pair], pools: Pools, seed: int) -> Iterator[Pair]:
    """Every pair, most with other names in it."""
    random = Random(seed)
    for pair in pairs:
        exchanged: dict[str, str] = {}
        for kind, value in changeable(pair):
            other = random.choice(pools.get(kind, [value]))
            if random.random() < RENAMED and not stands_in(other, f"{pair.text} {pair.command}"):
                exchanged[value] = other
        if len(set(exchanged.values())) < len(exchanged):
            exchanged.clear()
        yield pair._replace(text=replaced(pair.text, exchanged), command=replaced(pair.command, exchanged))


def replaced(text: str, exchanged: Mapping[str, str]) -> str:
    if not exchanged:
        return text
    places = "|".join(map(re.escape, sorted(exchanged, key=len, reverse=True)))
    return re.sub(bounded(places), lambda found: exchanged[found[0]], text)


def bounded(pattern: str) -> str:
    return rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])"


def stands_in(value: str, text: str) -> bool:
    return re.search(bounded(re.escape(value)), text) is not None


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))
