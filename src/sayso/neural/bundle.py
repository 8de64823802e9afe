"""A trained model as a folder: `bundle.json` says what is in it, and everything is checked before anything is used.

The signature is a digest, not a key: it tells an altered or half-copied folder from a whole one, no friend from a foe.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from sayso.core.errors import BadBundle, BadFile, UserError
from sayso.core.files import cannot_write
from sayso.core.given import open_plain, parse_json, read_plain
from sayso.neural.fields import CURE

FORMAT = 1
MANIFEST = "bundle.json"
LARGEST_MANIFEST, LARGEST_FILE, MOST_FILES = 1_000_000, 4 << 30, 1_000
DIGEST = re.compile("[0-9a-f]{64}")
SHOWN = 160
MISREAD = (
    KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError, EOFError, OSError,
)  # fmt: skip
"""What reading something of another shape ends in, where no check came first."""


@dataclass(frozen=True)
class Bundle:
    """A checked model folder. `settings` are plain JSON values; `files` are the names that may be read."""

    folder: Path
    name: str
    target: str
    kind: str
    settings: Mapping[str, Any]
    files: tuple[str, ...]
    licence: str
    signature: str

    def read(self, name: str) -> bytes:
        """The bytes of one listed file."""
        if name not in self.files:
            raise BadBundle(f"{self.folder} holds no {name}", f"it lists: {', '.join(self.files) or 'nothing'}")
        try:
            return read_plain(self.folder / name, LARGEST_FILE)
        except (OSError, BadFile) as error:
            raise BadBundle(f"{self.place(name)} cannot be read: {error}", CURE) from error

    def place(self, name: str) -> str:
        """A file of this bundle, for messages."""
        return str(self.folder / name)

    def read_json(self, name: str) -> Any:
        """What a listed file says in JSON; raises BadBundle where that is not whole."""
        try:
            return parse_json(self.read(name))
        except ValueError as error:
            raise BadBundle(f"{self.place(name)} is not whole JSON: {shortened(error)}", CURE) from None


@contextmanager
def reading(bundle: Bundle, what: str, cure: str = CURE) -> Iterator[None]:
    """Whatever else a file of another shape ends in is one line: "… holds no grammar that this sayso reads: …"."""
    try:
        yield
    except BadBundle:
        raise
    except UserError as error:
        raise BadBundle(f"{bundle.folder} holds no {what} that this sayso reads: {error.message}", cure) from error
    except MISREAD as error:
        why = f"{type(error).__name__} {shortened(error)}"
        raise BadBundle(f"{bundle.folder} holds no {what} that this sayso reads: {why}", cure) from error


def shortened(error: BaseException) -> str:
    """Some errors quote the whole file."""
    said = error.reason if isinstance(error, UnicodeDecodeError) else str(error)
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"


def load_bundle(folder: Path) -> Bundle:
    """Read and check a model folder; raises BadBundle on the first thing that is not as the manifest says."""
    manifest = read_manifest(folder)
    listed = manifest["files"]
    for name, entry in listed.items():
        try:
            check_file(folder, name, entry)
        except OSError as error:
            raise BadBundle(f"{folder / MANIFEST} lists {name[:SHOWN]!r}: {error.strerror}", CURE) from error
    return Bundle(
        folder=folder,
        name=manifest["name"],
        target=manifest["target"],
        kind=manifest["kind"],
        settings=MappingProxyType(manifest["settings"]),
        files=tuple(listed),
        licence=manifest["licence"],
        signature=manifest["signature"],
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest with its shape, version and signature checked, but not yet the files."""
    path = folder / MANIFEST
    try:
        if path.is_symlink():
            raise BadBundle(f"{path} is a symbolic link", "a bundle is a folder of plain files; copy it as such")
        raw = read_plain(path, LARGEST_MANIFEST)
    except FileNotFoundError:
        raise BadBundle(f"{folder} is no bundle: it has no {MANIFEST}", CURE) from None
    except OSError as error:
        raise BadBundle(f"{path} cannot be read: {error.strerror}", CURE) from error
    except BadFile as error:
        raise BadBundle(error.message, CURE) from None
    try:
        manifest = parse_json(raw, unique=True)
    except ValueError as error:
        raise BadBundle(f"{path} is not whole JSON: {shortened(error)}", CURE) from None
    if not isinstance(manifest, dict):
        raise BadBundle(f"{path} is not a JSON object", CURE)
    if manifest.get("format") != FORMAT or manifest["format"] is True:
        raise BadBundle(
            f"{path} has format {manifest.get('format')!r}; this sayso reads {FORMAT}",
            "use the bundle with the sayso that it was made for, or make it again",
        )
    check_shape(path, manifest)
    try:
        expected = signature_of(manifest)
    except UnicodeEncodeError:
        raise BadBundle(f"{path} holds half of a surrogate pair, which is no text", CURE) from None
    if manifest["signature"] != expected:
        raise BadBundle(f"{path} was altered: its signature does not fit", CURE)
    return manifest


def check_shape(path: Path, manifest: Mapping[str, Any]) -> None:
    for field in ("name", "target", "kind", "licence", "signature"):
        if not isinstance(manifest.get(field), str):
            raise BadBundle(f'{path} has no text "{field}"', CURE)
    for field in ("settings", "files"):
        if not isinstance(manifest.get(field), dict):
            raise BadBundle(f'{path} has no object "{field}"', CURE)
    if len(manifest["files"]) > MOST_FILES:
        raise BadBundle(f"{path} lists {len(manifest['files']):,} files; a bundle has {MOST_FILES:,} at most", CURE)
    for name, entry in manifest["files"].items():
        check_name(path, name)
        if not (isinstance(entry, dict) and isinstance(entry.get("sha256"), str) and type(entry.get("size")) is int):
            raise BadBundle(f"{path} gives no sha256 and size for {name}", CURE)
        if not DIGEST.fullmatch(entry["sha256"]) or not 0 <= entry["size"] <= LARGEST_FILE:
            raise BadBundle(f"{path} gives a sha256 or a size for {name} that no file has", CURE)


def check_name(path: Path, name: str) -> None:
    """A file of a bundle lies inside it, whatever the manifest says."""
    parts = PurePosixPath(name).parts
    if not parts or name != "/".join(parts) or ".." in parts or name.startswith("/") or set(name) & set("\\\0"):
        raise BadBundle(f"{path} lists {name!r}, which is not a file inside the bundle", CURE)


def check_file(folder: Path, name: str, entry: Mapping[str, Any]) -> None:
    path = folder / name
    for part in (path, *path.parents[: len(PurePosixPath(name).parts) - 1]):
        if part.is_symlink():
            raise BadBundle(f"{part} is a symbolic link", "a bundle is a folder of plain files; copy it as such")
    try:
        file = open_plain(path)
    except FileNotFoundError:
        raise BadBundle(f"{path} is missing", CURE) from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size != entry["size"]:
            raise BadBundle(f"{path} has {size:,} bytes instead of {entry['size']:,}", CURE)
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != entry["sha256"]:
        raise BadBundle(f"{path} was altered: sha256 {found[:12]}… instead of {entry['sha256'][:12]}…", CURE)


def signature_of(manifest: Mapping[str, Any]) -> str:
    """SHA-256 over everything in the manifest but the signature itself, so that no setting changes unseen."""
    rest = {key: value for key, value in manifest.items() if key != "signature"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def write_bundle(
    folder: Path,
    *,
    name: str,
    target: str,
    kind: str,
    settings: Mapping[str, Any],
    files: Mapping[str, bytes],
    licence: str,
) -> Bundle:
    """Make or replace a model folder: the old one stays until the new one is whole."""
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "target": target,
        "kind": kind,
        "licence": licence,
        "settings": dict(settings),
        "files": {
            path: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
            for path, content in sorted(files.items())
        },
    }
    for path in files:
        check_name(folder, path)
    manifest["signature"] = signature_of(manifest)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            fresh = scratch / "fresh"
            for path, content in files.items():
                (fresh / path).parent.mkdir(parents=True, exist_ok=True)
                (fresh / path).write_bytes(content)
            fresh.mkdir(exist_ok=True)
            (fresh / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            load_bundle(fresh)
            replace_folder(folder, fresh, scratch / "stale")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    return load_bundle(folder)


def replace_folder(folder: Path, fresh: Path, stale: Path) -> None:
    """Swap `fresh` in; if that fails half-way, the old folder is put back."""
    replaced = folder.exists()
    if replaced:
        folder.rename(stale)
    try:
        fresh.rename(folder)
    except BaseException:
        if replaced:
            stale.rename(folder)
        raise
