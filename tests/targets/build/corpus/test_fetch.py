"""`sayso data get packages` against a loopback mirror: what fails is counted with its reason, a killed run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.targets.build.corpus.archive import write_mirror

from sayso.core.errors import MachineError, UserError
from sayso.core.types import Workspace
from sayso.targets.build.corpus.apt import Fetching, is_name, machine_sources, why
from sayso.targets.build.corpus.fetch import GIVE_UP, chosen, fetch_packages
from sayso.targets.build.corpus.stored import read_packages

NAMES = ["candle", "lantern", "torch"]
NO_PROXY = 'Acquire::http::Proxy::127.0.0.1 "DIRECT";'


class Mirror(ThreadingHTTPServer):
    """Serves a folder; `faults` says what goes wrong, by a part of the path, and how often."""

    daemon_threads = True

    def __init__(self, root: Path) -> None:
        self.asked: list[str] = []
        self.faults: dict[str, list[str]] = {}
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(root)))


class Handler(SimpleHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        fault = next((faults.pop(0) for part, faults in self.server.faults.items() if part in self.path and faults), "")
        if not fault:
            return super().do_GET()
        content = Path(self.translate_path(self.path)).read_bytes()
        if fault == "404":
            return self.send_error(404)
        if fault == "stall":
            time.sleep(30)
        if fault in ("wrong", "short"):
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(b"\0" * len(content) if fault == "wrong" else content[: len(content) // 2])
        self.close_connection = True
        return None

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def mirror(tmp_path: Path, need: Callable[[str, str], None]) -> Iterator[Mirror]:
    need("apt-get", "these tests fetch with apt, on Debian and its relatives")
    root = tmp_path / "mirror"
    root.mkdir()
    write_mirror(root, NAMES)
    server = Mirror(root)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    etc = tmp_path / "etc"
    etc.mkdir()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    (etc / "sources.list").write_text(f"# ours\ndeb [trusted=yes] {address} tiny main\n")
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "data", tmp_path / "cache")


def settings(tmp_path: Path, *names: str, retries: int = 0) -> Fetching:
    return Fetching(names=names, retries=retries, pause=0, etc=tmp_path / "etc", options=(NO_PROXY,))


def of_pool(server: Mirror) -> set[str]:
    return {path.split("/")[2] for path in server.asked if path.startswith("/pool/")}


def test_packages_become_records_and_are_not_asked_for_again(
    mirror: Mirror, workspace: Workspace, tmp_path: Path
) -> None:
    pauses: list[float] = []
    facts = fetch_packages(workspace, fetching=settings(tmp_path), sleep=pauses.append)
    assert (facts["made"], facts["missing"], facts["packages in the index"]) == (3, {}, 3)
    assert len(pauses) == 2  # between three
    found = {package.name: package for package in read_packages(workspace.data)}
    assert sorted(found) == NAMES and found["torch"].summary == "a lantern" and found["torch"].documents
    assert list((workspace.cache / "packages" / "downloads").iterdir()) == []
    mirror.asked.clear()
    again = fetch_packages(workspace, fetching=settings(tmp_path), sleep=pauses.append)
    assert (again["made"], again["had before"]) == (0, 3) and mirror.asked == []


def test_what_is_missing_is_counted_with_its_reason(mirror: Mirror, workspace: Workspace, tmp_path: Path) -> None:
    mirror.faults = {"candle_1.0.orig": ["404"] * 9, "lantern_1.0-1.debian": ["wrong"] * 9}
    facts = fetch_packages(workspace, fetching=settings(tmp_path, *NAMES, "lanten"))
    assert facts["missing"] == {"not at the mirror": 1, "wrong sum": 1, "not in the index": 1}
    assert facts["made"] == 1 and "did you mean lantern" in str(facts["missing packages"])
    assert [path.stem for path in (workspace.data / "packages" / "fetched").iterdir()] == ["torch"]
    mirror.faults = {}
    assert fetch_packages(workspace, fetching=settings(tmp_path, *NAMES))["made"] == 2


def test_a_server_that_drops_and_cuts_short_is_asked_again(
    mirror: Mirror, workspace: Workspace, tmp_path: Path
) -> None:
    mirror.faults = {"candle_1.0.orig": ["drop"], "candle_1.0-1.debian": ["short"]}
    facts = fetch_packages(workspace, fetching=settings(tmp_path, "candle", retries=3))
    assert (facts["made"], facts["missing"]) == (1, {})


def test_what_an_earlier_run_left_half_is_not_trusted(mirror: Mirror, workspace: Workspace, tmp_path: Path) -> None:
    left = workspace.cache / "packages" / "downloads" / "candle"
    left.mkdir(parents=True)
    (left / "candle_1.0.orig.tar.xz").write_bytes(b"something else")
    assert fetch_packages(workspace, fetching=settings(tmp_path, "candle"))["made"] == 1


def test_a_run_that_is_killed_goes_on_where_it_was(mirror: Mirror, workspace: Workspace, tmp_path: Path) -> None:
    mirror.faults = {"lantern_1.0.orig": ["stall"]}
    script = (
        "import sys; from pathlib import Path; from sayso.core.types import Workspace\n"
        "from sayso.targets.build.corpus.fetch import Fetching, fetch_packages\n"
        "data, cache, etc, option, *names = sys.argv[1:]\n"
        "fetching = Fetching(tuple(names), pause=0, etc=Path(etc), options=(option,))\n"
        "fetch_packages(Workspace(Path(data), Path(cache)), fetching=fetching)\n"
    )
    folders = [str(workspace.data), str(workspace.cache), str(tmp_path / "etc"), NO_PROXY]
    run = subprocess.Popen([sys.executable, "-c", script, *folders, *NAMES], start_new_session=True)
    try:
        ends = time.monotonic() + 60
        while not any("lantern_1.0.orig" in path for path in mirror.asked):
            assert time.monotonic() < ends and run.poll() is None
            time.sleep(0.02)
    finally:
        # The group of its own: Python, and the apt below it.
        os.killpg(run.pid, signal.SIGKILL)
        assert run.wait(10) == -signal.SIGKILL
    assert [path.stem for path in (workspace.data / "packages" / "fetched").glob("*.json")] == ["candle"]
    mirror.asked.clear()
    facts = fetch_packages(workspace, fetching=settings(tmp_path, *NAMES))
    assert (facts["made"], facts["had before"], facts["missing"]) == (2, 1, {})
    assert of_pool(mirror) == {"lantern", "torch"}


def test_without_a_mirror_nothing_goes_on_for_ever(mirror: Mirror, workspace: Workspace, tmp_path: Path) -> None:
    fetch_packages(workspace, fetching=settings(tmp_path, "candle"))
    mirror.shutdown()
    mirror.server_close()
    facts = fetch_packages(workspace, fetching=settings(tmp_path, "lantern"))
    assert facts["missing"] == {"no connection": 1} and GIVE_UP == 5
    fresh = Workspace(workspace.data, tmp_path / "other")
    with pytest.raises(MachineError, match="no index of source packages"):
        fetch_packages(fresh, fetching=settings(tmp_path, "lantern"))


def test_only_the_private_folders_are_written(mirror: Mirror, workspace: Workspace, tmp_path: Path) -> None:
    before = sorted(tmp_path.joinpath("etc").rglob("*"))
    fetch_packages(workspace, fetching=settings(tmp_path, "candle"))
    assert sorted(tmp_path.joinpath("etc").rglob("*")) == before
    config = workspace.cache / "packages" / "apt" / "apt.conf"
    dumped = subprocess.run(
        ["apt-config", "-c", str(config), "dump"], capture_output=True, text=True, check=True
    ).stdout
    values = dict(line.rstrip(";").split(" ", 1) for line in dumped.splitlines())
    for name in ("Dir::State", "Dir::State::lists", "Dir::Cache", "Dir::Etc::sourceparts"):
        assert values[name].strip('"').startswith(str(workspace.cache))
    assert values["Dir::Etc::sourcelist"] == '"/dev/null"'
    hooks = [value for name, value in values.items() if name.startswith(("APT::Update::Post", "APT::Update::Pre"))]
    assert not any(value.strip('"') for value in hooks)


def test_the_machines_archives_in_both_formats(tmp_path: Path) -> None:
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text(
        "deb [arch=amd64,i386 signed-by=/k.gpg] http://a.example/debian stable main contrib # words\n"
        "deb-src http://b.example stable main\n# deb http://c.example stable main\nnonsense\ndeb\n"
    )
    (parts / "d.sources").write_text(
        "Types: deb deb-src\nURIs: http://d.example\nSuites: stable\nComponents: main\n"
        "Signed-By:\n -----BEGIN\n .\n x\n\nEnabled: no\nTypes: deb\nURIs: http://e.example\nSuites: stable\n"
    )
    (parts / "f.sources").write_text("no field")
    (parts / "g.list.disabled").write_text("deb http://g.example stable main\n")
    found = machine_sources(tmp_path)
    assert [one["uris"] for one in found] == ["http://a.example/debian", "http://b.example", "http://d.example"]
    assert found[0] == {
        "types": "deb-src",
        "uris": "http://a.example/debian",
        "suites": "stable",
        "components": "main contrib",
        "architectures": "amd64 i386",
        "signed-by": "/k.gpg",
    }
    assert found[2]["signed-by"] == "\n-----BEGIN\n.\nx"


def test_a_sample_does_not_depend_on_what_is_beside_it() -> None:
    sizes = {f"p{n}": n for n in range(200)}
    some = chosen(sizes, Fetching(limit=20, largest=150))
    assert len(some) == 20 and all(sizes[name] <= 150 for name in some)
    fewer = {name: size for name, size in sizes.items() if name in some[:10] or size > 120}
    assert chosen(fewer, Fetching(limit=200, largest=120)) == sorted(
        (name for name in fewer if fewer[name] <= 120), key=chosen(sizes, Fetching(limit=200)).index
    )
    assert chosen(sizes, Fetching(names=("b", "a", "b"))) == ["b", "a"] and chosen(sizes, Fetching(limit=-1)) == []


@pytest.mark.parametrize("name", ["-o", "../x", "a", "", "a b", "a/b", "x;y"])
def test_what_cannot_be_a_name_is_not_given_to_apt(tmp_path: Path, name: str) -> None:
    assert not is_name(name)
    with pytest.raises(UserError, match="cannot be the name"):
        fetch_packages(Workspace(tmp_path, tmp_path), fetching=Fetching(names=(name,)))


def test_a_folder_that_cannot_be_written_is_told_first(tmp_path: Path) -> None:
    (tmp_path / "packages").write_text("a file")
    with pytest.raises(MachineError, match="cannot write"):
        fetch_packages(Workspace(tmp_path, tmp_path / "cache"), fetching=Fetching(names=("lantern",)))


def test_what_apt_says_becomes_a_reason() -> None:
    assert why("Err:1 http://x\n  404  Not Found\nE: Failed to fetch") == "not at the mirror"
    assert why("E: Failed to fetch x  Hash Sum mismatch") == "wrong sum"
    assert why("E: something new") == "apt failed"
