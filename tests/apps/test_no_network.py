"""Nothing that a person at a terminal runs reaches the network: proved inside Python and at the kernel's door.

A hook in every Python process, background process included, writes down each use of a socket; strace writes down each
network call of the processes, native code included. Only a Unix socket of our own background process may be spoken to.
A control that does try is caught by both.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
HOOK = """
import os, socket, sys

def heard(event, args):
    if event == "socket.connect" or event == "socket.bind":
        family, address = args[0].family, args[1]
        text = f"{event} {family.name if hasattr(family, 'name') else family} {address!r}"
    elif event == "socket.__new__":
        text = f"{event} {args[1]!r}"
    elif event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "imaplib.", "telnetlib.", "ssl.")):
        text = f"{event} {args!r}"
    else:
        return
    with open(LOG, "a") as file:
        file.write(text + "\\n")

sys.addaudithook(heard)
with open(LOG, "a") as file:
    file.write(f"hooked {os.path.basename(sys.argv[0]) if hasattr(sys, 'argv') else '?'}\\n")
"""
# What is asked: with the background process and without it, and everything that works beside it.
SESSION = [
    ["find all python files changed this week"],
    ["--no-daemon", "count the lines of notes.txt"],
    ["--json", "show the newest five files in /var/log"],
    ["then", "count them"],
    ["explain", "curl -s https://example.com | jq ."],
    ["fix", "--exit", "1", "--", "crul https://example.com"],
    ["history", "on"],
    ["history", "keep"],
    ["find all python files changed this week"],
    ["daemon", "status"],
    ["daemon", "stop"],
]
REACHING = "import socket; socket.create_connection(('127.0.0.1', 9), timeout=1)"


@pytest.fixture
def hooked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of a hook that every Python process started from here loads first."""
    log = tmp_path / "sockets.log"
    folder = tmp_path / "hook"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(HOOK.replace("LOG", repr(str(log))))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("SAYSO_SESSION", "watched")
    return log


def own_socket(runtime: Path) -> str:
    return str(runtime / "sayso")


def strangers(log: Path, runtime: Path) -> list[str]:
    """Lines that are no Unix socket of our own; making a Unix socket and naming this machine are no contact."""
    allowed = (
        rf"hooked .*|socket\.__new__ .*AF_UNIX.*|socket\.__new__ 1\b.*|socket\.__new__ -1"
        rf"|socket\.(?:connect|bind) AF_UNIX '{re.escape(own_socket(runtime))}/[^/]+'"
    )
    return [line for line in log.read_text().splitlines() if not re.fullmatch(allowed, line)]


def test_explaining_fixing_and_following_up_open_no_socket(hooked: Path, sayso: Run, runtime: Path) -> None:
    for arguments in (["explain", "ssh me@host"], ["fix", "--", "gti push"], ["then", "--after", "ls", "count them"]):
        assert sayso(*arguments).returncode == 0
    assert len(hooked.read_text().splitlines()) == 3 and strangers(hooked, runtime) == []


@pytest.mark.slow
def test_no_process_of_ours_opens_a_socket_but_its_own(hooked: Path, sayso: Run, runtime: Path) -> None:
    for arguments in SESSION:
        done = sayso(*arguments)
        assert done.returncode == 0, (arguments, done.stderr)
    lines = hooked.read_text().splitlines()
    assert sum(line.startswith("hooked") for line in lines) > len(SESSION)  # the background process is among them
    assert any(line.startswith("socket.connect AF_UNIX") for line in lines)  # it was asked
    assert strangers(hooked, runtime) == []


def test_the_hook_catches_one_that_does(hooked: Path, runtime: Path) -> None:
    subprocess.run([sys.executable, "-c", REACHING], capture_output=True, check=False)
    caught = strangers(hooked, runtime)
    assert any("AF_INET" in line and "127.0.0.1" in line for line in caught)
    assert any("getaddrinfo" in line for line in caught)


def test_the_hook_catches_a_look_up_and_a_strange_unix_socket(hooked: Path, runtime: Path) -> None:
    code = "import socket; socket.socket(socket.AF_UNIX).connect('/run/other')"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    code = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')"
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    caught = "\n".join(strangers(hooked, runtime))
    assert "'/run/other'" in caught and "urllib.Request" in caught


def traced(script: str, log: Path) -> None:
    """Run a shell script with every network call of its processes, and of those they leave behind, written down."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trace = ["strace", "-f", "-qq", "-s", "200", "-e", "trace=network", "-o", str(log)]
    # Bash that is not told its user's shell asks the user database, over a socket of the C library: not a call of ours.
    known = {"SHELL": "/bin/bash", **os.environ}
    done = subprocess.run([*trace, "bash", "-c", script], capture_output=True, text=True, timeout=300, env=known)
    if "ptrace" in done.stderr and "Operation not permitted" in done.stderr:
        pytest.skip("this machine does not allow strace")
    assert done.returncode == 0, done.stderr


def contacts(log: Path, runtime: Path) -> list[str]:
    """Calls that make or use anything but a Unix socket, or speak to a Unix socket that is not ours."""
    found = []
    for line in log.read_text().splitlines():
        if re.search(r"\bsocket(?:pair)?\(", line) and not re.search(r"\bsocket(?:pair)?\(AF_(?:UNIX|LOCAL)", line):
            found.append(line)
        elif address := re.search(
            r"(?:connect|bind|sendto|sendmsg)\(.*?\{sa_family=(\w+)(?:, sun_path=\"([^\"]*)\")?", line
        ):
            ours = address[1] in ("AF_UNIX", "AF_LOCAL") and (address[2] or "").startswith(own_socket(runtime))
            if not ours:
                found.append(line)
    return found


@pytest.mark.slow
def test_no_call_of_ours_leaves_the_machine(
    sayso: Run, runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_SESSION", "watched")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    log = tmp_path / "calls.log"
    traced("set -e\n" + "\n".join("sayso " + " ".join(map(quoted, arguments)) for arguments in SESSION), log)
    assert f'sun_path="{own_socket(runtime)}' in log.read_text()
    assert contacts(log, runtime) == []


@pytest.mark.slow
def test_strace_catches_one_that_does(runtime: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls.log"
    traced(f"{quoted(sys.executable)} -c {quoted(REACHING)} || true", log)
    assert any("AF_INET" in line for line in contacts(log, runtime))


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
