"""What of the sandbox works on this machine, each part tried for real; `sayso doctor` prints the answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import sayso
from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox import kernel
from sayso.sandbox.bubblewrap import SYSTEM_PATH, BubblewrapSandbox, find_bwrap
from sayso.sandbox.cgroups import find_homes
from sayso.sandbox.launch import HINT
from sayso.sandbox.owners import USER_ID, Owners, is_privileged, refuse_bare_root
from sayso.sandbox.seccomp import ARCHITECTURES

EVERYTHING = ("all execution",)
OLDEST_BWRAP = (0, 5)
OLDEST_KERNEL = (5, 14)
# In a process of its own: a trial of namespaces must not change the caller, whatever threads it has.
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from sayso.sandbox.probe import print_trials; print_trials()"


@dataclass(frozen=True)
class Probe:
    """One thing that the sandbox needs: whether it works, what to do where it does not, and what is lost until then."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    lost: tuple[str, ...] = ()


def probe(path: str = SYSTEM_PATH) -> list[Probe]:
    """Every part by itself, then one whole run."""
    tried = _try_all()
    return [
        _kernel(),
        _bwrap(path),
        _user_namespaces(tried["user namespaces"]),
        _apparmor(tried["user namespaces"]),
        *_mounts(tried),
        _seccomp(),
        *_cgroups(),
        _owners(),
        _whole_run(path),
    ]


def _kernel() -> Probe:
    release = os.uname().release
    version = tuple(map(int, re.findall(r"\d+", release)[:2]))
    ok = sys.platform == "linux" and version >= OLDEST_KERNEL
    wanted = ".".join(map(str, OLDEST_KERNEL))
    return Probe(
        "kernel", ok, f"Linux {release}", "" if ok else f"needs Linux {wanted} or newer", () if ok else EVERYTHING
    )


def _bwrap(path: str) -> Probe:
    cure = "apt install bubblewrap (0.5 or newer)"
    try:
        program = find_bwrap(path)
        text = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, env={}).stdout.strip()
    except (SandboxFailed, OSError, subprocess.TimeoutExpired) as error:
        return Probe("bubblewrap", False, getattr(error, "message", str(error)), cure, EVERYTHING)
    ok = tuple(map(int, re.findall(r"\d+", text)[:2])) >= OLDEST_BWRAP
    return Probe("bubblewrap", ok, f"{text} ({program})", "" if ok else cure, () if ok else EVERYTHING)


def _user_namespaces(trouble: str) -> Probe:
    if not trouble:
        return Probe("user namespaces", True, "an ordinary user can make them")
    cures = {
        "/proc/sys/user/max_user_namespaces": ("0", "sysctl -w user.max_user_namespaces=10000"),
        "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
            "1",
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
    }
    if "No space left" in trouble:
        trouble = "the limit on the number of user namespaces is reached"
    found = [cure for path, (closed, cure) in cures.items() if _read(path) == closed]
    cure = (
        " and ".join(found)
        or "in a container: allow the calls unshare, clone and mount (its seccomp profile forbids them)"
    )
    return Probe("user namespaces", False, trouble, cure, EVERYTHING)


def _apparmor(trouble: str) -> Probe:
    value = _read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    if value != "1":
        return Probe("AppArmor", True, "does not restrict user namespaces")
    cure = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or a profile that allows bwrap `userns`"
    if trouble:
        return Probe("AppArmor", False, "restricts user namespaces of ordinary users", cure, EVERYTHING)
    return Probe("AppArmor", True, "restricts user namespaces, and lets ours pass")


def _mounts(tried: dict[str, str]) -> list[Probe]:
    """Without root these need a user namespace, and where there is none they say nothing of themselves."""
    if tried["user namespaces"] and not is_privileged():
        why, cure = "cannot be tried without user namespaces", "see user namespaces"
        return [Probe(name, False, why, cure, EVERYTHING) for name in ("private mounts", "overlay")]
    if trouble := tried["mounts"]:
        mounts = Probe("private mounts", False, trouble, "use a container that may mount, or none", EVERYTHING)
    else:
        mounts = Probe("private mounts", True, "a disk in memory can be mounted")
    return [mounts, _overlay(tried["overlay"], tried["replaced folders"])]


def _overlay(trouble: str, replaced: str) -> Probe:
    if trouble:
        cure = "load it with `modprobe overlay`, or use Linux 5.11 or newer"
        return Probe("overlay", False, trouble, cure, EVERYTHING)
    if replaced:
        lost = ("removing a folder of a layer and making it anew",)
        return Probe("overlay", True, f"works, but {replaced}", "run as root, or use Linux 6.6 or newer", lost)
    return Probe("overlay", True, "works on a disk in memory")


def _seccomp() -> Probe:
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        cure = f"use one of {', '.join(ARCHITECTURES)}"
        return Probe("seccomp", False, f"no filter is written for {machine}", cure, EVERYTHING)
    ok = "errno" in _read("/proc/sys/kernel/seccomp/actions_avail")
    cure = "" if ok else "use a kernel with CONFIG_SECCOMP_FILTER"
    return Probe("seccomp", ok, f"filters work, {machine}" if ok else "no filters", cure, () if ok else EVERYTHING)


def _cgroups() -> list[Probe]:
    homes = find_homes()
    cure = "run as root, or let your user make groups: `systemd-run --user --scope -p Delegate=yes …`"
    rows = (
        ("CPU time by cgroup", homes.cpu, "CPU time of processes that were never waited for is seen only every 0.1 s"),
        ("memory by cgroup", homes.memory, "memory is limited for each process, and for all together only every 0.1 s"),
    )
    return [
        Probe(
            name,
            home is not None,
            f"groups in {home}" if home else "no group can be made",
            *(("",) if home else (cure, (lost,))),
        )
        for name, home, lost in rows
    ]


def _owners() -> Probe:
    if is_privileged():
        return Probe("file owners", True, "files can belong to other users")
    try:
        refuse_bare_root()
    except SandboxFailed as error:
        return Probe("file owners", False, error.message, error.hint, EVERYTHING)
    lost = ("examples with files of other owners (counted as unscored)",)
    return Probe("file owners", False, "not root: every file belongs to the caller", "run as root", lost)


def _whole_run(path: str) -> Probe:
    with tempfile.TemporaryDirectory(prefix="sayso-probe-") as folder:
        sandbox = BubblewrapSandbox(Path(folder), path=path)
        try:
            outcome = sandbox.run("echo works", [], Limits(disk_mb=8))
        except SandboxFailed as error:
            cure = "see the failed parts above" if error.hint == HINT else error.hint
            return Probe("sandbox", False, error.message, cure, EVERYTHING)
        finally:
            sandbox.close()
    ok = outcome.stdout == b"works\n"
    detail = "a command ran" if ok else outcome.stderr.decode(errors="replace")
    return Probe("sandbox", ok, detail, "" if ok else "see the failed parts above", () if ok else EVERYTHING)


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _try_all() -> dict[str, str]:
    """Name of a trial → what went wrong, empty where it worked."""
    command = [sys.executable, "-I", "-S", "-B", "-c", BOOT, str(Path(sayso.__file__).parent.parent)]
    done = subprocess.run(command, capture_output=True, timeout=60, env={}, cwd="/")
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines() or ["no answer"]
        return dict.fromkeys(TRIALS, f"the trial broke: {words[-1]}")
    answers: dict[str, str] = json.loads(done.stdout)
    return answers


def print_trials() -> None:
    """The other side of `_try_all`."""
    print(json.dumps({name: _in_fork(trial) for name, trial in TRIALS.items()}))


def _in_fork(trial: Callable[[], None]) -> str:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            trial()
        except OSError as error:
            os.write(writer, f"{error.strerror} ({error.filename})".encode())
        finally:
            os._exit(0)
    os.close(writer)
    text = b""
    while piece := os.read(reader, 4096):
        text += piece
    os.close(reader)
    os.waitpid(child, 0)
    return text.decode()


def _try_user_namespace() -> None:
    """As the sandbox makes it: by a user who is not root."""
    if is_privileged():
        own = Owners(privileged=True).outside(USER_ID)
        os.setgroups([])
        os.setresgid(own, own, own)
        os.setresuid(own, own, own)
    kernel.unshare(kernel.NEW_USER)


def _try_mounts() -> None:
    if not is_privileged():
        kernel.enter_user_namespace()
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("", "/", "", kernel.RECURSIVE | kernel.SLAVE)
    kernel.mount("sayso", "/tmp", "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, "mode=755,size=1m")
    os.chdir("/tmp")


def _try_overlay() -> None:
    mark = "" if is_privileged() else ",userxattr"
    _try_mounts()
    for name in ("top", "work", "all", "low", "low/folder"):
        Path(name).mkdir()
    Path("low/folder/file").touch()
    kernel.mount("overlay", "all", "overlay", 0, f"lowerdir=low,upperdir=top,workdir=work{mark}")


def _try_replaced_folder() -> None:
    _try_overlay()
    Path("all/folder/file").unlink()
    Path("all/folder").rmdir()
    Path("all/folder").mkdir()


TRIALS: dict[str, Callable[[], None]] = {
    "user namespaces": _try_user_namespace,
    "mounts": _try_mounts,
    "overlay": _try_overlay,
    "replaced folders": _try_replaced_folder,
}
