"""Outcomes of builds by digest, in the user's cache: a file each, written by one rename, so that a kill loses none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from sayso.core.errors import BadFile
from sayso.core.files import cannot_write, write_atomically
from sayso.targets.build.builds.built import Built


@dataclass(frozen=True)
class Store:
    """Layers of builds may be swept and are made again where they are needed; what stands here stays."""

    folder: Path

    def get(self, digest: str) -> Built | None:
        path = self._path(digest, "json")
        try:
            built = Built.from_json(json.loads(path.read_text("utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadFile(f"{path} is no outcome of a build: {error}", f"rm {path}, and build again") from error
        return replace(built, log=str(self.log(digest)))

    def put(self, built: Built) -> Built:
        """An outcome that stands already stays as it is."""
        if (known := self.get(built.digest)) is not None:
            return known
        record = {**built.to_json(), "log": ""}  # the cache may move
        with write_atomically(self._path(built.digest, "json")) as file:
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n")
        return replace(built, log=str(self.log(built.digest)))

    def log(self, digest: str) -> Path:
        return self._path(digest, "log")

    @contextmanager
    def open_log(self, digest: str) -> Iterator[BinaryIO]:
        """Unbuffered, so that it can be followed while the build runs."""
        path = self.log(digest)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Another process may write the same log: each its own file, and whoever opened last has the name.
            path.unlink(missing_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise cannot_write(path, error) from error
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            yield file

    def _path(self, digest: str, kind: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.{kind}"
