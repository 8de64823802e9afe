"""Archives for fixtures: tar, zip and compressed text that are the same bytes whenever they are made."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Mapping


def pack(path: str, members: Mapping[str, bytes], time: int) -> bytes:
    """An archive of the kind that its name says; text of one file compressed where it is no archive."""
    buffer = io.BytesIO()
    if path.endswith(".zip"):
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, data in members.items():
                archive.writestr(zipfile.ZipInfo(name, (2020, 5, 17, 10, 0, 0)), data)
        return buffer.getvalue()
    if ".tar" in path or path.endswith((".tgz", ".tbz", ".tbz2")):
        mode = (
            "w:gz"
            if path.endswith(("gz",))
            else "w:bz2"
            if path.endswith(("bz2", "tbz"))
            else "w:xz"
            if path.endswith("xz")
            else "w"
        )
        with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]  # one of four modes
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size, info.mtime = len(data), time
                archive.addfile(info, io.BytesIO(data))
        return buffer.getvalue()
    data = b"".join(members.values())
    if path.endswith("bz2"):
        return bz2.compress(data)
    if path.endswith("xz"):
        return lzma.compress(data)
    return gzip.compress(data, mtime=time)
