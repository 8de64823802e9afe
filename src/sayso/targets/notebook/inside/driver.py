"""Inside the sandbox: start one IPython kernel, give it cell after cell, print a JSON line when one starts and ends.

Needs jupyter_client and ipykernel, and nothing of sayso. A cell over a limit ends the kernel, so no later cell runs.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.connect import write_connection_file

PR_SET_DUMPABLE = 4
LOOK_SECONDS = 0.05
START_SECONDS = 100.0
LAST_WORDS = 1.0
"""Seconds to wait for what a cell showed after it ended."""
TEXT = 2000
"""Characters kept of what a cell shows."""
TICKS = os.sysconf("SC_CLK_TCK")
# As the inline backend does at the end of a cell; returns None, so that `_` stays what it was.
CLOSE_FIGURES = "getattr(__import__('sys').modules.get('matplotlib.pyplot'), 'close', lambda _: None)('all')"
NO_ROOM = ("Resource temporarily unavailable", "can't start new thread")
"""What Python says where the limit on processes is reached."""


class Stopped(Exception):
    """A cell that went over a limit: which one, and what to say of it."""

    def __init__(self, limit: str, why: str) -> None:
        super().__init__(why)
        self.limit, self.why = limit, why


def main() -> None:
    # A cell runs as the same user: without this it could read the tests in our memory, or print verdicts of its own.
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    path = Path(sys.argv[1])
    job = json.loads(path.read_text())
    path.unlink()  # the tests are none of a cell's business
    kernel, client = start()
    say({"ready": True})
    found = Shown()
    for number, code in enumerate(job["cells"]):
        if found.status == "stopped":
            break
        found = Shown()
        say({"cell": number})
        try:
            if number <= job["shown"]:
                execute(client, kernel, CLOSE_FIGURES, job, Shown(), silent=True)
            execute(client, kernel, code, job, found)
        except Stopped as error:
            found.status, found.name, found.value, found.limit = "stopped", "", error.why, error.limit
        say({"cell": number, **vars(found)})
    end_all()


class Shown:
    """What a cell showed."""

    def __init__(self) -> None:
        self.status, self.name, self.value, self.limit, self.text = "ok", "", "", "", ""
        self.cpu = 0.0

    def add(self, text: str) -> None:
        self.text = (self.text + text)[:TEXT]


def start() -> tuple[subprocess.Popen[bytes], BlockingKernelClient]:
    key = os.urandom(16).hex().encode()
    file, _ = write_connection_file("/tmp/kernel.json", transport="ipc", ip="/tmp/kernel", key=key)
    options = ["--HistoryManager.enabled=False", "--IPKernelApp.extensions=['manners']"]
    kernel = subprocess.Popen(
        [sys.executable, "-S", "-m", "ipykernel_launcher", "-f", file, *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    client = BlockingKernelClient(connection_file=file)
    client.load_connection_file()
    client.start_channels(shell=True, iopub=True, stdin=False, hb=False, control=False)
    deadline = time.monotonic() + START_SECONDS
    asked = client.kernel_info()
    while not (client.shell_channel.msg_ready() and is_reply(client.shell_channel.get_msg(timeout=0), asked)):
        if kernel.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("the kernel did not start")
        time.sleep(0.01)
    return kernel, client


def execute(
    client: BlockingKernelClient,
    kernel: subprocess.Popen[bytes],
    code: str,
    job: dict[str, Any],
    found: Shown,
    silent: bool = False,
) -> None:
    """Run one cell and take note of what it shows; raises Stopped."""
    poller = zmq.Poller()
    for channel in (client.shell_channel, client.iopub_channel):
        poller.register(channel.socket, zmq.POLLIN)
    before, looked, waited, replied, idle = used(), time.monotonic(), 0.0, 0.0, False
    asked = client.execute(code, silent=silent, store_history=not silent, allow_stdin=False, stop_on_error=False)
    while not (replied and (idle or time.monotonic() > replied + LAST_WORDS)):
        poller.poll(int(LOOK_SECONDS * 1000))
        # A cell that prints without end never leaves the poller without a message.
        if time.monotonic() > looked + LOOK_SECONDS:
            # On a busy machine what is ready to run stands in line: that is no waiting of the cell's own.
            waited += 0.0 if is_ready() else time.monotonic() - looked
            looked, found.cpu = time.monotonic(), round(max(found.cpu, used() - before), 2)
            look(kernel, job, found.cpu, waited)
        if client.shell_channel.msg_ready():
            message = client.shell_channel.get_msg(timeout=0)
            if is_reply(message, asked):
                replied = time.monotonic()
                note_error(message["content"], found, job)
        elif client.iopub_channel.msg_ready():
            message = client.iopub_channel.get_msg(timeout=0)
            idle = (is_reply(message, asked) and note_output(message, found)) or idle
    found.cpu = round(max(found.cpu, used() - before), 2)


def is_reply(message: dict[str, Any], asked: str) -> bool:
    return bool(message["parent_header"].get("msg_id") == asked)


def note_output(message: dict[str, Any], found: Shown) -> bool:
    """True where the kernel says that nothing more will come."""
    kind, content = message["header"]["msg_type"], message["content"]
    if kind == "stream":
        found.add(content["text"])
    elif kind in ("execute_result", "display_data"):
        found.add(content["data"].get("text/plain", "") + "\n")
    return bool(kind == "status" and content["execution_state"] == "idle")


def note_error(content: dict[str, Any], found: Shown, job: dict[str, Any]) -> None:
    if content["status"] != "error":
        return
    found.status, found.name, found.value = "error", content.get("ename", ""), content.get("evalue", "")[:TEXT]
    if found.name == "MemoryError" or "Unable to allocate" in found.value:
        raise too_large(job)
    if found.name in ("BlockingIOError", "RuntimeError") and any(words in found.value for words in NO_ROOM):
        raise too_many(job)


def look(kernel: subprocess.Popen[bytes], job: dict[str, Any], cpu: float, waited: float) -> None:
    """Whether the cell that runs may go on."""
    if (code := kernel.poll()) is not None:
        raise too_large(job) if code == -signal.SIGKILL else Stopped("", f"its kernel ended with code {code}")
    if cpu > job["cpu_seconds"]:
        raise Stopped("cpu", f"it took more than {job['cpu_seconds']:g} s of CPU time")
    if waited > job["wall_seconds"]:
        raise Stopped("wall", f"it waited for more than {job['wall_seconds']:g} s")
    if len(processes()) > job["processes"]:
        raise too_many(job)


def too_large(job: dict[str, Any]) -> Stopped:
    return Stopped("memory", f"it needed more than {job['memory_mb']} MB of memory")


def too_many(job: dict[str, Any]) -> Stopped:
    return Stopped("processes", f"it started more than {job['processes']} processes")


def end_all() -> None:
    """Everything in here but the first process, which ends with us."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def processes() -> list[str]:
    """All in here but the first, which only waits for the others, and us."""
    return [name for name in os.listdir("/proc") if name.isdigit() and name not in ("1", str(os.getpid()))]  # noqa: PTH208


def used() -> float:
    """CPU seconds of all others in here, the dead included."""
    return sum(sum(map(int, fields[11:15])) for fields in stats()) / TICKS


def is_ready() -> bool:
    """Whether any of them runs, or would if it were its turn."""
    return any(fields[0] in "RD" for fields in stats())


def stats() -> Iterator[list[str]]:
    """The fields of /proc/PID/stat that follow the name."""
    for name in ("1", *processes()):
        with suppress(OSError):
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            if len(fields) > 15:
                yield fields


def say(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main()
