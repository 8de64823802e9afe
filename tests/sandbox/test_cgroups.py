"""Where control groups are made, and how their counters are read, on folders that look like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.sandbox.cgroups import (
    Group,
    Homes,
    cpu_seconds,
    find_homes,
    killed_for_memory,
    limit_memory,
    sweep,
    unified_home,
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A group with processes in it, in a slice that gives its children the memory controller."""
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    group = tmp_path / "session.scope"
    group.mkdir()
    (group / "cgroup.subtree_control").write_text("\n")
    for name, value in (("memory.max", "max\n"), ("memory.high", "max\n"), ("cpu.max", "max 100000\n")):
        (group / name).write_text(value)
    return group


def test_a_group_is_made_beside_ours_where_nothing_is_evaded(own: Path) -> None:
    assert unified_home(own, "memory") == own.parent


@pytest.mark.parametrize(
    ("name", "value"), [("memory.max", "1000000\n"), ("memory.high", "5\n"), ("cpu.max", "5 100000\n")]
)
def test_our_own_limits_are_never_left(own: Path, name: str, value: str) -> None:
    (own / name).write_text(value)
    assert unified_home(own, "memory") is None


def test_a_group_is_made_below_ours_where_that_works(own: Path) -> None:
    (own / "cgroup.subtree_control").write_text("memory\n")
    (own / "memory.max").write_text("1000000\n")
    assert unified_home(own, "memory") == own


def test_counters_of_both_versions(tmp_path: Path) -> None:
    group = Group(cpu=tmp_path, memory=tmp_path)
    (tmp_path / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    (tmp_path / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    assert cpu_seconds(group) == 1.5
    assert killed_for_memory(group) == 2
    (tmp_path / "memory.events").unlink()
    (tmp_path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 4\n")
    (tmp_path / "cpuacct.usage").write_text("2500000000\n")
    assert cpu_seconds(group) == 2.5
    assert killed_for_memory(group) == 4


def test_without_groups_nothing_is_counted() -> None:
    assert cpu_seconds(Group()) is None
    assert killed_for_memory(Group()) == 0


def test_limits_of_both_versions(tmp_path: Path) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    for folder, name in ((old, "memory.limit_in_bytes"), (new, "memory.max")):
        folder.mkdir()
        (folder / name).write_text("")
        limit_memory(Group(memory=folder), 3)
        assert (folder / name).read_text() == str(3 << 20)
        limit_memory(Group(memory=folder), 0)
    assert (old / "memory.limit_in_bytes").read_text() == "-1"
    assert (new / "memory.max").read_text() == "max"


def test_groups_of_dead_launchers_are_swept(tmp_path: Path) -> None:
    import os

    for name in ("sayso-999999999-5", f"sayso-{os.getpid()}-5", "other"):
        (tmp_path / name).mkdir()
    sweep(Homes(cpu=tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", f"sayso-{os.getpid()}-5"]


def test_homes_are_found_and_left_clean() -> None:
    homes = find_homes()
    for home in {homes.cpu, homes.memory} - {None}:
        assert home is not None
        assert not list(home.glob("sayso-*-trial"))
