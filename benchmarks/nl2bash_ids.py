"""NL2Bash as ids over one vocabulary of sub-tokens: from the corpus, or from a folder that a bare machine was given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sayso.core.types import Example
    from sayso.training.arrays import Encoded

FILES = ("train.npz", "dev.npz")


@dataclass(frozen=True)
class Ids:
    """Train and dev, and the size of the vocabulary."""

    train: Encoded
    dev: Encoded
    words: int


def find_ids(folder: Path | None) -> Ids | None:
    """None where neither a folder was given nor the corpus is on this machine."""
    if folder is not None:
        from sayso.training.arrays import load_encoded

        return sized(*(load_encoded(folder / name) for name in FILES))
    data = os.environ.get("SAYSO_DATA", "")
    return encode(Path(data)) if data and (Path(data) / "nl2bash").is_dir() else None


def encode(data: Path) -> Ids:
    from sayso.core.types import Workspace
    from sayso.targets import find_task
    from sayso.training.encode import build_vocabularies, encode_dev, encode_train
    from sayso.training.settings import Encoding

    task, encoding = find_task("bash/command"), Encoding("subtoken", source_minimum=2, shared=True)
    workspace = Workspace(data=data, cache=data)
    train: Sequence[Example] = list(task.load(workspace, "train"))
    words = build_vocabularies(train, task.target, encoding)
    found, _ = encode_train(train, task.target, words, encoding)
    dev = encode_dev(task.load(workspace, "dev"), task.target, words, encoding)
    return Ids(found, dev, len(words.target))


def sized(train: Encoded, dev: Encoded) -> Ids:
    most = max(int(part.flat.max()) for whole in (train, dev) for part in (whole.source, whole.target))
    return Ids(train, dev, most + 1)
