"""The launcher: one small process beside each sandbox that forks a child for every run.

It keeps runs cheap (no interpreter is started for them), forks safely whatever threads its owner has, and alone holds
the mounts. It ends when its owner does.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed, SaysoError
from sayso.core.types import Outcome
from sayso.sandbox import kernel, stage
from sayso.sandbox.cgroups import Homes, find_homes, make_group, remove_group, sweep
from sayso.sandbox.changes import Listing, compare, list_changes, remember
from sayso.sandbox.files import put_files
from sayso.sandbox.launch import HINT, Cage, launch
from sayso.sandbox.layers import save
from sayso.sandbox.messages import Ask, decode_ask, encode_error, encode_outcome, receive, send
from sayso.sandbox.seccomp import build_filter
from sayso.sandbox.watch import Watch

MOST_DESCRIPTORS = 250


@dataclass(frozen=True)
class Settings:
    """What stays the same for all runs of a launcher."""

    bwrap: str
    grounds: stage.Grounds
    homes: Homes


def main(arguments: list[str]) -> None:
    """Arguments: the control socket's number, bwrap, the folder of layers, an image or "", pairs of folders to show."""
    control = socket.socket(fileno=int(arguments[0]))
    try:
        settings = _prepare(arguments[1], Path(arguments[2]), arguments[3], arguments[4:])
    except OSError as error:
        name = f" on {error.filename}" if error.filename else ""
        control.send(encode_error(SandboxFailed(f"no private mounts: {error.strerror}{name}", HINT)))
        return
    except KeyError as error:
        control.send(encode_error(SandboxFailed(f"no system-call filter for the architecture {error}", HINT)))
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # A collection in a child would touch, and so copy, every page.
    gc.disable()
    gc.freeze()
    control.send(encode_outcome(Outcome(0, b"", b"")))
    _serve(control, settings)


def _prepare(bwrap: str, layers: Path, image: str, shown: list[str]) -> Settings:
    os.umask(0o022)
    homes = find_homes()
    sweep(homes)
    build_filter(memory_is_counted=True)
    pairs = list(zip(shown[::2], shown[1::2], strict=True))
    return Settings(bwrap, stage.prepare(layers, Path(image) if image else None, pairs), homes)


def _serve(control: socket.socket, settings: Settings) -> None:
    """Fork for every socket that comes in; when the owner is gone, wait until all runs have cleaned up."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 16, MOST_DESCRIPTORS)
        if not message:
            break
        if os.fork() == 0:
            control.close()
            _serve_one(socket.socket(fileno=descriptors[0]), settings)
        for descriptor in descriptors:
            os.close(descriptor)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def _serve_one(client: socket.socket, settings: Settings) -> None:
    """Answer one request and end; locks that came with it are held until then."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        kernel.process_attribute(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        # The first process inside becomes our child when bwrap ends, and is waited for.
        kernel.process_attribute(kernel.PR_SET_CHILD_SUBREAPER, 1)
        try:
            answer = encode_outcome(_run(decode_ask(receive(client)), client, settings))
        except SaysoError as error:
            answer = encode_error(error)
        except OSError as error:
            answer = encode_error(SandboxFailed(f"the sandbox cannot be put together: {error}", HINT))
        except Exception:
            answer = encode_error(SandboxFailed(f"the launcher has a fault: {traceback.format_exc()}", HINT))
        send(client, answer)
    except (BrokenPipeError, ConnectionResetError, EOFError):
        pass
    finally:
        os._exit(0)


def _run(ask: Ask, client: socket.socket, settings: Settings) -> Outcome:
    grounds, layers = settings.grounds, list(ask.layers)
    stage.lay_out(grounds, ask.limits, layers)
    root = os.open(stage.ROOT, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    owners = put_files(root, ask.files, grounds.owners)
    os.close(root)
    tops = stage.open_tops()
    remembered = [remember(top) for top in tops]
    group = make_group(settings.homes, f"{os.getppid()}-{os.getpid()}", ask.limits)
    try:
        allowed = build_filter(memory_is_counted=group.memory is not None)
        cage = Cage(settings.bwrap, grounds.owners, group, allowed, grounds.skeleton.shown)
        ended = Watch(launch(cage, ask.script, ask.limits), ask.limits, group, client.fileno()).run()
    finally:
        remove_group(group)
    listing = Listing()
    for tree, before in zip(stage.open_trees(grounds, layers), remembered, strict=True):
        compare(tree, before, listing)
    if ask.keep and ended.exit_code == 0 and not ended.stopped:
        save(Path(stage.LAYERS), ask.keep, *tops)
    stopped = ended.stopped or ("output" if listing.is_cut else "")
    changes = list_changes(listing, owners)
    return Outcome(ended.exit_code, ended.stdout, ended.stderr, changes, ended.cpu_seconds, stopped)


if __name__ == "__main__":
    main(sys.argv[1:])
