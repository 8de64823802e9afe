"""Nothing leaves the machine: commands run where every packet, look-up and new file is recorded, native code included.

The namespace is made by bubblewrap: its own network, the disk read-only but for one folder, /tmp empty. See
silent_machine.py for what records. A control that does look a name up, send and write is seen by all three.
"""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

Watched = Callable[[list[dict[str, Any]]], dict[str, Any]]
MACHINE = Path(__file__).with_name("silent_machine.py")
CHECKOUT = Path(__file__).parents[2]
HIDDEN = ("/tmp", "/var/tmp", "/run", "/dev/shm")
SENDS_AFTER = 13.0
"""Seconds: onnxruntime 1.29 to 1.31 look their collector up 9 to 10 seconds after they were loaded."""
OURS = ("home/.cache/sayso", "home/.config/sayso", "home/.local/share/sayso", "home/.local/state/sayso", "run/sayso")
PAIRS = [
    ("print the current directory", "pwd"),
    ("list all files", "ls -a"),
    ("count lines of notes.txt", "wc -l notes.txt"),
    ("show running processes", "ps aux"),
]
CONTROL = """
import pathlib, socket
address = socket.getaddrinfo("control.example", 443, socket.AF_INET, socket.SOCK_STREAM)[0][4]
with socket.create_connection(address) as connection:
    connection.sendall(b"this was sent")
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("198.51.100.7", 9))
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("2001:db8:9::1", 9))
pathlib.Path.home().joinpath(".cache/Other").mkdir(parents=True)
pathlib.Path("/tmp/left").write_text("x")
"""


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A short one: the path of a socket has 108 bytes, and pytest's folders are long."""
    with tempfile.TemporaryDirectory(prefix="quiet-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def watched(tmp_path: Path, need: Callable[[str, str], None]) -> Watched:
    """watched([{"words": …}]): the report of these commands, run in turn with a home of their own."""
    need("bwrap", "install bubblewrap")
    need("ip", "install iproute2")
    for name in ("home", "run", "tmp", "work", "data"):
        (tmp_path / name).mkdir(mode=0o700)
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("nameserver 192.0.2.53\noptions attempts:1 timeout:1\n")
    empty = subprocess.run([*namespace(tmp_path, resolver), "true"], capture_output=True, text=True, check=False)
    if empty.returncode:
        pytest.skip(f"this machine makes no network namespace: {empty.stderr.strip()}")

    def run(steps: list[dict[str, Any]]) -> dict[str, Any]:
        folders = [str(tmp_path / name) for name in ("home", "run", "tmp", "work", "data")]
        plan, report = tmp_path / "plan.json", tmp_path / "report.json"
        plan.write_text(json.dumps({"steps": steps, "watched": [*folders, *HIDDEN]}))
        done = subprocess.run(
            [*namespace(tmp_path, resolver), sys.executable, MACHINE, plan, report],
            capture_output=True,
            text=True,
            timeout=300,
            # Nothing that says that this is a test or CI, where libraries are silent by themselves.
            env={
                "HOME": folders[0],
                "XDG_RUNTIME_DIR": folders[1],
                "TMPDIR": folders[2],
                "SAYSO_DATA": folders[4],
                "SAYSO_SESSION": "watched",
                "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                "LANG": "C.UTF-8",
                "ORT_DISABLE_TELEMETRY": "0",  # a shell that asks for it
            },
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(report.read_text())
        if "why" in found:
            pytest.skip(f"this kernel makes no network in a namespace: {found['why']}")
        # The checkout can only be read in there: who else writes to one below /tmp is not watched.
        changed = (path for path in found["changed"] if not path.startswith(f"{CHECKOUT}/"))
        found["changed"] = [path.removeprefix(f"{tmp_path}/") for path in changed]
        return found

    return run


def namespace(work: Path, resolver: Path) -> list[str]:
    """bubblewrap with a network of its own, in which we are root: interfaces and raw sockets need that."""
    words = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL"]
    words += ["--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for folder in HIDDEN:
        words += ["--tmpfs", folder]
    for needed in {CHECKOUT, Path(sys.prefix), Path(sys.base_prefix)}:
        if str(needed).startswith(tuple(f"{folder}/" for folder in HIDDEN)):
            words += ["--ro-bind", str(needed), str(needed)]
    words += ["--bind", str(work), str(work), "--ro-bind", str(resolver), str(Path("/etc/resolv.conf").resolve())]
    return [*words, "--chdir", str(work / "work"), "--"]


def strangers(report: dict[str, Any]) -> list[str]:
    """Packets but for those between 127.0.0.1 and itself, to or from a port of a page that we served."""
    ports = [step["port"] for step in report["steps"] if step.get("port")]
    own = {end for port in ports for end in (f"127.0.0.1:{port}",)}
    found = []
    for packet in report["packets"]:
        interface, protocol, sender, _, receiver = (packet.split() + [""] * 5)[:5]
        local = sender.startswith("127.0.0.1:") and receiver.startswith("127.0.0.1:")
        if not (interface == "lo" and protocol == "TCP" and local and own & {sender, receiver}):
            found.append(packet)
    return found


def foreign(report: dict[str, Any], *asked_for: str) -> list[str]:
    """New or changed paths outside sayso's own folders, and outside those that the commands were told to write."""
    allowed = (*OURS, *asked_for)
    return [
        path
        for path in report["changed"]
        if not any(path == one or path.startswith(f"{one}/") or one.startswith(f"{path}/") for one in allowed)
    ]


def test_the_recorder_sees_one_that_does(watched: Watched) -> None:
    report = watched([{"words": [sys.executable, "-c", CONTROL]}])
    assert report["steps"][0]["code"] == 0, report["steps"][0]["err"]
    assert "control.example" in report["lookups"]
    assert "b'this was sent'" in report["received"]
    seen = "\n".join(strangers(report))
    assert "> 192.0.2.53:53" in seen and "> 192.0.2.80:443" in seen
    assert "> 198.51.100.7:9" in seen and "> 2001:db8:9::1:9" in seen
    assert foreign(report) == ["/tmp/left", "home/.cache/Other"]


def test_the_recorder_hears_the_runtime_that_nobody_silenced(watched: Watched) -> None:
    """Where this fails the runtime has become silent by itself, and what the tests below find says less."""
    report = watched([{"words": [sys.executable, "-c", "import onnxruntime"]}])
    assert report["steps"][0]["code"] == 0
    assert any(path.endswith(".onnxruntime/deviceid") for path in foreign(report))


@pytest.mark.slow
def test_no_packet_no_look_up_and_no_file_outside_our_folders(watched: Watched, tmp_path: Path) -> None:
    report = watched(session(tmp_path))
    for step in report["steps"]:
        assert step["code"] == 0, (step["words"], step["out"], step["err"])
    assert report["lookups"] == []
    assert strangers(report) == []
    assert foreign(report, "work/plots") == []
    assert any("127.0.0.1" in packet for packet in report["packets"])  # the page was looked at: packets were recorded
    told = json.loads(report["steps"][-2]["out"])  # and the background process was there all the while
    assert told["answers"] >= 2 and told["uptime_seconds"] > SENDS_AFTER


def session(folder: Path) -> list[dict[str, Any]]:
    """Each command once, with the background process there from first to last."""
    write_corpus(folder / "data" / "nl2bash")
    (folder / "items.jsonl").write_text(json.dumps({"id": "1", "request": "list files", "candidates": ["ls"]}) + "\n")
    asked = json.dumps({"id": "1", "text": "show the newest five files in /var/log"}) + "\n"
    evaluated = ["eval", "bash/command", "--system", "default", "--limit", "1", "--resamples", "10", "--no-sandbox"]
    evaluated += ["--engine", "processes", "--workers", "2"]
    steps: list[dict[str, Any]] = [
        {"words": ["sayso", "--no-menu", "find all python files changed this week"]},
        {"words": ["sayso", "then", "count them"]},
        {"words": ["sayso", "--no-daemon", "--no-menu", "count the lines of notes.txt"]},
        {"words": ["sayso", "explain", "curl -s https://example.com | jq ."]},
        {"words": ["sayso", "fix", "--exit", "127", "--", "crul https://example.com"]},
        {"words": ["sayso", "api", "show me the unread mails of Anna"]},
        {"words": ["sayso", "translate", "bash"], "input": asked},
        {"words": ["sayso", *evaluated]},
        {"words": ["sayso", "judge", "bash/command", "--json", "--items", str(folder / "items.jsonl")], "page": True},
        {"words": ["sayso", "doctor"]},
        {"words": ["sayso", "history", "on"]},
        {"words": ["sayso", "--no-menu", "list all hidden files"]},
        {"words": ["sayso", "history", "list"]},
    ]
    if find_spec("matplotlib"):
        steps.append({"words": ["sayso", "stats", "nl2bash", "--plots", "plots"]})
    steps.append({"words": ["sayso", "daemon", "status", "--json"], "not_before": SENDS_AFTER})
    return [*steps, {"words": ["sayso", "daemon", "stop"]}]


def write_corpus(folder: Path) -> None:
    """Four pairs of our own in the shape of NL2Bash."""

    def write(name: str, lines: list[str]) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode()))

    write("all.nl.xz", [nl for nl, _ in PAIRS])
    write("all.cm.xz", [command for _, command in PAIRS])
    for split, members in {"train": [0, 2], "dev": [1], "test": [3]}.items():
        write(f"split_paper/{split}.nl.filtered.xz", [PAIRS[at][0] for at in members])
        write(f"split_paper/{split}.cm.filtered.xz", [PAIRS[at][1] for at in members])
    (folder / "random_tokens.txt").write_text("0\n10\n11\n")
