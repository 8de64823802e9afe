"""The real sandbox, as its owner holds it: starts the launcher when first needed and sends it a socket for each run."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import sayso
from sayso.core.errors import RunFailed, SandboxFailed, UserError
from sayso.core.types import FileSpec, Hear, Layer, Limits, Outcome
from sayso.sandbox.launch import HINT, LONGEST_SCRIPT
from sayso.sandbox.layers import ABOUT, collect_now_and_then, in_use, layer_digest, layers_folder, locked, read_layer
from sayso.sandbox.messages import Ask, decode_answer, decode_output, encode_ask, receive, send
from sayso.sandbox.owners import is_privileged

SYSTEM_PATH = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
# Isolated and without site packages: nothing but the standard library and this package is ever imported.
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from sayso.sandbox.launcher import main; main(sys.argv[2:])"
TEARDOWN_SECONDS = 60.0
MOST_LAYERS = 200
"""Their locks go to the launcher in one message, which holds 253 descriptors."""
# What changes when programs are installed or removed.
STAMPS = ("/var/lib/dpkg/status", "/usr/bin", "/usr/lib", "/usr/local/bin", "/usr/local/lib")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
READ_ONLY = frozenset(("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"))
"""What bash lets nobody set."""
LOST = "the run was lost: its process in the launcher died"
State = tuple[Path, Path | None, dict[str, Path], str, dict[str, Path]]


class BubblewrapSandbox:
    """Satisfies `Sandbox`. Threads may share it, and it pickles: each process starts a launcher of its own."""

    def __init__(
        self,
        cache: Path,
        root: Path | None = None,
        readable: Mapping[str, Path] | None = None,
        path: str = SYSTEM_PATH,
        overlaid: Mapping[str, Path] | None = None,
    ) -> None:
        """`root` is the folder of another system; `readable`, `overlaid` show folders of the host: inside → folder."""
        self.cache = cache.absolute()
        self.root = root.absolute() if root else None
        self.readable = dict(readable or {})
        self.path = path
        self.overlaid = dict(overlaid or {})
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._owner = -1
        self._control: socket.socket | None = None
        self._stop: weakref.finalize[[subprocess.Popen[bytes], socket.socket, int], BubblewrapSandbox] | None = None

    def __getstate__(self) -> State:
        return self.cache, self.root, self.readable, self.path, self.overlaid

    def __setstate__(self, state: State) -> None:
        self.cache, self.root, self.readable, self.path, self.overlaid = state
        self._forget()

    def run(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
    ) -> Outcome:
        self._refuse_layers(layers)
        with in_use(layers_folder(self.cache), layers) as locks:
            return self._ask(_ask(script, files, limits, layers, environment), locks, hear)

    def layer(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
        failed: bool = False,
        leave_out: Sequence[str] = (),
    ) -> Layer:
        self._refuse_layers(layers, making=True)
        folder = layers_folder(self.cache)
        ask = replace(
            _ask(script, files, limits, layers, environment), failed=failed, leave_out=tuple(sorted(leave_out))
        )
        digest = layer_digest(ask, self._root_identity())
        about = folder / digest / ABOUT
        with locked(folder, digest, exclusive=False):
            if about.exists():
                return read_layer(folder, digest)
        with locked(folder, digest, exclusive=True) as lock, in_use(folder, layers) as locks:
            if not about.exists():
                outcome = self._ask(replace(ask, keep=digest), [lock, *locks], hear)
                if not failed and (outcome.exit_code or outcome.stopped):
                    raise RunFailed(*_explain(outcome))
            layer = read_layer(folder, digest)
        # Here, where space is taken, some is given back; a failure of that is not one of the layer.
        with suppress(OSError, SandboxFailed):
            collect_now_and_then(self.cache)
        return layer

    def _refuse_layers(self, layers: Sequence[Layer], making: bool = False) -> None:
        """What lies in a folder of the host is in no digest, and a layer may lay a link where it is mounted."""
        if self.overlaid and (layers or making):
            raise UserError("a sandbox over a folder of the host has no layers", "open one without `overlaid`")

    def close(self) -> None:
        """End the launcher; the next run starts another."""
        with self._lock:
            if self._stop is not None:
                self._stop()
            self._control = self._stop = None

    def _ask(self, ask: Ask, locks: Sequence[int], hear: Hear | None) -> Outcome:
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._hand_over([theirs.fileno(), *locks])
            ours.settimeout(ask.limits.wall_seconds + TEARDOWN_SECONDS)
            try:
                send(ours, encode_ask(replace(ask, live=hear is not None)))
            except OSError as error:
                raise SandboxFailed(LOST, HINT) from error
            while hear and (said := decode_output(message := _next(ours))):
                hear(*said)
            return decode_answer(message if hear else _next(ours))

    def _hand_over(self, descriptors: list[int]) -> None:
        """Send a run's socket and locks to the launcher; where it was killed, to a new one."""
        try:
            socket.send_fds(self._launcher(), [b"run"], descriptors)
        except OSError:
            self.close()
            socket.send_fds(self._launcher(), [b"run"], descriptors)

    def _launcher(self) -> socket.socket:
        """The socket to a launcher of this very process; a fork does not use its parent's."""
        with self._lock:
            if self._control is None or self._owner != os.getpid():
                if self._control is not None:
                    self._control.close()
                process, self._control = self._start()
                self._owner = os.getpid()
                self._stop = weakref.finalize(self, _stop, process, self._control, self._owner)
            return self._control

    def _start(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        bwrap, layers = find_bwrap(self.path), layers_folder(self.cache)
        shown, over = (
            [word for inside, folder in some.items() for word in (str(folder.resolve()), inside)]
            for some in (self.readable, self.overlaid)
        )
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            folder = Path(sayso.__file__).parent.parent
            image = str(self.root or "")
            process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", "-B", "-c", BOOT, str(folder)),
                    *(str(theirs.fileno()), bwrap, str(layers), image, str(len(shown)), *shown, *over),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={},
                # A key press that interrupts us must not kill a launcher that has to clean up.
                start_new_session=True,
            )
        try:
            ours.settimeout(TEARDOWN_SECONDS)
            decode_answer(ours.recv(1 << 16))
            ours.settimeout(None)
        except (EOFError, OSError) as error:
            _stop(process, ours, os.getpid())
            raise SandboxFailed("the launcher of the sandbox did not start", HINT) from error
        except SandboxFailed:
            _stop(process, ours, os.getpid())
            raise
        return process, ours

    def _root_identity(self) -> str:
        return system_identity(self.root, map(str, self.readable.items()))


def system_identity(root: Path | None, more: Iterable[str] = ()) -> str:
    """What else decides what a script finds: the system below, and whether files can have owners."""
    facts = [os.uname().machine, str(os.geteuid()), str(is_privileged()), str(root or ""), *more]
    for stamp in (f"{root or ''}{path}" for path in STAMPS):
        try:
            facts.append(str(Path(stamp).stat().st_mtime_ns))
        except OSError:
            facts.append("")
    return hashlib.sha256("\n".join(facts).encode(errors="surrogateescape")).hexdigest()


def _next(source: socket.socket) -> bytes:
    """The launcher's next message. What a listener raises never looks like the launcher's fault."""
    try:
        return receive(source)
    except TimeoutError as error:
        raise SandboxFailed("the launcher does not answer", HINT) from error
    except (EOFError, OSError) as error:
        raise SandboxFailed(LOST, HINT) from error


def _ask(
    script: str,
    files: Sequence[FileSpec],
    limits: Limits,
    layers: Sequence[Layer],
    environment: Mapping[str, str] | None,
) -> Ask:
    text = os.fsencode(script)
    for name, value in (environment or {}).items():
        if not NAME.fullmatch(name) or name in READ_ONLY or "\0" in value or len(os.fsencode(value)) > LONGEST_SCRIPT:
            raise UserError(
                f"the variable {name!r} cannot be set in the sandbox",
                "give a name of letters, digits and _, and a value without zero bytes",
            )
    counts = (limits.memory_mb, limits.file_bytes, limits.disk_mb, limits.processes)
    if min(limits.cpu_seconds, limits.wall_seconds, *counts) <= 0 or limits.output_bytes < 0:
        raise UserError(f"no script can run under {limits}", "give limits above zero")
    if len(layers) > MOST_LAYERS:
        raise UserError(f"{len(layers)} layers cannot be stacked: at most {MOST_LAYERS}", "make one layer of several")
    if len(text) > LONGEST_SCRIPT or b"\0" in text:
        raise UserError(
            f"a script of {len(text)} bytes cannot be run: at most {LONGEST_SCRIPT}, and none of them zero",
            "put it into a file of the sandbox, and let the script run that file",
        )
    below = tuple(layer.digest for layer in layers)
    return Ask(text, tuple(files), limits, below, environment=tuple(sorted((environment or {}).items())))


def _explain(outcome: Outcome) -> tuple[str, str]:
    end = outcome.stderr[-600:].decode(errors="replace").strip()
    why = f"the {outcome.stopped} limit ended it" if outcome.stopped else f"exit code {outcome.exit_code}"
    return f"the script of a layer failed: {why}", f"its last words: {end}" if end else "it printed no error"


def _stop(process: subprocess.Popen[bytes], control: socket.socket, owner: int) -> None:
    """Say that no more runs come, whoever else holds a copy of the socket: a fork of the owner, who may not say so."""
    if os.getpid() == owner:
        with suppress(OSError):
            control.shutdown(socket.SHUT_RDWR)
    control.close()
    if os.getpid() != owner:
        return
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def find_bwrap(path: str = SYSTEM_PATH) -> str:
    found = shutil.which("bwrap", path=path)
    if found is None:
        raise SandboxFailed(
            "no sandbox: bubblewrap (the program bwrap) is not installed",
            "install it with `apt install bubblewrap` or your system's package manager, then try `sayso doctor`",
            reason="no bubblewrap",
        )
    return found
