"""Control groups, where this process may make some: they count CPU and memory of the whole tree, orphans included.

A group is never made where it would leave a limit that we are under. Moving a process into a group is slow, so groups
are made for a process that starts many runs one after the other, and the runs are born in them.
"""

from __future__ import annotations

import errno
import os
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "sayso-"


@dataclass(frozen=True)
class Homes:
    """The folders in which groups can be made: for CPU time (version 2 or cpuacct) and for memory."""

    cpu: Path | None = None
    memory: Path | None = None


@dataclass(frozen=True)
class Group:
    """The groups of one run."""

    cpu: Path | None = None
    memory: Path | None = None

    def folders(self) -> list[Path]:
        return list(dict.fromkeys(path for path in (self.cpu, self.memory) if path))


def find_homes() -> Homes:
    """Where groups can be made, found by making one in each place and moving a process into it."""
    mounts, own = _mounts(), _own_groups()
    unified = mounts["unified"] / own[""].lstrip("/") if "unified" in mounts and "" in own else None
    if unified and (home := _usable(unified_home(unified, "memory"))):
        return Homes(cpu=home, memory=home)
    # Version 2 counts CPU time in every group, with or without a controller.
    cpu, memory = (
        [mounts[name] / own[name].lstrip("/")] if name in mounts and name in own else []
        for name in ("cpuacct", "memory")
    )
    return Homes(cpu=_usable(unified, *cpu), memory=_usable(*memory))


def unified_home(own: Path, controller: str) -> Path | None:
    """The group of version 2 whose children have a controller: our own, or else the one above.

    A group that holds processes, as ours does, seldom gives its children controllers. Beside ours is as good as below
    it as long as ours has no limit of its own that would be left behind.
    """
    if controller in _read(own / "cgroup.subtree_control").split():
        return own
    limits = {_read(own / name).split(" ")[0].strip() for name in ("memory.max", "memory.high", "cpu.max")}
    if limits <= {"", "max"} and controller in _read(own.parent / "cgroup.subtree_control").split():
        return own.parent
    return None


def make_group(homes: Homes, name: str) -> Group:
    """New groups, with the calling process in them."""
    group = group_named(homes, name)
    try:
        for folder in group.folders():
            folder.mkdir(exist_ok=True)
            _enter(folder)
    except OSError:
        remove_group(group)
        raise
    return group


def leave_group(homes: Homes, group: Group) -> None:
    """Go back up and remove the groups, where the groups above may hold processes; otherwise somebody else must."""
    for home, folder in zip((homes.cpu, homes.memory), (group.cpu, group.memory), strict=True):
        if home and folder:
            with suppress(OSError):
                _enter(home)
    remove_group(group)


def _enter(folder: Path) -> None:
    descriptor = os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, b"0")
    finally:
        os.close(descriptor)


def group_named(homes: Homes, name: str) -> Group:
    return Group(*(home / f"{PREFIX}{name}" if home else None for home in (homes.cpu, homes.memory)))


def limit_memory(group: Group, megabytes: int) -> None:
    """No more memory than this for all processes of the group; 0 lifts the limit."""
    folder = group.memory
    if folder is None:
        return
    if (folder / "memory.max").exists():
        (folder / "memory.max").write_text(str(megabytes << 20) if megabytes else "max")
        with suppress(OSError):
            (folder / "memory.swap.max").write_text("0")
        return
    value = str(megabytes << 20) if megabytes else "-1"
    # The limit with swap may never be the lower one, so it is raised first and lowered last; some kernels have none.
    swap, plain = folder / "memory.memsw.limit_in_bytes", folder / "memory.limit_in_bytes"
    for path in (plain, swap) if megabytes else (swap, plain):
        if path.exists():
            path.write_text(value)


def cpu_seconds(group: Group) -> float | None:
    """CPU time of everything that ever ran in the group; None where nobody counts it."""
    if group.cpu is None:
        return None
    if usage := _read(group.cpu / "cpuacct.usage"):
        return int(usage) / 1e9
    fields = _read(group.cpu / "cpu.stat").split()
    return int(fields[1]) / 1e6 if fields[:1] == ["usage_usec"] else None


def killed_for_memory(group: Group) -> int:
    """How many processes of the group the kernel killed for want of memory."""
    if group.memory is None:
        return 0
    text = _read(group.memory / "memory.events") or _read(group.memory / "memory.oom_control")
    counts = [line.split()[1] for line in text.splitlines() if line.startswith("oom_kill ")]
    return int(counts[0]) if counts else 0


def remove_group(group: Group) -> None:
    for folder in group.folders():
        _remove(folder)


def sweep(homes: Homes) -> None:
    """Remove groups that a killed launcher left; one with a process in it is busy and stays."""
    for home in {homes.cpu, homes.memory} - {None}:
        for folder in home.glob(f"{PREFIX}*") if home else ():
            with suppress(OSError):
                process = folder.name.removeprefix(PREFIX).split("-")[0]
                if not Path(f"/proc/{process}").exists():
                    folder.rmdir()


def _usable(*homes: Path | None) -> Path | None:
    """The first folder in which a group can be made and entered."""
    for home in filter(None, homes):
        trial = home / f"{PREFIX}{os.getpid()}-trial"
        with suppress(OSError):
            trial.mkdir()
            try:
                enter = ["/bin/sh", "-c", 'echo 0 > "$0"', str(trial / "cgroup.procs")]
                if subprocess.run(enter, stderr=subprocess.DEVNULL, env={}).returncode == 0:
                    return home
            finally:
                _remove(trial)
    return None


def _remove(folder: Path, patience: float = 0.5) -> None:
    """A process that has ended may be counted in its group for a moment longer."""
    deadline = time.monotonic() + patience
    while True:
        try:
            folder.rmdir()
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                return
            time.sleep(0.01)


def _mounts() -> dict[str, Path]:
    """Controller, or "unified" for version 2 → where it is mounted."""
    found: dict[str, Path] = {}
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        # Field 4 is the group that the mount shows; a path below another one could not be put together.
        if before.split()[3] != "/":
            continue
        if kind == "cgroup2":
            found.setdefault("unified", Path(before.split()[4]))
        elif kind == "cgroup":
            for controller in options.split(","):
                found.setdefault(controller, Path(before.split()[4]))
    return found


def _own_groups() -> dict[str, str]:
    """Controller, or "" for version 2 → our own group."""
    groups = {}
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    return groups


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
