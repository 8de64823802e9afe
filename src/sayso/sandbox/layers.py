"""Layers on disk: what a run left, kept under the digest of everything that made it.

A layer's folder appears by one rename. A lock file per digest lets builders wait for each other, keeps a layer that is
in use, and by its time says when a layer was used last.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.types import Layer, Outcome
from sayso.sandbox.messages import Ask
from sayso.sandbox.trees import copy_tree, remove_tree

FORMAT = "1"
MAKING = ".making-"
ABOUT = "about.json"
COLLECTED = ".collected"
"""Its time says when layers were last collected by themselves."""
DAY = 86400.0
MOST_BYTES, MOST_AGE = 5 << 30, 30 * DAY


def layers_folder(cache: Path) -> Path:
    """Open to its owner alone: a script may leave programs in it that run as whoever owns them."""
    folder = cache / "layers"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to another user")
        folder.chmod(0o700)
    except OSError as error:
        raise SandboxFailed(
            f"no layers can be kept in {folder}: {error.strerror}", "choose a cache folder that is yours"
        ) from error
    return folder


def layer_digest(ask: Ask, root_identity: str) -> str:
    """Limits on time, memory and space decide whether a layer is made, not what is in it; the network does. Where a
    stopped script makes a layer as well, all of them do."""
    facts: list[object] = [FORMAT, root_identity, os.fsdecode(ask.script), ask.limits.network, ask.layers]
    facts += [["environment", ask.environment]] if ask.environment else []
    facts += [["leave out", ask.leave_out]] if ask.leave_out else []
    facts += [["failed", astuple(ask.limits)]] if ask.failed else []
    digest = hashlib.sha256(json.dumps(facts).encode())
    for file in ask.files:
        marks = [file.path, file.kind, file.mode, file.mtime, file.owner, len(file.content)]
        digest.update(json.dumps(marks).encode() + file.content)
    return digest.hexdigest()


@contextmanager
def locked(folder: Path, digest: str, exclusive: bool) -> Iterator[int]:
    """Hold the lock of a layer; the descriptor may be handed on, and the lock lasts until its last copy is closed."""
    descriptor = _lock(folder, digest, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
    try:
        os.utime(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(folder: Path, digest: str, how: int) -> int:
    path = folder / f"{digest}.lock"
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, how)
            # A collector may have removed the file while we waited for it.
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)


@contextmanager
def in_use(folder: Path, layers: Sequence[Layer]) -> Iterator[list[int]]:
    """Keep layers from being collected; raises where one is gone already."""
    descriptors: list[int] = []
    try:
        for layer in layers:
            is_ours = layer.path.parent == folder and layer.path.name == layer.digest
            if is_ours:
                descriptors.append(_lock(folder, layer.digest, fcntl.LOCK_SH))
                os.utime(descriptors[-1])
            if not is_ours or not (layer.path / ABOUT).exists():
                raise SandboxFailed(
                    f"the layer {layer.digest[:12]} is not in {folder}",
                    "ask for it again with `layer(…)`: it is made anew where it was collected",
                    reason="layer is gone",
                )
        yield descriptors
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def save(
    folder: Path, digest: str, top: int, usr: int, outcome: Outcome | None = None, leave_out: Sequence[str] = ()
) -> None:
    """Copy what a run left and let it appear under its digest at once. The caller holds the exclusive lock."""
    without = {os.fsencode(path).strip(b"/") for path in leave_out}
    left_out = {
        "top": frozenset(without),
        "usr": frozenset(path[4:] for path in without if path.startswith(b"usr/")),
    }
    sweep(folder, digest)
    making = folder / f"{MAKING}{digest}-{os.getpid()}"
    making.mkdir(mode=0o700)
    try:
        size = 0
        for name, source in (("top", top), ("usr", usr)):
            (making / name).mkdir()
            target = os.open(making / name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                size += copy_tree(source, target, left_out[name])
            finally:
                os.close(target)
        about: dict[str, object] = {"format": FORMAT, "bytes": size, "made": time.time()}
        if outcome is not None:
            (making / "stdout").write_bytes(outcome.stdout)
            (making / "stderr").write_bytes(outcome.stderr)
            about["bytes"] = size + len(outcome.stdout) + len(outcome.stderr)
            about["outcome"] = [outcome.exit_code, outcome.cpu_seconds, outcome.stopped]
        (making / ABOUT).write_text(json.dumps(about))
        making.rename(folder / digest)
    except BaseException:
        remove_tree(making)
        raise


def read_layer(folder: Path, digest: str) -> Layer:
    """A layer that is there, with how its run ended where that was kept. The caller holds a lock."""
    path = folder / digest
    ended = json.loads((path / ABOUT).read_text()).get("outcome")
    if ended is None:
        return Layer(digest, path)
    stdout, stderr = (path / "stdout").read_bytes(), (path / "stderr").read_bytes()
    return Layer(digest, path, Outcome(ended[0], stdout, stderr, (), ended[1], ended[2]))


def sweep(folder: Path, digest: str) -> None:
    """Remove what a killed build of this digest left. The caller holds the exclusive lock."""
    for left in folder.glob(f"{MAKING}{digest}-*"):
        remove_tree(left)


@dataclass(frozen=True)
class Kept:
    """A layer on disk, as the collector sees it."""

    digest: str
    bytes: int
    used: float


def collect_now_and_then(cache: Path) -> list[str]:
    """Collect at most once a day, and only what nobody used for a day; answers with the digests removed."""
    stamp = layers_folder(cache) / COLLECTED
    with suppress(FileNotFoundError):
        if 0 <= time.time() - stamp.stat().st_mtime < DAY:
            return []
    stamp.touch()
    return collect_layers(cache, MOST_BYTES, MOST_AGE, least_age=DAY)


def collect_layers(cache: Path, max_bytes: int, max_age: float, least_age: float = 0.0) -> list[str]:
    """Remove layers not used for `max_age` seconds, then the longest unused until `max_bytes` are kept.

    Answers with the digests removed; a layer in use, or used within `least_age` seconds, stays. What killed and failed
    builds left goes too.
    """
    folder = layers_folder(cache)
    for left in folder.glob(f"{MAKING}*"):
        _remove_if_free(folder, left.name.removeprefix(MAKING).split("-")[0], layer_too=False)
    for lock in folder.glob("*.lock"):
        if not (folder / lock.stem).exists():
            _remove_if_free(folder, lock.stem)
    kept = sorted(_kept(folder), key=lambda layer: layer.used)
    now, total, removed = time.time(), sum(layer.bytes for layer in kept), list[str]()
    for layer in kept:
        age = now - layer.used
        if age < least_age or (age <= max_age and total <= max_bytes):
            break
        if _remove_if_free(folder, layer.digest):
            removed.append(layer.digest)
            total -= layer.bytes
    return removed


def _kept(folder: Path) -> Iterator[Kept]:
    for about in folder.glob(f"*/{ABOUT}"):
        if about.parent.name.startswith(MAKING):
            continue
        used = 0.0
        with suppress(FileNotFoundError):
            used = (folder / f"{about.parent.name}.lock").stat().st_mtime
        with suppress(OSError, ValueError, KeyError):
            yield Kept(about.parent.name, int(json.loads(about.read_text())["bytes"]), used)


def _remove_if_free(folder: Path, digest: str, layer_too: bool = True) -> bool:
    try:
        descriptor = _lock(folder, digest, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    try:
        sweep(folder, digest)
        if layer_too:
            # Out of sight by one rename, so that nobody finds half a layer.
            gone = folder / f"{MAKING}{digest}-removed"
            with suppress(FileNotFoundError):
                (folder / digest).rename(gone)
            remove_tree(gone)
            (folder / f"{digest}.lock").unlink()
    finally:
        os.close(descriptor)
    return True
