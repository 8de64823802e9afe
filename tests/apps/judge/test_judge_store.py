"""The event log: nothing acknowledged is lost, nothing is overwritten, half a line harms nobody."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.apps.judge.items import Json
from sayso.apps.judge.store import Store
from sayso.core.errors import BadFile, MachineError


def add(store: Store, *texts: str) -> list[Json]:
    return store.append(lambda unseen: [{"event": "test", "text": text} for text in texts])


def texts(events: list[Json]) -> list[object]:
    return [event["text"] for event in events]


def everything(folder: Path) -> list[Json]:
    with Store(folder) as store:
        return store.read()


def test_events_are_numbered_dated_and_private(tmp_path: Path) -> None:
    with Store(tmp_path / "deep" / "store") as store:
        assert [event["n"] for event in add(store, "a", "b")] == [1, 2]
        assert [event["n"] for event in add(store, "c")] == [3]
        path = store.path
    assert texts(everything(path.parent)) == ["a", "b", "c"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert all(json.loads(line)["at"].endswith("+00:00") for line in path.read_text().splitlines())


def test_each_writer_decides_on_what_the_other_has_written(tmp_path: Path) -> None:
    with Store(tmp_path) as one, Store(tmp_path) as two:
        add(one, "a")
        seen: list[Json] = []

        def decide(unseen: list[Json]) -> list[Json]:
            seen.extend(unseen)
            return [{"event": "test", "text": f"after {len(unseen)}"}]

        added = two.append(decide)
        assert texts(seen) == ["a"] and [event["n"] for event in added] == [2]
        assert texts(one.read()) == ["after 1"], "its own event is not read twice"
        assert one.read() == []


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, wanted: list[str]) -> None:
    folder = tmp_path_factory.mktemp("store")
    with Store(folder) as store:
        add(store, *wanted)
    assert texts(everything(folder)) == wanted


@pytest.mark.parametrize("torn", [b'{"v": 1, "n": 2, "te', b"\xff\xfe", b'{"v": 1}', b"[]", b"null"])
def test_half_a_line_is_counted_and_harms_no_other(tmp_path: Path, torn: bytes) -> None:
    with Store(tmp_path) as store:
        add(store, "a")
    with (tmp_path / "events.jsonl").open("ab") as file:
        file.write(torn)
    with Store(tmp_path) as store:
        assert texts(store.read()) == ["a"]
        add(store, "b")
        assert store.damaged == 1
    with Store(tmp_path) as store:
        assert texts(store.read()) == ["a", "b"]
        assert store.damaged == 1


def test_a_line_that_is_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        path = tmp_path / "events.jsonl"
        line = b'{"v": 1, "n": 1, "at": "", "event": "test", "text": "a"}\n'
        path.write_bytes(line[:20])
        assert store.read() == []
        path.write_bytes(line)
        assert texts(store.read()) == ["a"] and store.damaged == 0


def test_another_version_or_a_shorter_file_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        add(store, "a", "b")
        os.truncate(store.path, 10)
        with pytest.raises(BadFile, match="became shorter"):
            store.read()
    (tmp_path / "events.jsonl").write_text('{"v": 2, "n": 1}\n')
    with pytest.raises(BadFile, match="another version"):
        everything(tmp_path)


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot write"):
        Store(tmp_path / "file" / "store")


WRITE_MANY = """
import sys
from pathlib import Path
from sayso.apps.judge.store import Store
with Store(Path(sys.argv[1])) as store:
    for n in range(int(sys.argv[3])):
        store.append(lambda unseen: [{"event": "test", "text": f"{sys.argv[2]} {n}"}])
        print(n, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITE_MANY, str(folder), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    for process in [writer(tmp_path, "one", 60), writer(tmp_path, "two", 60)]:
        process.communicate(timeout=30)
    events = everything(tmp_path)
    assert sorted(str(event["text"]) for event in events) == sorted(
        f"{name} {n}" for name in ("one", "two") for n in range(60)
    )
    assert [event["n"] for event in events] == list(range(1, 121)), "numbers are given under the lock"


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with writer(tmp_path, "w", 100_000) as process:
        assert process.stdout
        acknowledged = [int(process.stdout.readline()) for _ in range(25)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in process.stdout.read().splitlines()]
    with Store(tmp_path) as store:
        kept = texts(store.read())
        assert kept[: len(acknowledged)] == [f"w {n}" for n in acknowledged]
        add(store, "and on")
    assert texts(everything(tmp_path))[-1] == "and on"


FULL_DISK = """
import resource, sys
from pathlib import Path
from sayso.apps.judge.store import Store
from sayso.core.errors import MachineError
with Store(Path(sys.argv[1])) as store:
    store.append(lambda unseen: [{"event": "test", "text": "first"}])
    size = store.path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))
    try:
        store.append(lambda unseen: [{"event": "test", "text": "second"}])
    except MachineError as error:
        print(error.message)
    assert store.path.stat().st_size == size
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(store.append(lambda unseen: [{"event": "test", "text": "third"}])[0]["n"], store.damaged)
"""


def test_a_full_disk_is_said_and_leaves_no_half_event(tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, timeout=30)
    assert run.stdout.splitlines() == [f"cannot write {tmp_path / 'events.jsonl'}: File too large", "2 0"], run.stderr
    assert texts(everything(tmp_path)) == ["first", "third"]
