"""Archives: those of fixtures, the same bytes whenever they are made; those that commands make, as what they hold."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
import zlib
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


MOST_UNPACKED = 4_000_000
MOST_MEMBERS = 5_000


def contents(data: bytes) -> str | None:
    """What an archive or compressed file holds, without times and order of members; None for anything else."""
    for name, magic, open_ in (
        ("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(31)),
        ("bzip2", b"BZh", bz2.BZ2Decompressor),
        ("xz", b"\xfd7zXZ", lzma.LZMADecompressor),
    ):
        if data.startswith(magic):
            try:
                inside = open_().decompress(data, MOST_UNPACKED)
            except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
                return None
            return f"{name}\n{contents(inside) or inside.decode('utf-8', 'replace')}"
    try:
        if data.startswith(b"PK"):
            return _zip_members(data)
        if data[257:262] == b"ustar":
            return _tar_members(data)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError):
        return None
    if data.startswith((b"070701", b"070702", b"070707", b"\xc7\x71")):
        return _without_times(data)
    return None


def _zip_members(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = []
        for info in archive.infolist()[:MOST_MEMBERS]:
            with archive.open(info) as file:
                digest = hashlib.sha256(file.read(MOST_UNPACKED)).hexdigest()
            rows.append(f"{info.filename} {info.file_size} {digest}")
    return "\n".join(["zip", *sorted(rows)])


def _tar_members(data: bytes) -> str:
    rows = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for _, info in zip(range(MOST_MEMBERS), archive, strict=False):
            file = archive.extractfile(info) if info.isreg() else None
            digest = hashlib.sha256(file.read(MOST_UNPACKED)).hexdigest() if file else info.linkname
            rows.append(f"{info.name} {info.type!r} {info.mode:o} {digest}")
    return "\n".join(["tar", *sorted(rows)])


def _without_times(data: bytes) -> str | None:
    """cpio: names and what they hold, by walking the headers of the formats that are written in letters."""
    rows: list[str] = []
    at = 0
    while data[at : at + 6] in (b"070701", b"070702", b"070707") and len(rows) < MOST_MEMBERS:
        old = data[at : at + 6] == b"070707"
        try:
            if old:
                mode, length, size = (int(data[at + a : at + b], 8) for a, b in ((18, 24), (59, 65), (65, 76)))
                name_at, step = at + 76, 1
            else:
                mode, size, length = (int(data[at + a : at + a + 8], 16) for a in (14, 54, 94))
                name_at, step = at + 110, 4
        except ValueError:
            return None
        held_at = -(-(name_at + length) // step) * step
        name = data[name_at : name_at + length - 1].decode("utf-8", "replace")
        rows.append(f"{name} {mode:o} {hashlib.sha256(data[held_at : held_at + size]).hexdigest()}")
        at = -(-(held_at + size) // step) * step
    return "\n".join(["cpio", *sorted(rows)]) if rows else None
