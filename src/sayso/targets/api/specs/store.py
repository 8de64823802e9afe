"""A description made ready once and kept in the user's cache: its operations, its index, its weights.

The folder is named by the digest of the first file; the digests of other files that were read lie inside. Plain JSON
and arrays, no pickle. What was taught is put into the description before anything is learnt.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

from sayso.core.errors import BadFile
from sayso.core.given import parse_json
from sayso.core.progress import Progress, silent
from sayso.targets.api.specs.choose import FIELDS, Index, built
from sayso.targets.api.specs.csdl import is_csdl, read_csdl
from sayso.targets.api.specs.documents import Documents, raw_bytes
from sayso.targets.api.specs.learn import learnt
from sayso.targets.api.specs.model import Api, Operation, Scheme, as_row, from_row
from sayso.targets.api.specs.openapi import read_openapi
from sayso.targets.api.specs.reader import Reader, shipped_weights, weights_for
from sayso.targets.api.specs.slots.meaning import reads_texts, remember, text_vectors, texts_of
from sayso.targets.api.specs.teaching import Taught, with_taught

VERSION = "4"
MOST_TEXTS = 6000
"""Texts of slots and choices that are read when a description is made ready, the commonest: some seconds of them."""


class Rows(Sequence[Operation]):
    """Operations that are read from their lines when they are asked for."""

    def __init__(self, path: Path, starts: Sequence[int]) -> None:
        self.path, self.starts = path, starts
        self.made: dict[int, Operation] = {}

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        if at not in self.made:
            with self.path.open("rb") as file:
                file.seek(int(self.starts[at]))
                self.made[at] = from_row(json.loads(file.read(int(self.starts[at + 1] - self.starts[at]))))
        return self.made[at]


def read_api(path: Path) -> tuple[Api, Documents]:
    """A description in any format that is known; raises BadFile."""
    documents = Documents(path)
    root = documents.root()
    api = read_csdl(root, path) if is_csdl(root) else read_openapi(documents)
    return api, documents


def open_spec(path: Path, cache: Path, progress: Progress = silent, taught: Sequence[Taught] = ()) -> Reader:
    """The reader of a description, from the cache where it lies there."""
    told = json.dumps([asdict(one) for one in taught], sort_keys=True).encode() if taught else b""
    weights = json.dumps(shipped_weights(), sort_keys=True).encode()
    digest = hashlib.sha256(VERSION.encode() + hashlib.sha256(raw_bytes(path)).digest() + told + weights).hexdigest()[
        :32
    ]
    folder = cache / "specs" / digest
    found = kept(folder, path)
    if found is None:
        api, documents = read_api(path)
        api = with_taught(api, taught)
        index = built(api.operations)
        found = Reader(api, index, learnt(api, index, weights_for(len(api.operations)), progress))
        keep(folder, found, documents.digests)
    return replace(found, taught={one.request: one.call for one in taught})


def keep(folder: Path, reader: Reader, digests: dict[str, str]) -> None:
    """Written beside and moved into place; a cache that cannot be written is no reason to give no answer."""
    import numpy as np

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            beside = Path(made) / "spec"
            beside.mkdir()
            starts = [0]
            with (beside / "operations.jsonl").open("wb") as file:
                for one in reader.api.operations:
                    starts.append(starts[-1] + file.write(json.dumps(as_row(one), ensure_ascii=False).encode() + b"\n"))
            arrays: dict[str, Any] = {"starts": np.array(starts, np.int64), "idf": reader.index.idf}
            for name in FIELDS:
                arrays[f"{name}-starts"] = reader.index.starts[name]
                arrays[f"{name}-columns"] = reader.index.columns[name]
                arrays[f"{name}-values"] = reader.index.values[name]
            if reader.index.meanings is not None:
                arrays["meanings"] = reader.index.meanings.astype(np.float16)
            texts = texts_kept(reader.api.operations)
            if (vectors := text_vectors(texts)) is not None:
                arrays["texts"] = vectors.astype(np.float16)
            np.savez(beside / "index.npz", **arrays)
            api = reader.api
            meta = {
                "version": VERSION,
                "files": digests,
                "title": api.title,
                "servers": api.servers,
                "schemes": {name: asdict(one) for name, one in api.schemes.items()},
                "warnings": api.warnings,
                "format": api.format,
                "weights": reader.weights,
                "vocabulary": list(reader.index.vocabulary),
                "deeds": reader.index.deeds,
                "ids": [one.id for one in api.operations],
                "texts": texts,
            }
            (beside / "meta.json").write_text(json.dumps(meta, ensure_ascii=False), encoding="utf-8")
            if folder.exists():
                shutil.rmtree(folder)
            beside.rename(folder)
    except OSError:
        return


def kept(folder: Path, path: Path) -> Reader | None:
    """What the cache holds, unless a file has changed or it cannot be read."""
    import numpy as np

    try:
        meta = parse_json((folder / "meta.json").read_bytes())
        if meta["version"] != VERSION or any(
            digest != digest_of(path.resolve().parent / name) for name, digest in meta["files"].items()
        ):
            return None
        with np.load(folder / "index.npz", allow_pickle=False) as arrays:
            index = Index(
                {word: at for at, word in enumerate(meta["vocabulary"])},
                arrays["idf"],
                {name: arrays[f"{name}-starts"] for name in FIELDS},
                {name: arrays[f"{name}-columns"] for name in FIELDS},
                {name: arrays[f"{name}-values"] for name in FIELDS},
                meta["deeds"],
                arrays["meanings"].astype(np.float32) if "meanings" in arrays else None,
            )
            starts = arrays["starts"]
            if "texts" in arrays and reads_texts():
                remember(meta["texts"], arrays["texts"].astype(np.float32))
        schemes = {name: Scheme(**one) for name, one in meta["schemes"].items()}
        rows: Any = Rows(folder / "operations.jsonl", starts)
        api = Api(meta["title"], tuple(meta["servers"]), rows, schemes, tuple(meta["warnings"]), meta["format"])
        return Reader(api, index, meta["weights"], places={name: at for at, name in enumerate(meta["ids"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def texts_kept(operations: Sequence[Operation]) -> list[str]:
    """What is read of slots and choices beforehand: what stands in most operations, where there is much of it."""
    seen = Counter(text for one in operations for text in islice(texts_of(one), 1, None))
    return [text for text, _ in seen.most_common(MOST_TEXTS)]


def digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(raw_bytes(path)).hexdigest()
    except BadFile:
        return ""
