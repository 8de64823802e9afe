"""The launcher: a small process beside each sandbox, with a slot for every run at a time, which forks a child for each.

It keeps runs cheap (no interpreter is started for them), forks safely whatever threads its owner has, and alone holds
the mounts. It ends when its owner does.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sayso.core.errors import SandboxFailed, SaysoError
from sayso.core.types import Outcome
from sayso.sandbox import kernel, stage
from sayso.sandbox.cgroups import (
    Group,
    Homes,
    find_homes,
    group_named,
    leave_group,
    limit_memory,
    make_group,
    remove_group,
    sweep,
)
from sayso.sandbox.changes import READ_IN_ALL, Listing, compare, list_changes, remember
from sayso.sandbox.files import put_files
from sayso.sandbox.launch import HINT, Cage, launch, refuse_links
from sayso.sandbox.layers import save
from sayso.sandbox.messages import Ask, decode_ask, encode_error, encode_outcome, receive, send
from sayso.sandbox.seccomp import build_filter
from sayso.sandbox.watch import Watch

MOST_DESCRIPTORS = 250
OUR_MEGABYTES = 32
"""For the processes that watch a run from within its control group."""
OUTPUT_COPIES = 4
"""Kept, not yet taken by a listener, in the answer, and in its encoding."""


@dataclass(frozen=True)
class Settings:
    """What stays the same for all runs of a launcher."""

    bwrap: str
    grounds: stage.Grounds
    homes: Homes


@dataclass
class Slot:
    """A process that starts runs, our end of the socket to it, and whether it has a run."""

    socket: socket.socket
    process: int
    is_busy: bool = False


def main(arguments: list[str]) -> None:
    """Arguments: the control socket's number, bwrap, the folder of layers, an image or "", and pairs of folders: the
    number of words that show some, those words, and others to lay an overlay on."""
    control = socket.socket(fileno=int(arguments[0]))
    try:
        settings = _prepare(arguments[1], Path(arguments[2]), arguments[3], arguments[5:], int(arguments[4]))
    except OSError as error:
        name = f" on {error.filename}" if error.filename else ""
        control.send(encode_error(SandboxFailed(f"no private mounts: {error.strerror}{name}", HINT)))
        return
    except SandboxFailed as error:
        control.send(encode_error(error))
        return
    except KeyError as error:
        control.send(encode_error(SandboxFailed(f"no system-call filter for the architecture {error}", HINT)))
        return
    # A collection in a child would touch, and so copy, every page.
    gc.disable()
    gc.freeze()
    control.send(encode_outcome(Outcome(0, b"", b"")))
    _serve(control, settings)


def _prepare(bwrap: str, layers: Path, image: str, folders: list[str], shown: int) -> Settings:
    os.umask(0o022)
    homes = find_homes()
    sweep(homes)
    build_filter(memory_is_counted=True)
    pairs = list(zip(folders[::2], folders[1::2], strict=True))
    return Settings(
        bwrap, stage.prepare(layers, Path(image) if image else None, pairs[: shown // 2], pairs[shown // 2 :]), homes
    )


def _serve(control: socket.socket, settings: Settings) -> None:
    """Hand every socket that comes in to a free slot; when the owner is gone, let all slots clean up."""
    slots: dict[socket.socket, Slot] = {}
    while True:
        readable = select.select([control, *slots], [], [])[0]
        for free in (slots[ready] for ready in readable if ready in slots):
            if free.socket.recv(16):
                free.is_busy = False
            else:
                _end(slots.pop(free.socket), settings)
        if control not in readable:
            continue
        message, descriptors, _, _ = socket.recv_fds(control, 16, MOST_DESCRIPTORS)
        if not message:
            break
        slot = next((slot for slot in slots.values() if not slot.is_busy), None)
        slot = slot or _open_slot([control, *slots], descriptors, settings)
        slots[slot.socket] = slot
        slot.is_busy = True
        with suppress(OSError):
            socket.send_fds(slot.socket, [b"run"], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
    for slot in slots.values():
        slot.socket.close()
    for slot in slots.values():
        _end(slot, settings)


def _open_slot(sockets: list[socket.socket], descriptors: list[int], settings: Settings) -> Slot:
    """A process that starts runs one after the other, in control groups of its own.

    It keeps none of our sockets nor what came for the first run: a lock or a client held for ever would never be free.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = os.fork()
    if process == 0:
        for other in (ours, *sockets):
            other.close()
        for descriptor in descriptors:
            os.close(descriptor)
        _work(theirs, settings)
    theirs.close()
    return Slot(ours, process)


def _end(slot: Slot, settings: Settings) -> None:
    os.waitpid(slot.process, 0)
    remove_group(group_named(settings.homes, f"{os.getpid()}-{slot.process}"))
    slot.socket.close()


def _work(orders: socket.socket, settings: Settings) -> None:
    """The life of a slot: one child for each run, then the word that it is free again. Never returns."""
    group = Group()
    try:
        group = make_group(settings.homes, f"{os.getppid()}-{os.getpid()}")
        while True:
            message, descriptors, _, _ = socket.recv_fds(orders, 16, MOST_DESCRIPTORS)
            if not message:
                break
            child = os.fork()
            if child == 0:
                orders.close()
                _answer(socket.socket(fileno=descriptors[0]), descriptors[1:], group, settings)
            for descriptor in descriptors:
                os.close(descriptor)
            os.waitpid(child, 0)
            limit_memory(group, 0)
            orders.send(b"free")
    finally:
        # By ourselves: whoever killed the launcher may have left nobody else to do it.
        leave_group(settings.homes, group)
        os._exit(0)


def _answer(client: socket.socket, locks: list[int], group: Group, settings: Settings) -> None:
    """Answer one request and end; locks on layers that came with it are held until the answer. Never returns."""
    try:
        kernel.process_attribute(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        # The first process inside becomes our child when bwrap ends, and is waited for.
        kernel.process_attribute(kernel.PR_SET_CHILD_SUBREAPER, 1)
        try:
            answer = encode_outcome(_run(decode_ask(receive(client)), client, group, settings))
        except SaysoError as error:
            answer = encode_error(error)
        except OSError as error:
            answer = encode_error(SandboxFailed(f"the sandbox cannot be put together: {error}", HINT))
        except Exception:
            answer = encode_error(SandboxFailed(f"the launcher has a fault: {traceback.format_exc()}", HINT))
        for lock in locks:
            os.close(lock)
        send(client, answer)
    except (BrokenPipeError, ConnectionResetError, EOFError):
        pass
    finally:
        os._exit(0)


def _run(ask: Ask, client: socket.socket, group: Group, settings: Settings) -> Outcome:
    grounds, layers = settings.grounds, list(ask.layers)
    stage.lay_out(grounds, ask.limits, layers)
    root = os.open(stage.ROOT, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    allowed = build_filter(memory_is_counted=group.memory is not None)
    cage = Cage(settings.bwrap, grounds.owners, group, allowed, grounds.skeleton.shown)
    owners = put_files(root, ask.files, grounds.owners)
    refuse_links(root, cage, ask.limits)
    os.close(root)
    tops = stage.open_tops(grounds)
    remembered = [] if ask.keep else [remember(top) for top in tops]
    # What is written to the sandbox's disk is memory too.
    ours = OUR_MEGABYTES + (OUTPUT_COPIES * ask.limits.output_bytes >> 20)
    limit_memory(group, ask.limits.memory_mb + ask.limits.disk_mb + ours)
    started = launch(cage, ask.script, ask.limits, ask.environment)
    watch = Watch(started, ask.limits, group, client.fileno(), ask.live)
    ended = watch.run()
    limit_memory(group, 0)
    if watch.unsent:
        client.sendall(watch.unsent)
    if ask.keep:
        outcome = Outcome(ended.exit_code, ended.stdout, ended.stderr, (), ended.cpu_seconds, ended.stopped)
        if ask.failed or (ended.exit_code == 0 and not ended.stopped):
            save(Path(stage.LAYERS), ask.keep, tops[0], tops[1], outcome if ask.failed else None, ask.leave_out)
        return outcome
    listing = Listing(read_bytes=READ_IN_ALL + (ask.limits.disk_mb << 20))
    for tree, before in zip(stage.open_trees(grounds, layers), remembered, strict=True):
        compare(tree, before, listing)
    stopped = ended.stopped or ("output" if listing.is_cut else "")
    changes = list_changes(listing, owners)
    return Outcome(ended.exit_code, ended.stdout, ended.stderr, changes, ended.cpu_seconds, stopped)


if __name__ == "__main__":
    main(sys.argv[1:])
