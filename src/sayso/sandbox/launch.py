"""Start bubblewrap over a stage that is laid out, and say what is allowed inside: nothing of a script runs out here."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import select
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox import kernel
from sayso.sandbox.cgroups import Group
from sayso.sandbox.owners import USER, USER_ID, Owners
from sayso.sandbox.skeleton import DEVICES, WORK
from sayso.sandbox.stage import ROOT

ENVIRONMENT = {
    "HOME": WORK,
    "HOSTNAME": "sandbox",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "LOGNAME": USER,
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games:/usr/local/sbin:/usr/sbin:/sbin",
    "PYTHONHASHSEED": "0",
    "SHELL": "/bin/bash",
    "TERM": "dumb",
    "TZ": "UTC",
    "USER": USER,
}
# Descriptors of bwrap: where the inside says that it started, the filter, what bwrap tells us, what it waits for, its
# options and the script. The last two are no arguments, so that a script does not find itself, or us, in /proc.
STARTED, FILTER, INFO, READY, OPTIONS, SCRIPT = 3, 4, 5, 6, 7, 8
SHELL = "/usr/bin/bash"
# The limit on processes counts in the innermost user namespace only when it is set from there. The word on STARTED is
# the last thing before the script: what fails earlier is the sandbox's fault, what fails later is the script's. What a
# run sets comes last of all: a search path into a layer must not decide what this shell itself loads.
PRELUDE = (
    f"IFS= read -r -d '' text <&{SCRIPT} && ulimit -u $1 && set -- \"$text\" && "
    f'while IFS= read -r -d \'\' text <&{SCRIPT}; do set -- "$@" "$text"; done && printf started >&{STARTED} && '
    f"exec {STARTED}>&- {FILTER}>&- {INFO}>&- {READY}>&- {OPTIONS}>&- {SCRIPT}>&- && "
    f'{{ (($# < 2)) || export "${{@:2}}"; }} && exec -a bash {SHELL} -c "$1"'
)
# Readable by everybody in an ordinary /proc, and none of a script's business: the kernel's command line may hold
# addresses and tokens, and the interrupts tell when keys are pressed.
MASKED = tuple(f"/proc/{name}" for name in ("cmdline", "interrupts", "kcore", "key-users", "keys", "sysrq-trigger"))
RESOLVER = "/etc/resolv.conf"
START_SECONDS = 20.0
LONGEST_SCRIPT = 130_000
"""One argument of a program holds 128 KiB."""
HINT = "`sayso doctor` says what is missing"


@dataclass(frozen=True)
class Started:
    """A bwrap that is on its way, and our ends of its pipes."""

    process: int
    init: int
    """A descriptor of the process whose death ends everything inside."""
    init_number: int
    stdout: int
    stderr: int
    started: int


@dataclass(frozen=True)
class Cage:
    """What a run may not leave: the parts of a launch that do not depend on its script."""

    bwrap: str
    owners: Owners
    group: Group
    filter: bytes
    shown: list[tuple[str, str]]
    """Folders of the host, and where they are seen inside, read-only."""


def bwrap_options(cage: Cage, limits: Limits) -> list[str]:
    network = ["--ro-bind-try", RESOLVER, RESOLVER] if limits.network else ["--unshare-net"]
    return [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--uid", str(USER_ID), "--gid", str(USER_ID), "--userns-block-fd", str(READY), "--info-fd", str(INFO)),
        *("--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--seccomp", str(FILTER)),
        *("--bind", ROOT, "/", "--proc", "/proc", "--remount-ro", "/proc"),
        *(word for name in DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
        *(word for path in MASKED if Path(path).exists() for word in ("--ro-bind", "/dev/null", path)),
        *(word for outside, inside in cage.shown for word in ("--ro-bind", outside, inside)),
        *network,
        "--clearenv",
        *(word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)),
        *("--chdir", WORK),
    ]


def refuse_links(root: int, cage: Cage, limits: Limits) -> None:
    """bwrap mounts through links, out of the root even, and makes what they lead to: neither files nor layers may lay
    one where it mounts."""
    resolver = [RESOLVER] if limits.network else []
    for path in ("/proc", *(f"/dev/{name}" for name in DEVICES), *resolver, *(inside for _, inside in cage.shown)):
        if not kernel.is_free_of_links(root, os.fsencode(path)):
            raise SandboxFailed(
                f'"{path}" leads over a link, and the sandbox mounts there',
                "leave it out of the files and layers",
                reason="files cannot be put in",
            )


def bwrap_command(limits: Limits) -> list[str]:
    """One process more than allowed: the one that waits for all others inside."""
    processes, most = limits.processes + 1, resource.getrlimit(resource.RLIMIT_NPROC)[1]
    processes = processes if most < 0 else min(processes, most)
    return ["bwrap", "--args", str(OPTIONS), "--", SHELL, "-c", PRELUDE, "prelude", str(processes)]


def rlimits(limits: Limits, memory_is_counted: bool) -> dict[int, tuple[int, int]]:
    """What the kernel limits for each process alone."""
    seconds = int(limits.cpu_seconds) + 2
    memory = limits.memory_mb << 20
    return {
        # 0 still starts a core handler, as root and outside, where /proc/sys/kernel/core_pattern names one; 1 does not.
        resource.RLIMIT_CORE: (1, 1),
        resource.RLIMIT_CPU: (seconds, seconds),
        resource.RLIMIT_DATA: (memory, memory),
        resource.RLIMIT_FSIZE: (limits.file_bytes, limits.file_bytes),
        resource.RLIMIT_MEMLOCK: (1 << 16, 1 << 16),
        # Buffers of pipes and sockets are memory too; fewer of them where no group counts it.
        resource.RLIMIT_NOFILE: (1024, 1024) if memory_is_counted else (256, 256),
        resource.RLIMIT_STACK: (8 << 20, 64 << 20),
    }


def launch(cage: Cage, script: bytes, limits: Limits, environment: Sequence[tuple[str, str]] = ()) -> Started:
    """Start bwrap as the sandbox's user, give its user namespace the users, and let it go on."""
    stdout, stdout_inside = os.pipe()
    stderr, stderr_inside = os.pipe()
    started, started_inside = os.pipe()
    info, info_inside = os.pipe()
    ready_inside, ready = os.pipe()
    options = b"".join(os.fsencode(word) + b"\0" for word in bwrap_options(cage, limits))
    words = [script, *(os.fsencode(f"{name}={value}") for name, value in environment)]
    texts = [_as_file(text) for text in (cage.filter, options, b"".join(word + b"\0" for word in words))]
    inside = (stdout_inside, stderr_inside, started_inside, texts[0], info_inside, ready_inside, *texts[1:])
    for descriptor in (stdout_inside, stderr_inside):
        # Its owner may open it by name, as `echo > /dev/stderr` does.
        os.fchown(descriptor, *[cage.owners.outside(USER_ID)] * 2)
    process = os.fork()
    if process == 0:
        _become_bwrap(cage, limits, inside)
    for descriptor in inside:
        os.close(descriptor)
    try:
        number = _read_init(info)
        init = os.pidfd_open(number)
        kernel.write_id_maps(number, cage.owners.id_maps())
        os.write(ready, b".")
    except (OSError, ValueError) as error:
        os.kill(process, signal.SIGKILL)
        raise SandboxFailed(f"bubblewrap did not start: {_complaint(stderr) or error}", HINT) from error
    finally:
        os.close(info)
        os.close(ready)
    return Started(process, init, number, stdout, stderr, started)


def _as_file(text: bytes) -> int:
    descriptor = os.memfd_create("sandbox")
    os.write(descriptor, text)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _become_bwrap(cage: Cage, limits: Limits, inside: tuple[int, ...]) -> None:
    """The child of the fork: shed everything, then become bwrap. Never returns."""
    try:
        # Where memory runs out, the kernel kills these, and not us who watch them.
        Path("/proc/self/oom_score_adj").write_text("1000")
        # Above every number that is assigned below, so that none is overwritten before it is moved.
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 32) for descriptor in inside]
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        for number, descriptor in zip((1, 2, STARTED, FILTER, INFO, READY, OPTIONS, SCRIPT), high, strict=True):
            os.dup2(descriptor, number)
        os.closerange(SCRIPT + 1, 1 << 20)
        os.umask(0o022)
        # Programs inherit what is ignored or held back: by Python, or by whoever started us (`nohup`, `&` in a script).
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for name, values in rlimits(limits, cage.group.memory is not None).items():
            hard = resource.getrlimit(name)[1]
            resource.setrlimit(name, values if hard < 0 else (min(values[0], hard), min(values[1], hard)))
        if cage.owners.privileged:
            own = cage.owners.outside(USER_ID)
            os.setgroups([])
            os.setresgid(own, own, own)
            os.setresuid(own, own, own)
        os.execve(cage.bwrap, bwrap_command(limits), {"PATH": "/usr/bin:/bin"})
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}".encode(errors="replace"))
    finally:
        os._exit(127)


def _read_init(info: int) -> int:
    """The number of the first process inside, as bwrap tells it."""
    text = b""
    while b"}" not in text:
        if not select.select([info], [], [], START_SECONDS)[0]:
            raise ValueError(f"it said nothing for {START_SECONDS:.0f} s")
        piece = os.read(info, 4096)
        if not piece:
            raise ValueError("it said nothing")
        text += piece
    return int(json.loads(text)["child-pid"])


def _complaint(stderr: int) -> str:
    """What bwrap had to say; whoever still holds the other end need not be waited for."""
    text = b""
    while len(text) < 4096 and select.select([stderr], [], [], 0.2)[0] and (piece := os.read(stderr, 4096)):
        text += piece
    return text.decode(errors="replace").strip()
