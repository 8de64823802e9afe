"""Near-duplicates: how many examples say nearly the same as another one (MinHash over triples of tokens)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sayso.core.errors import MissingPart
from sayso.targets.notebook.corpus.counts import NL_TOKEN
from sayso.targets.notebook.syntax.tokens import code_tokens

ALIKE = 0.8
"""Jaccard of the two sets of triples, estimated."""
PERMUTATIONS = 64


class NearIndex:
    """What was seen so far; answers whether something is near to any of it."""

    def __init__(self) -> None:
        datasketch = find_datasketch()
        self.make = datasketch.MinHash
        self.lsh = datasketch.MinHashLSH(threshold=ALIKE, num_perm=PERMUTATIONS)
        self.size = 0

    def is_near(self, request: str, target: str, keep: bool = True) -> bool:
        minhash = self.make(num_perm=PERMUTATIONS)
        minhash.update_batch([*triples([*NL_TOKEN.findall(request.lower()), "\n", *code_tokens(target)])])
        near = bool(self.lsh.query(minhash))
        if keep:
            self.lsh.insert(self.size, minhash)
            self.size += 1
        return near


def triples(tokens: list[str]) -> Iterable[bytes]:
    """a b c d -> "a b c", "b c d"; a shorter list is one."""
    joined = (" ".join(tokens[start : start + 3]) for start in range(max(1, len(tokens) - 2)))
    return {one.encode("utf-8", "surrogatepass") for one in joined}


def find_datasketch() -> Any:
    try:
        import datasketch
    except ImportError as error:
        raise MissingPart("counting near-duplicates needs datasketch", "pip install 'sayso[notebook]'") from error
    return datasketch
