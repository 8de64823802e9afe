"""`sayso daemon status|start|stop`: the background process, seen and moved by hand."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.daemon import client, wire
from sayso.core.errors import DaemonFailed, UserError

ENDS_WITHIN = 5.0
"""Seconds between asking a process to end and ending it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", default="status", choices=("status", "start", "stop"), help="status unless given"
    )


def run(args: argparse.Namespace) -> int:
    answer = {"status": status, "start": start, "stop": stop}[args.action]()
    if args.json:
        output.print_json(answer)
    else:
        print(in_words(args.action, answer))
    return 0


def status() -> dict[str, Any]:
    """What runs: `{"running": false}` where nothing does, `{"running": true, "responds": false}` where it hangs."""
    connection = client.connect()
    if connection is None:
        return {"running": False}
    with connection:
        process, _ = wire.peer(connection)
        try:
            reply = client.exchange(connection, {"do": "status"})
        except DaemonFailed:
            return {"running": True, "responds": False, "pid": process}
    if reply is None:
        return {"running": False}
    return {"running": True, "responds": True, "current": reply["build"] == wire.build(), **reply}


def start() -> dict[str, Any]:
    """Start it, or replace one of another build, and load what answers need."""
    if settings.load().idle_minutes == 0:
        raise UserError(
            "idle_minutes is 0: the background process is switched off", f"change it in {settings.config_file()}"
        )
    client.ask({"do": "warm", "target": "bash"})
    return status()


def stop() -> dict[str, Any]:
    """Ask it to end; a process that does not listen any more is ended by its number, which the kernel knows."""
    connection = client.connect()
    if connection is None:
        return {"running": False, "stopped": False}
    with connection:
        process, _ = wire.peer(connection)
        patience = ENDS_WITHIN
        try:
            client.exchange(connection, {"do": "stop"})
        except DaemonFailed:
            end(process, signal.SIGTERM)
            patience = 1.0  # it does not even listen
    if not gone(process, patience):
        end(process, signal.SIGKILL)
        if not gone(process, ENDS_WITHIN):
            raise DaemonFailed(f"the background process {process} cannot be ended", f"try `kill -9 {process}`")
    return {"running": False, "stopped": True, "pid": process}


def end(process: int, how: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, how)


def gone(process: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while lives(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def lives(process: int) -> bool:
    """A process that has ended and waits to be collected, as under a lazy init in a container, does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def in_words(action: str, answer: dict[str, Any]) -> str:
    if action == "stop":
        return f"stopped (process {answer['pid']})" if answer["stopped"] else "nothing to stop: not running"
    if not answer["running"]:
        return "not running; the next request starts it"
    if not answer["responds"]:
        return f"process {answer['pid']} runs and does not answer; end it with `sayso daemon stop`"
    stale = "" if answer["current"] else "; of another build, replaced by the next request"
    minutes = answer["uptime_seconds"] / 60
    loaded = f" with {' and '.join(answer['loaded'])} loaded" if answer.get("loaded") else ""
    return (
        f"running (process {answer['pid']}, version {answer['version']}{stale}): {answer['answers']} answers in "
        f"{minutes:.1f} minutes, {answer['waiting']} waiting, {answer['memory_mb']:.0f} MB{loaded}; "
        f"ends after {answer['idle_minutes']:g} idle minutes"
    )
