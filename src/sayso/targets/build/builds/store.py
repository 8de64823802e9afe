"""Outcomes of builds by digest, in the user's cache: a file each, written by one rename, so that a kill loses none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
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
    def open_log(self, digest: str) -> Iterator[Callable[[bytes], None]]:
        """What writes to a log, unbuffered, so that it can be followed while the build runs.

        The file is made when the first piece comes, and never where an outcome stands already: a build that is repeated
        for its layer does not change what was recorded.
        """
        path, files = self.log(digest), list[BinaryIO]()

        def write(piece: bytes) -> None:
            if not files:
                files.append(_open(path))
            files[0].write(piece)

        try:
            yield (lambda piece: None) if self.get(digest) else write
        finally:
            for file in files:
                file.close()

    def _path(self, digest: str, kind: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.{kind}"


def _open(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Another process may write the same log: each its own file, and whoever opened last has the name.
        path.unlink(missing_ok=True)
        return path.open("wb", buffering=0)
    except OSError as error:
        raise cannot_write(path, error) from error
