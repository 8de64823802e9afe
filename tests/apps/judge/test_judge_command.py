"""`sayso judge` as a process: its link, its errors, Ctrl-C, kill -9, export."""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.cli.main import main

START = [sys.executable, "-c", "from sayso.apps.cli.main import run; run()", "judge", "bash/command"]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    lines = [{"id": f"i{n}", "request": f"list files {n}", "candidates": ["ls", "dir"]} for n in range(3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@contextmanager
def started(*args: str, **env: str) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """A running `sayso judge --json` and what it printed first."""
    process = subprocess.Popen(
        [*START, "--json", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield process, json.loads(line)
    finally:
        process.kill()
        process.communicate()


def failed(capsys: pytest.CaptureFixture[str], *args: str, code: int = 2) -> str:
    """The error of a command that must fail with one line and a hint."""
    assert main(["judge", *args]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.rstrip("\n").split("\n")
    assert len(lines) == 3 and lines[1] == "" and lines[2].startswith("hint: "), captured.err
    return captured.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_it_cleanly(items: Path, tmp_path: Path, number: signal.Signals) -> None:
    with started("--items", str(items), "--store", str(tmp_path / "store")) as (process, told):
        assert told["items"] == 3 and told["kinds"] == {"verdicts": 3} and told["url"].startswith("http://127.0.0.1:")
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    assert process.returncode == 0 and out == ""
    assert err.strip() == "stopped; 0 of 3 items complete"


@pytest.mark.slow
def test_kill_9_keeps_every_saved_answer(items: Path, tmp_path: Path, client_of: Callable[[str], Any]) -> None:
    arguments = ("--items", str(items), "--store", str(tmp_path / "store"))
    with started(*arguments) as (process, told):
        client = client_of(told["url"])
        for _ in range(2):
            client.judge("ada", client.next("ada"), True, True)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    with started(*arguments) as (_, told):
        client = client_of(told["url"])
        assert client.get("/api/state?annotator=ada")[1]["mine"] == {"done": 2, "left": 1, "second": 0}


def test_open_hands_the_browser_a_link_of_its_own(items: Path, tmp_path: Path) -> None:
    opener, seen = tmp_path / "opener", tmp_path / "seen"
    opener.write_text(f'#!/bin/sh\necho "$1" > {seen}.part\nmv {seen}.part {seen}\n')
    opener.chmod(0o755)
    arguments = ("--items", str(items), "--store", str(tmp_path / "s"), "--open")
    with started(*arguments, BROWSER=f"{opener} %s") as (_, told):
        deadline = time.monotonic() + 10
        while not seen.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
    opened = seen.read_text().strip()
    assert opened.partition("#")[0] == told["url"].partition("#")[0] and opened != told["url"]


def test_export_writes_csv_and_jsonl(
    items: Path, tmp_path: Path, client_of: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    with started("--items", str(items), "--store", str(store)) as (_, told):
        client = client_of(told["url"])
        for name, command in (("ada", True), ("ben", True), ("cy", False)):
            client.judge(name, client.next(name), command, True)
    table, lines = tmp_path / "v.csv", tmp_path / "v.jsonl"
    assert main(["judge", "bash/command", "--store", str(store), "--export", str(table), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == 2 and told["items"]["complete"] == 1 and len(told["pairs"]) == 6
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["correct command"] for row in rows] == ["y", "y"] and rows[0]["correct command C"] == "n"
    assert main(["judge", "bash/command", "--store", str(store), "--export", str(lines)]) == 0
    assert capsys.readouterr().out.startswith(
        f"1 rows in {lines}; 1 of 3 items complete, judges differ on 1; command: agreement 33%"
    )
    assert len(json.loads(lines.read_text())["answers"]) == 3


def test_the_default_store_is_in_the_users_data(items: Path, user_folders: Path) -> None:
    with started("--items", str(items)) as (_, told):
        assert told["store"] == str(user_folders / "data" / "sayso" / "judge" / "bash-command" / "verdicts-dev")


def test_what_cannot_be_done_is_said_in_one_line(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ("--store", str(tmp_path / "store"))
    assert 'unknown task "bash/comand"' in failed(capsys, "bash/comand", *store)
    assert "nothing to annotate" in failed(capsys, "bash/command", *store)
    assert '{"call": "…"' in failed(capsys, "bash/command", "--kind", "phrase", *store)
    assert "both say" in failed(capsys, "bash/command", "--items", str(items), "--systems", "a", *store)
    assert "not items to label" in failed(capsys, "bash/command", "--kind", "label", "--systems", "a", *store)
    assert 'unknown system of bash/command "nobody"' in failed(capsys, "bash/command", "--systems", "nobody", *store)
    assert "nothing has been annotated" in failed(capsys, "bash/command", "--export", "x.csv", *store)
    assert "cannot read" in failed(capsys, "bash/command", "--items", str(tmp_path / "none"), *store)
    assert not (tmp_path / "store").exists(), "an error leaves nothing behind"
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "holds no items" in failed(capsys, "bash/command", "--items", str(tmp_path / "empty.jsonl"), *store)
    (tmp_path / "file").write_text("")
    told = failed(capsys, "bash/command", "--items", str(items), "--store", str(tmp_path / "file" / "x"), code=3)
    assert "cannot write" in told


@pytest.mark.parametrize(
    ("flag", "value"), [("--k", "0"), ("--judges", "0"), ("--sample", "-1"), ("--annotator", "\n")]
)
def test_numbers_and_names_are_checked(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, value: str
) -> None:
    assert (
        main(["judge", "bash/command", "--items", str(items), "--store", str(tmp_path / "s"), f"{flag}={value}"]) == 2
    )
    assert capsys.readouterr().err.startswith("sayso: ")


def test_a_port_in_use_is_named(items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("bash/command", "--items", str(items), "--store", str(tmp_path / "store"), "--port")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port} is in use" in failed(capsys, *arguments, port)
    assert "--port: must be a whole number from 0 to 65535" in failed(capsys, *arguments, "70000")


def test_a_missing_part_is_named(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        name
        for name in sys.modules
        if name.startswith(("starlette", "uvicorn", "sayso.apps.judge.server", "sayso.apps.judge.guard"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    told = failed(capsys, "bash/command", "--items", str(items), "--store", str(tmp_path / "store"), code=3)
    assert "starlette" in told and "pip install 'sayso[serve]'" in told


def test_importing_the_command_loads_no_server() -> None:
    heavy = ("starlette", "uvicorn", "numpy", "torch")
    code = f"import sys, sayso.apps.cli.judge; sys.exit(any(name in sys.modules for name in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], timeout=30).returncode == 0
