"""A map whose results are files: one JSONL a shard, written whole or not at all, so that a killed run resumes.

The process that asked writes the shards, so that a cluster needs no shared disk. Results are JSON values.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sayso.core.errors import BadFile
from sayso.core.files import write_atomically
from sayso.scale.engines import Done, Engine, Failed, Result, Serial, chunked

A = TypeVar("A")

SHARD = 1000


@dataclass(frozen=True)
class ShardReport:
    """What a run did: items in all, how many of them failed, and how many shards an earlier run had left."""

    items: int
    failed: int
    shards: int
    resumed: int


def map_shards(
    fn: Callable[[A], Any],
    items: Iterable[A],
    folder: Path,
    engine: Engine | None = None,
    shard: int = SHARD,
    key: Callable[[A], str] = repr,
    progress: Callable[[int], None] | None = None,
) -> ShardReport:
    """Map into `folder`. A shard that an earlier run made from the same items by the same function is kept as it is."""
    total = failed = shards = resumed = 0
    pending: deque[tuple[int, str, int]] = deque()

    def unfinished() -> Iterator[list[A]]:
        nonlocal total, failed, shards, resumed
        for index, chunk in enumerate(chunked(items, shard)):
            shards, total = index + 1, total + len(chunk)
            digest = fingerprint(fn, chunk, key)
            header = read_header(shard_path(folder, index))
            if header.get("digest") == digest:
                resumed, failed = resumed + 1, failed + int(header["failed"])
                if progress:
                    progress(len(chunk))
                continue
            pending.append((index, digest, len(chunk)))
            yield chunk

    for results in (engine or Serial()).chunks(fn, unfinished()):
        index, digest, size = pending.popleft()
        failed += write_shard(shard_path(folder, index), digest, results)
        if progress:
            progress(size)
    for stale in sorted(folder.glob("shard-*.jsonl"))[shards:]:  # of an earlier, longer input
        stale.unlink()
    return ShardReport(total, failed, shards, resumed)


def read_shards(folder: Path) -> Iterator[Result[Any]]:
    """Every result of a finished run, in the order of its items."""
    for path in sorted(folder.glob("shard-*.jsonl")):
        with path.open(encoding="utf-8") as file:
            next(file, None)
            for line in file:
                row = json.loads(line)
                yield Failed(row["error"], row.get("trace", "")) if "error" in row else Done(row["value"])


def write_shard(path: Path, digest: str, results: Sequence[Result[Any]]) -> int:
    """Returns how many of the results are failures."""
    failed = sum(isinstance(result, Failed) for result in results)
    rows: list[dict[str, Any]] = [{"digest": digest, "items": len(results), "failed": failed}]
    rows += [
        {"value": result.value} if isinstance(result, Done) else {"error": result.error, "trace": result.trace}
        for result in results
    ]
    with write_atomically(path) as file:
        file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "surrogatepass"))
    return failed


def read_header(path: Path) -> dict[str, Any]:
    """The first line of a shard; empty where there is none."""
    try:
        with path.open(encoding="utf-8") as file:
            header = json.loads(file.readline())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} is not a shard: {error}", f"remove it and run again: rm {path}") from error
    return header if isinstance(header, dict) else {}


def shard_path(folder: Path, index: int) -> Path:
    return folder / f"shard-{index:06d}.jsonl"


def fingerprint(fn: Callable[..., Any], chunk: Iterable[A], key: Callable[[A], str]) -> str:
    """Names the function and every item, so that a changed input is never taken for a finished one."""
    digest = hashlib.sha256(f"{fn.__module__}.{getattr(fn, '__qualname__', repr(fn))}\n".encode())
    for item in chunk:
        digest.update(key(item).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
