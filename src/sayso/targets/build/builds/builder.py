"""Build jobs: each distinct one once, what lies below first, on any engine; a recorded outcome is never built again."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

from sayso.core.errors import RunFailed, SandboxFailed
from sayso.core.progress import Progress, silent
from sayso.core.types import Layer, Outcome, Sandbox
from sayso.sandbox import open_sandbox, system_identity
from sayso.scale.engines import Engine, Failed
from sayso.scale.engines import map as map_over
from sayso.targets.build.builds import built as words
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.inside import STEPS, THROWN_AWAY, Report, files, read_report, wrapper
from sayso.targets.build.builds.job import PREFIX, Job, with_all_below
from sayso.targets.build.builds.root import root_digest
from sayso.targets.build.builds.store import Store

FOLDER = "builds"
# What programs say where there is no network, for builds that were stopped before the kernel's counters were read.
OFFLINE = re.compile(
    rb"(?i)could not resolve|temporary failure in name resolution|network is unreachable|unable to resolve host"
    rb"|name or service not known|failed to look ?up address"
)
FULL = re.compile(rb"(?i)no space left on device|disk quota exceeded|write error: [^\n]{0,200}space")
REFUSED = re.compile(rb"(?im)^.*(?:permission denied|read-only file system).*$")
DEBHELPER = re.compile(rb"(?m)^   (dh_[a-z_]+|debian/rules [a-z_-]+)")
PATHS = re.compile(rb"(?<![\w.])/[\w./+-]+")
STOPPED = {"cpu": words.ENDLESS, "wall": words.ENDLESS, "memory": words.MEMORY, "output": words.OUTPUT}


@dataclass(frozen=True)
class Builder:
    """`root` is a base system that `make_root` made; without one, packages are built with the host's own tools."""

    cache: Path
    root: Path | None = None
    sandbox: Sandbox | None = None
    """Another sandbox than the real one over `root`, for tests."""
    hear: Callable[[str], None] | None = None
    """Told what a build prints, as it comes; of one that is recorded already nothing comes."""

    def key(self, job: Job) -> str:
        """The job and the system that it is built on: under this its outcome is recorded."""
        return hashlib.sha256(json.dumps([_identity(self.root), job.digest]).encode()).hexdigest()

    @property
    def store(self) -> Store:
        return Store(self.cache / FOLDER)

    def recorded(self, job: Job) -> Built | None:
        return self.store.get(self.key(job))

    def missing(self, jobs: Sequence[Job]) -> list[Job]:
        """The distinct jobs that `build_all` would build, what lies below included."""
        return [job for job in with_all_below(self._unrecorded(jobs)) if self.recorded(job) is None]

    def build(self, job: Job) -> Built:
        return self.recorded(job) or self._build(job)

    def left_by(self, job: Job) -> list[str]:
        """The files that a job left outside the folder in which it was built, as paths inside."""
        self.build(job)
        return sorted(_left(self._layer(job)))

    def build_all(self, jobs: Sequence[Job], engine: Engine | None = None, progress: Progress = silent) -> list[Built]:
        """In the order of `jobs`. One that the sandbox or its source fails raises, after all others were built."""
        waiting = {self.key(job): job for job in self.missing(jobs)}
        total, done, started = len(waiting), 0, time.monotonic()
        failed: dict[str, str] = {}
        while waiting:
            ready = {key: job for key, job in waiting.items() if not any(self.key(one) in waiting for one in job.below)}
            # Nothing can be laid on what could not be built.
            names = [key for key, job in ready.items() if not any(self.key(one) in failed for one in job.below)]
            failed |= dict.fromkeys(ready.keys() - set(names), "")
            if names:
                progress(_told(ready[names[0]], done, total, started), done, total)
            for number, result in enumerate(
                map_over(partial(build_one, self), [ready[key] for key in names], engine, 1)
            ):
                key = names[number]
                if isinstance(result, Failed):
                    failed[key] = f"{ready[key].source.name}: {result.error}"
                else:
                    self._keep(*result.value)
                done += 1
                progress(_told(ready[names[min(number + 1, len(names) - 1)]], done, total, started), done, total)
            waiting = {key: job for key, job in waiting.items() if key not in ready}
        if failed:
            raise RunFailed(
                f"{len(failed)} of {total} builds could not be run; the first: {next(filter(None, failed.values()))}",
                "what was built is recorded: run the same command again when this is mended",
            )
        outcomes = [self.recorded(job) for job in jobs]
        return [outcome for outcome in outcomes if outcome is not None]

    def _unrecorded(self, jobs: Sequence[Job]) -> list[Job]:
        return [job for job in jobs if self.recorded(job) is None]

    def _keep(self, outcome: Built, log: bytes) -> None:
        """What a worker built; on another machine, its cache is not ours."""
        if not self.store.log(outcome.digest).exists():
            with self.store.open_log(outcome.digest) as write:
                write(log)
        self.store.put(outcome)

    def _build(self, job: Job) -> Built:
        layer = self._layer(job)
        outcome = layer.outcome or Outcome(0, b"", b"")
        report = read_report(outcome.stdout.decode(errors="replace"))
        key = self.key(job)
        log = self.store.log(key)
        if not log.exists() or log.read_bytes() != outcome.stderr:
            # Its layer was made by a process that was killed before it could say so.
            with self.store.open_log(key) as write:
                write(outcome.stderr)
        left = list(_left(layer))
        succeeded = outcome.exit_code == 0 and not outcome.stopped
        steps, undone = count_steps(job, report, outcome.stderr, _steps_done(layer))
        return self.store.put(
            Built(
                digest=key,
                exit_code=outcome.exit_code,
                stopped=outcome.stopped,
                cpu_seconds=round(max(outcome.cpu_seconds - report.cpu_before, 0.0), 2),
                steps=steps,
                failed_steps=0 if succeeded else max(undone, 1),
                installed=len(left),
                said=_say(outcome, report, left),
            )
        )

    def _layer(self, job: Job) -> Layer:
        """What a job left, made anew where it was swept; below it, what its own `below` left."""
        for attempt in (1, 2):
            below = [self._layer(other) for other in job.below]
            try:
                layer = self._run(job, [layer for layer in below if next(_left(layer), None)])
            except SandboxFailed as error:
                if error.reason == "layer is gone" and attempt == 1:  # swept since we asked
                    continue
                raise
            break
        return layer

    def _run(self, job: Job, below: Sequence[Layer]) -> Layer:
        with self.store.open_log(self.key(job)) as log:

            def hear(stream: Literal["stdout", "stderr"], piece: bytes) -> None:
                if stream == "stderr":
                    log(piece)
                    if self.hear:
                        self.hear(piece.decode("utf-8", "replace"))

            layer = self._sandbox().layer(
                wrapper(job),
                files(job),
                job.limits,
                below,
                environment=job.variables(),
                hear=hear,
                failed=True,
                leave_out=THROWN_AWAY,
            )
        outcome = layer.outcome or Outcome(0, b"", b"")
        if not outcome.stopped and not read_report(outcome.stdout.decode(errors="replace")).prepared:
            end = outcome.stderr[-300:].decode(errors="replace").strip()
            raise RunFailed(f"the source of {job.source.name} cannot be unpacked: {end}", "get it again")
        return layer

    def _sandbox(self) -> Sandbox:
        return self.sandbox or _open(self.cache, self.root)


def build_one(builder: Builder, job: Job) -> tuple[Built, bytes]:
    """For a worker anywhere: the outcome, and the log since its disk may not be ours."""
    built = builder.build(job)
    return built, Path(built.log).read_bytes()


@lru_cache(maxsize=4)
def _open(cache: Path, root: Path | None) -> Sandbox:
    """One launcher a process for all jobs that it is given."""
    return open_sandbox(cache, root=root)


@lru_cache(maxsize=4)
def _identity(root: Path | None) -> str:
    return root_digest(root) if root else system_identity(None)


def _told(job: Job, done: int, total: int, started: float) -> str:
    if not done:
        return f"building {job.source.name}"
    seconds = (time.monotonic() - started) / done * (total - done)
    left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
    return f"building {job.source.name}, about {left} left"


def count_steps(job: Job, report: Report, log: bytes, done: int) -> tuple[int, int]:
    """Steps, and those that did not succeed where the build failed.

    Of a Debian package they are debhelper's, from the one that it was at when it ended; without debhelper, one.
    """
    if job.source.kind != "debian":
        return max(report.steps, 1), report.steps - done
    if not report.plan:
        return 1, 1
    begun = [match.decode().split()[-1] for match in DEBHELPER.findall(log)]
    at = max((report.plan.index(step) for step in begun if step in report.plan), default=0)
    return len(report.plan), len(report.plan) - at


def _left(layer: Layer) -> Iterator[str]:
    """The files in a layer, as paths inside; marks of removed names and folders are none."""
    for part, prefix in (("top", ""), ("usr", "/usr")):
        yield from (name for name in _files(layer.path / part, prefix) if name != STEPS)


def _files(top: Path, prefix: str) -> Iterator[str]:
    """Everything below a folder that a script made as it liked: nested without end, or closed to us.

    A folder that cannot be read counts as one file, so that nothing in it is overlooked.
    """
    waiting = [(str(top), prefix)] if top.is_dir() else []
    while waiting:
        folder, name = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                found = [(entry.path, entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries]
        except OSError:
            yield name
            continue
        for path, last, mode in found:
            if stat.S_ISDIR(mode):
                waiting.append((path, f"{name}/{last}"))
            elif not stat.S_ISCHR(mode):
                yield f"{name}/{last}"


def _steps_done(layer: Layer) -> int:
    """A script could have put anything there, so no link is followed."""
    try:
        found = (layer.path / "top" / STEPS.lstrip("/")).lstat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _say(outcome: Outcome, report: Report, left: Sequence[str]) -> tuple[str, ...]:
    said = []
    if report.network or (not report.ended and OFFLINE.search(outcome.stderr)):
        said.append(words.NETWORK)
    if any(not path.startswith(f"{PREFIX}/") for path in left):
        said.append(words.OUTSIDE)
    if any(_is_outside(path) for line in REFUSED.findall(outcome.stderr) for path in PATHS.findall(line)):
        said.append(words.REFUSED)
    if report.left_processes:
        said.append(words.PROCESSES)
    if report.disk_full or FULL.search(outcome.stderr):
        said.append(words.DISK)
    if outcome.stopped:
        said.append(STOPPED[outcome.stopped])
    return tuple(said)


def _is_outside(path: bytes) -> bool:
    inside = (PREFIX, "/dev", "/proc", *THROWN_AWAY)
    return not any(path == one.encode() or path.startswith(one.encode() + b"/") for one in inside)
