"""A pretrained byte-level BPE cut to the tokens that some texts need; what is dropped is spelt with smaller tokens.

Kept are, with a token, the two that it was merged from, and all 256 bytes: those that the tokenizer lacks get new ids.
Every merge that made a kept token is there in the old order, so a text whose tokens are all kept is cut into the same
tokens, and any text comes back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sayso.core.errors import BadFile, BadRequest

BYTES = 256
NEW = -1
# The names that GPT-2's byte-level BPE gives to bytes: those that print stand for themselves, the rest come after 255.
_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
ALPHABET = frozenset(chr(one) for one in [*_PRINTED, *range(0x100, 0x100 + BYTES - len(_PRINTED))])


@dataclass(frozen=True)
class Cut:
    """A smaller tokenizer, and for each of its ids the old one, or NEW."""

    definition: str
    """JSON of the `tokenizers` package; it makes no special ids from text, whatever the text says."""
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Merges:
    """What a `tokenizers` definition says of a BPE: ids, merges in order, and how many ids at the front are special."""

    vocabulary: Mapping[str, int]
    pairs: Sequence[tuple[str, str]]
    specials: int


def read_merges(definition: str) -> Merges:
    """The specials are the added tokens; they must stand first."""
    try:
        content = json.loads(definition)
        model = content["model"]
        vocabulary: dict[str, int] = dict(model["vocab"])
        pairs = [tuple(one.split(" ")) if isinstance(one, str) else tuple(one) for one in model["merges"]]
        added = {str(one["content"]): int(one["id"]) for one in content.get("added_tokens", [])}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadFile(
            f"this tokenizer is no byte-level BPE: {error!r}", "use the tokenizer.json of the trunk"
        ) from error
    vocabulary |= added
    if sorted(added.values()) != list(range(len(added))):
        raise BadFile("the special tokens of this tokenizer do not come first", "use another trunk")
    return Merges(vocabulary, [(one, two) for one, two in pairs], len(added))


def parents_of(merges: Merges) -> dict[str, tuple[str, str]]:
    """Token -> the two it is merged from, by the merge that comes first."""
    found: dict[str, tuple[str, str]] = {}
    for one, two in merges.pairs:
        found.setdefault(one + two, (one, two))
    return found


def closure(tokens: Iterable[str], parents: Mapping[str, tuple[str, str]]) -> set[str]:
    """The tokens and all that they are merged from."""
    found: set[str] = set()
    waiting = list(tokens)
    while waiting:
        token = waiting.pop()
        if token not in found:
            found.add(token)
            waiting += parents.get(token, ())
    return found


def choose_tokens(merges: Merges, counts: Mapping[str, int], size: int) -> set[str]:
    """The most frequent tokens with all that they need, `size` ids with bytes and specials; equal counts by old id."""
    parents, ids = parents_of(merges), merges.vocabulary
    room = size - merges.specials
    if room < BYTES:
        raise BadRequest(f"{size} ids are too few", f"bytes and specials alone are {BYTES + merges.specials}")
    chosen = set(ALPHABET)
    countable = (one for one in counts if ids.get(one, -1) >= merges.specials)
    for token in sorted(countable, key=lambda one: (-counts[one], ids[one])):
        more = closure([token], parents) - chosen
        if len(chosen) + len(more) <= room:
            chosen |= more
    return chosen


def cut_vocabulary(definition: str, tokens: Iterable[str]) -> Cut:
    """The tokenizer with these tokens, what they are merged from, all bytes, and the specials at their old ids."""
    merges = read_merges(definition)
    ids = merges.vocabulary
    kept = closure(ALPHABET | set(tokens), parents_of(merges))
    if unknown := sorted(kept - ids.keys() - ALPHABET):
        raise BadRequest(f"the tokenizer has no token {unknown[0]!r}", "choose among its own tokens")
    specials = sorted((one for one, at in ids.items() if at < merges.specials), key=lambda one: ids[one])
    tokens = [*specials, *sorted(kept - set(specials), key=lambda one: (ids.get(one, len(ids)), one))]
    content = json.loads(definition)
    content["added_tokens"] = []
    content["post_processor"] = None
    content["model"]["vocab"] = {token: at for at, token in enumerate(tokens)}
    content["model"]["merges"] = [[one, two] for one, two in merges.pairs if {one, two, one + two} <= kept]
    return Cut(json.dumps(content, ensure_ascii=False), tuple(ids.get(token, NEW) for token in tokens))


def length_under(counts: Mapping[str, int], kept: set[str], parents: Mapping[str, tuple[str, str]]) -> int:
    """How many tokens the counted ones become when only `kept` are there: each dropped one is its parents' tokens."""
    lengths: dict[str, int] = {}

    def length(token: str) -> int:
        if token not in lengths:
            lengths[token] = 1 if token in kept or token not in parents else sum(map(length, parents[token]))
        return lengths[token]

    return sum(count * length(token) for token, count in counts.items())
