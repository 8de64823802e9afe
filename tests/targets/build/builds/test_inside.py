"""What the wrapper inside says is read back, however little of it came."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.builds.builder import count_steps
from sayso.targets.build.builds.inside import Report, read_report
from sayso.targets.build.builds.job import Job
from sayso.targets.build.builds.source import Source

WHOLE = """plan dh_testdir
plan dh_auto_build
plan debian/rules override_dh_auto_test
steps 3
0m0.010s 0m0.020s
1m1.500s 0m0.500s
left
free 200 10
Ip: Forwarding OutNoRoutes
Ip: 1 0
Udp: InDatagrams NoPorts
Udp: 5 0
Ip6OutNoRoutes 0
ended 2
"""
PLAN = ("dh_testdir", "dh_auto_build", "override_dh_auto_test")


def test_a_whole_report() -> None:
    expected = Report(True, True, 3, PLAN, cpu_before=62.03, left_processes=True, disk_full=False, network=False)
    assert read_report(WHOLE) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [("Ip: 1 0", "Ip: 1 3"), ("Udp: 5 0", "Udp: 5 1"), ("Ip6OutNoRoutes 0", "Ip6OutNoRoutes 2")],
)
def test_what_the_kernel_counted_of_the_network(old: str, new: str) -> None:
    assert read_report(WHOLE.replace(old, new)).network


@pytest.mark.parametrize(("free", "full"), [("15 10", True), ("200 0", True), ("16 1", False)])
def test_a_full_disk(free: str, full: bool) -> None:
    assert read_report(WHOLE.replace("200 10", free)).disk_full is full


@given(st.integers(0, len(WHOLE)))
def test_a_report_that_was_cut_off_is_read_as_far_as_it_came(length: int) -> None:
    report = read_report(WHOLE[:length])
    assert report.prepared == ("steps 3\n" in WHOLE[:length])
    assert report.ended == ("ended 2\n" in WHOLE[:length])
    assert report.plan == PLAN[: len(report.plan)]


@pytest.mark.parametrize(
    ("kind", "report", "log", "done", "counts"),
    [
        ("upstream", Report(steps=4), b"", 1, (4, 3)),
        ("upstream", Report(steps=0), b"", 0, (1, 0)),
        ("debian", Report(steps=2), b"", 1, (1, 1)),
        ("debian", Report(steps=2, plan=PLAN), b"dh build\n   dh_auto_build\n\tmake\n", 1, (3, 2)),
        ("debian", Report(steps=2, plan=PLAN), b"   dh_auto_build\n   debian/rules override_dh_auto_test\n", 1, (3, 1)),
        ("debian", Report(steps=2, plan=PLAN), b"make: dh: not found\n", 1, (3, 3)),
    ],
)
def test_the_steps_of_a_debian_package_are_debhelpers(
    kind: str, report: Report, log: bytes, done: int, counts: tuple[int, int]
) -> None:
    source = Source("x", "1", (), kind)  # type: ignore[arg-type]  # one of the two kinds
    assert count_steps(Job(source, "x"), report, log, done) == counts


@pytest.mark.parametrize(
    "lie",
    ["free x", "free", "free 1", "steps many", "steps ²", "Ip: a b\nIp: x y", "99999999999999999999m1s",
     "left " + "9" * 99_999, "plan", "Udp: NoPorts\nUdp: ١"],
)  # fmt: skip
def test_a_build_that_writes_into_the_report_only_lies_about_itself(lie: str) -> None:
    read_report(f"{lie}\nsteps 3\n{lie}\n")


def test_a_log_made_to_be_slow_is_searched_at_once() -> None:
    from sayso.targets.build.builds.builder import FULL

    log = b"write error: " * 200_000
    before = time.process_time()
    assert FULL.search(log) is None
    assert time.process_time() - before < 5
