"""Packages that behave badly harm nobody, and what they did is said."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.targets.build.builds.conftest import SMALL, Package

from sayso.targets.build.builds import built as words
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import Job

pytestmark = pytest.mark.sandbox


def make(builder: Builder, package: Package, recipe: str, **limits: float) -> Built:
    """A package whose whole build is this recipe of its Makefile."""
    lines = "".join(f"\t{line}\n" for line in recipe.split("\n"))
    source = package({"Makefile": f"all:\n{lines}"}, "bad")
    return builder.build(Job(source, "make", limits=replace(SMALL, **limits)))  # type: ignore[arg-type]  # of Limits


def test_a_package_that_behaves_is_not_accused(builder: Builder, package: Package) -> None:
    built = make(
        builder, package, "sleep 0.1 &\nsleep 0.2; mkdir -p /usr/local/lib; echo x > /usr/local/lib/x; echo y > /tmp/y"
    )
    assert (built.exit_code, built.said, built.installed) == (0, (), 1)


@pytest.mark.parametrize(
    ("recipe", "limits", "stopped"),
    [("while :; do :; done", {"cpu_seconds": 0.5}, "cpu"), ("echo begun; sleep 60", {"wall_seconds": 1}, "wall")],
)
def test_one_that_never_ends(
    builder: Builder, package: Package, recipe: str, limits: dict[str, float], stopped: str
) -> None:
    built = make(builder, package, recipe, **limits)
    assert (built.stopped, built.said, built.succeeded) == (stopped, (words.ENDLESS,), False)


def test_one_that_spreads_its_work_over_many_processes_is_stopped_by_their_sum(
    builder: Builder, package: Package
) -> None:
    recipe = "for i in 1 2 3 4 5 6 7 8 9; do sh -c 'while :; do :; done' & done; wait"
    built = make(builder, package, recipe, cpu_seconds=1)
    assert (built.stopped, built.said) == ("cpu", (words.ENDLESS,))
    assert built.cpu_seconds < 3


def test_one_that_writes_outside_its_prefix(builder: Builder, package: Package, tmp_path: Path) -> None:
    recipe = f"echo x > /opt/x\nmkdir -p {tmp_path}/in || true\necho x > $(HOME)/x"
    built = make(builder, package, recipe)
    assert built.exit_code == 0
    assert built.said[0] == words.OUTSIDE
    assert list(tmp_path.iterdir()) == []
    assert not Path("/opt/x").exists()


def test_one_that_is_refused_a_place_of_the_system(builder: Builder, package: Package) -> None:
    built = make(builder, package, "cp Makefile /etc/bad.conf")
    assert (built.exit_code, built.said) == (2, (words.REFUSED,))
    assert not Path("/etc/bad.conf").exists()


def test_one_that_downloads(builder: Builder, package: Package) -> None:
    """A server listens on the host: nothing reaches it."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def serve() -> None:
            with suppress(OSError):
                asked.append(server.accept()[0].recv(10))

        threading.Thread(target=serve, daemon=True).start()
        port = server.getsockname()[1]
        recipe = f"bash -c 'echo x > /dev/tcp/127.0.0.1/{port}' || bash -c 'echo x > /dev/tcp/192.0.2.1/80'"
        built = make(builder, package, recipe)
    assert (built.succeeded, built.said, asked) == (False, (words.NETWORK,), [])
    named = make(builder, package, "getent hosts files.example.org")
    assert (named.succeeded, named.said) == (False, (words.NETWORK,))


def test_one_that_talks_to_itself_does_not_try_the_network(builder: Builder, package: Package) -> None:
    recipe = (
        "python3 -c \"import socket as s; a = s.create_server(('127.0.0.1', 0)); "
        "b = s.create_connection(a.getsockname()); b.send(b'x'); assert a.accept()[0].recv(1)\""
    )
    built = make(builder, package, recipe)
    assert (built.exit_code, built.said) == (0, ())


def test_one_that_fills_the_disk(builder: Builder, package: Package) -> None:
    built = make(builder, package, "head -c 100M /dev/zero > big", file_bytes=200_000_000)
    assert (built.succeeded, built.said) == (False, (words.DISK,))
    many = make(builder, package, "i=0; while :; do : > f$$i; i=$$((i+1)); done", disk_mb=8)
    assert (many.succeeded, many.said) == (False, (words.DISK,))


def test_one_that_leaves_processes_behind(builder: Builder, package: Package) -> None:
    name = f"behind-{time.time_ns()}"
    built = make(builder, package, f"setsid bash -c 'exec -a {name} sleep 300' > /dev/null 2>&1 &")
    assert (built.exit_code, built.said) == (0, (words.PROCESSES,))
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [line for line in running if name.encode() in line]


def test_one_that_eats_memory_or_prints_for_ever(builder: Builder, package: Package) -> None:
    eats = make(builder, package, "head -c 400M /dev/zero | tail -c 300M > /dev/null", memory_mb=64)
    assert not eats.succeeded
    prints = make(builder, package, "yes")
    assert (prints.stopped, prints.said) == ("output", (words.OUTPUT,))


def test_one_that_spoils_what_lies_below_spoils_only_itself(builder: Builder, package: Package) -> None:
    good = package({"Makefile": "all:\n\techo good > /usr/local/share/x\n"}, "good")
    below = Job(good, "make", limits=SMALL)
    assert make_over(builder, package, below, "rm /usr/local/share/x; mkdir /usr/local/share/x").succeeded
    seen = make_over(builder, package, below, "cat /usr/local/share/x")
    assert Path(seen.log).read_text().endswith("good\n")


def make_over(builder: Builder, package: Package, below: Job, recipe: str) -> Built:
    return builder.build(Job(package({"Makefile": f"all:\n\t{recipe}\n"}, "over"), "make", (below,), SMALL))


def test_what_is_left_is_counted_however_it_was_nested(tmp_path: Path) -> None:
    from sayso.targets.build.builds.builder import _files

    folder = tmp_path
    for _ in range(1_200):
        folder = folder / "d"
        try:
            folder.mkdir()
        except OSError:  # the longest path that there is
            break
    (tmp_path / "d" / "file").write_text("")
    found = list(_files(tmp_path, ""))
    # Whoever clears temporary folders away would fall over it.
    (tmp_path / "d" / "file").unlink()
    while folder != tmp_path:
        with suppress(FileNotFoundError, OSError):
            folder.rmdir()
        folder = folder.parent
    assert "/d/file" in found
