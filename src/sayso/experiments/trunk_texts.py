"""The texts of the four targets that a cut vocabulary is chosen by: train parts alone, nothing that is held out.

Files are read as they lie in the data folder: what is counted is text, whatever becomes of it later.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from sayso.core.errors import MissingData, MissingPart
from sayso.core.packed import unpack_xz
from sayso.targets.bash.cookbook.recipes import FOLDER as COOKBOOK
from sayso.targets.bash.corpus.nl2bash import published_pairs

LONGEST = 8_000
"""Characters of one document; the rest of a long one says little new."""
SHARE_OF_CELLS = 0.35
TOGETHER = 2_000


def bash_texts(data: Path) -> Iterator[str]:
    """NL2Bash train, the three cheat sheets, our cookbook."""
    for pair in published_pairs(data, "train"):
        yield from (pair.nl, pair.command)
    for name in ("tldr/tldr_pairs.jsonl.zst", "cheat/cheat_pairs.jsonl", "chubin/chubin_pairs.jsonl"):
        for row in read_rows(data / name):
            yield from (row["description"], row["command"])
    for path in sorted(COOKBOOK.glob("*.toml")):
        yield from path.read_text(encoding="utf-8").splitlines()


def api_texts(data: Path) -> Iterator[str]:
    """Okapi, both splits, train."""
    for path in sorted((data / "okapi").glob("*/*/nl_api.train.tsv.xz")):
        yield from unpack_xz(path).decode("utf-8").splitlines()


def notebook_texts(data: Path) -> Iterator[str]:
    """Markdown and code of a third of the cells of train."""
    random = Random(0)
    for row in read_rows(data / "notebooks/examples_train.jsonl.zst"):
        if random.random() < SHARE_OF_CELLS:
            yield from (row["nl"], row["code_raw"])


def build_texts(data: Path) -> Iterator[str]:
    """Documentation and build files of packages, without those of README-EVAL and their groups."""
    held = evaluated_packages(data / "readme_eval/eval.json")
    rows = list(read_rows(data / "packages/packages.jsonl.zst"))
    groups = {row.get("group") for row in rows if row["name"] in held}
    for row in rows:
        if row["name"] in held or row.get("group") in groups:
            continue
        for one in row["docs"]:
            yield (one.get("text") or "")[:LONGEST]
        files = row.get("build_files") or []
        for one in files.values() if isinstance(files, dict) else files:
            yield str(one.get("text", "") if isinstance(one, dict) else one)[:LONGEST]


TEXTS: dict[str, Callable[[Path], Iterable[str]]] = {
    "bash": bash_texts,
    "api": api_texts,
    "notebook": notebook_texts,
    "build": build_texts,
}


def evaluated_packages(path: Path) -> set[str]:
    """The names of T, V and what supports them, wherever they stand in the file's tables."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    names: set[str] = set()

    def walk(part: object) -> None:
        if isinstance(part, dict):
            names.update(str(part[key]) for key in ("name", "package", "source") if isinstance(part.get(key), str))
            for one in part.values():
                walk(one)
        elif isinstance(part, list):
            for one in part:
                walk(one)

    for table in ("T", "V", "support_T"):
        found = whole.get(table)
        if isinstance(found, dict):
            names.update(found)
        walk(found)
    return names


def count_tokens(definition: str, texts: Iterable[str]) -> Counter[str]:
    """How often each token of a tokenizer stands in the texts."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingPart("counting tokens needs the package tokenizers", "pip install 'sayso[train]'") from error
    engine = Tokenizer.from_str(definition)
    counts: Counter[str] = Counter()
    waiting: list[str] = []

    def flush() -> None:
        for one in engine.encode_batch(waiting, add_special_tokens=False):
            counts.update(one.tokens)
        waiting.clear()

    for text in texts:
        waiting.append(text)
        if len(waiting) == TOGETHER:
            flush()
    flush()
    return counts


def with_equal_weight(counts: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """One count over all targets, in which each has 10⁹ tokens."""
    whole: Counter[str] = Counter()
    for one in counts.values():
        total = max(1, sum(one.values()))
        whole.update({token: n * 10**9 // total for token, n in one.items()})
    return whole


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise MissingData(f"no {path}", "get it with `sayso data get`")
    if path.suffix == ".zst":
        from zstandard import ZstdDecompressor

        with path.open("rb") as file:
            reader = ZstdDecompressor(max_window_size=2**28).stream_reader(file)
            for line in io.TextIOWrapper(reader, encoding="utf-8"):
                yield json.loads(line)
    else:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
