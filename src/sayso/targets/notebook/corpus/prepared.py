"""The mined corpus in the cache: made once from the raw notebooks, then read as packed files, split by split.

The folder is named for the digest of everything it is made from; shards let a killed run go on where it was.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sayso.core.errors import RunFailed
from sayso.core.files import write_atomically
from sayso.core.packed import not_here
from sayso.core.progress import Progress, silent
from sayso.core.types import Example, Split, Workspace
from sayso.scale.engines import Engine, Failed
from sayso.scale.shards import map_shards, read_shards
from sayso.targets.notebook.corpus.assembling import CAP, Report, assemble
from sayso.targets.notebook.corpus.curated import Curation, curate, rows
from sayso.targets.notebook.corpus.elsewhere import look_elsewhere
from sayso.targets.notebook.corpus.held import Held, held_out
from sayso.targets.notebook.corpus.lines import HINT, read_rows, row_writer
from sayso.targets.notebook.corpus.mining import VERSION, Mined, mine
from sayso.targets.notebook.corpus.notebook import Notebook
from sayso.targets.notebook.corpus.packing import examples_of
from sayso.targets.notebook.corpus.sources import RAW, Source, key_of, raw_corpus, read
from sayso.targets.notebook.corpus.stored import (
    REPOSITORY,
    SPLITS,
    split_of_repositories,
    stored_id,
    stored_path,
    stored_rows,
)

SHARD = 200
"""Notebooks: a second or two of work."""


def examples(workspace: Workspace, split: Split) -> Iterator[Example]:
    """The examples of a split, mined first where they are not in the cache."""
    folder = prepared(workspace)
    for row in read_rows(folder / f"{split}.jsonl.zst"):
        yield from examples_of(row)


def prepared(workspace: Workspace, progress: Progress = silent, engine: Engine | None = None) -> Path:
    """The folder in the cache that holds train, dev and test, and `report.json`."""
    folder = workspace.cache / "notebooks" / f"{digest(workspace.data)[:16]}-{VERSION}"
    if not (folder / "report.json").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits, and finds it made
            if not (folder / "report.json").is_file():
                prepare(workspace, folder, progress, engine)
    return folder


def prepare(workspace: Workspace, folder: Path, progress: Progress, engine: Engine | None) -> None:
    parts = folder / "parts"
    mine_into(parts, raw_corpus(workspace.data), progress, engine)
    splits = split_of_repositories(workspace.data)
    curation = Curation()
    progress("curating dev and test", 0, 0)
    held = write_curated(workspace.data, folder, splits, curation)
    report = Report()

    def left_out(row: Mined) -> str:
        split = splits.get(row["repository"], "")
        if split != "train":
            return "repository of dev or test" if split else "repository without a split"
        return "most of its code is in dev or test" if held.has_most(row["cells"]) else ""

    write_rows(folder / "train.jsonl.zst", assemble(lambda: read_mined(parts), left_out, held, CAP, report))
    with write_atomically(folder / "report.json") as file:
        told = {"train": report.as_json(), "curated": curation.as_json()}
        file.write(json.dumps(told, indent=1, ensure_ascii=False).encode())
    shutil.rmtree(parts)


def write_curated(data: Path, folder: Path, splits: Mapping[str, Split], curation: Curation) -> Held:
    """Write dev and test; gives what they hold out of train."""
    stored = {stored_id(row): row for split in ("dev", "test") for row in stored_rows(data, split)}
    prompts = curate(notebooks_of(data, splits), stored, curation)
    look_elsewhere(prompts, map(read, raw_corpus(data)), curation)
    pairs: list[tuple[str, str]] = []
    for split in ("dev", "test"):
        of_split = [prompt for prompt in prompts if splits[prompt.chosen.notebook.repository] == split]
        packed = [*rows(of_split, stored)]
        write_rows(folder / f"{split}.jsonl.zst", packed)
        pairs += [(row["cells"][one["above"] - 1][1], one["reference"]) for row in packed for one in row["examples"]]
    cells = (cell.text for one in notebooks_of(data, splits) for cell in one.cells if cell.kind == "code")
    return held_out(pairs, cells)


def notebooks_of(data: Path, splits: Mapping[str, Split]) -> Iterator[Notebook]:
    """The notebooks of dev and test repositories; those of the others are not parsed."""
    for source in raw_corpus(data):
        named = REPOSITORY.match(source.line)
        if named and splits.get(named[1]) in ("dev", "test"):
            yield read(source)


def digest(data: Path) -> str:
    """Of every file that the corpus is made from."""
    whole = hashlib.sha256()
    for path in [*(data / "notebooks" / name for name in RAW), *(stored_path(data, split) for split in SPLITS)]:
        try:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except FileNotFoundError as error:
            raise not_here(path, "notebooks", HINT) from error
    return whole.hexdigest()


def mine_into(
    parts: Path, sources: Iterable[Source], progress: Progress, engine: Engine | None, total: int = 0
) -> None:
    """Mine into shards; those that an earlier run left are kept."""
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more
        progress("mined notebooks", done, total)

    map_shards(mine, sources, parts, engine, SHARD, key_of, tell)


def read_mined(parts: Path) -> Iterator[Mined]:
    for result in read_shards(parts):
        if isinstance(result, Failed):
            raise RunFailed(f"mining failed on a notebook: {result.error}", "run again with --debug, and report it")
        yield result.value


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with row_writer(path) as write:
        for row in rows:
            write(row)
