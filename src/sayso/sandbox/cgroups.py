"""Control groups, where this process may make some: they count CPU and memory of the whole tree, orphans included.

Groups are always made below the one we are in, so that whatever limits us limits the sandbox too. Moving a process into
a group is slow, so a group is made for a process that starts many runs one after the other, and they are born in it.
"""

from __future__ import annotations

import os
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
    """Where groups can be made, found by making and removing one in each place."""
    mounts = _mounts()
    own = _own_groups()
    unified = mounts["unified"] / own[""].lstrip("/") if "unified" in mounts and "" in own else None
    enabled = _read(unified / "cgroup.subtree_control").split() if unified else []

    def home(controller: str) -> Path | None:
        if unified and controller in enabled:
            return _writable(unified)
        if controller in mounts and controller in own:
            return _writable(mounts[controller] / own[controller].lstrip("/"))
        return None

    # Version 2 counts CPU time in every group, with or without a controller.
    cpu = (_writable(unified) if unified else None) or home("cpuacct")
    return Homes(cpu=cpu, memory=home("memory"))


def make_group(homes: Homes, name: str) -> Group:
    """New groups, with the calling process in them."""
    group = group_named(homes, name)
    try:
        for folder in group.folders():
            folder.mkdir(exist_ok=True)
            descriptor = os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
            os.write(descriptor, b"0")
            os.close(descriptor)
    except OSError:
        remove_group(group)
        raise
    return group


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
        with suppress(OSError):
            folder.rmdir()


def sweep(homes: Homes) -> None:
    """Remove groups that a killed launcher left; one with a process in it is busy and stays."""
    for home in {homes.cpu, homes.memory} - {None}:
        for folder in home.glob(f"{PREFIX}*") if home else ():
            with suppress(OSError):
                process = folder.name.removeprefix(PREFIX).split("-")[0]
                if not Path(f"/proc/{process}").exists():
                    folder.rmdir()


def _writable(home: Path) -> Path | None:
    trial = home / f"{PREFIX}{os.getpid()}-trial"
    try:
        trial.mkdir()
    except OSError:
        return None
    try:
        return home if os.access(trial / "cgroup.procs", os.W_OK) else None
    finally:
        trial.rmdir()


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
