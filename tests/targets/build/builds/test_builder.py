"""Jobs are built once, over what lies below them, with the same results on every engine and after every kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.targets.build.builds.conftest import SMALL, Package
from tests.targets.build.builds.test_source import archive

from sayso.core.errors import BadFile, RunFailed, SandboxFailed
from sayso.core.types import Layer, Outcome
from sayso.sandbox.fake import ScriptedSandbox
from sayso.sandbox.layers import collect_layers
from sayso.scale.engines import Processes, Serial
from sayso.targets.build.builds.builder import Builder
from sayso.targets.build.builds.built import Built
from sayso.targets.build.builds.job import Job, with_all_below
from sayso.targets.build.builds.source import Source, read_files

pytestmark = pytest.mark.sandbox
INSTALL = "make\nmake install"


def worlds(library: Source, program: Source) -> list[Job]:
    """The program over nothing, over the library, over a library whose install fails half-way, twice the second."""
    whole = Job(library, INSTALL, limits=SMALL)
    half = Job(library, "make\ninstall -D -m 644 greet.h /usr/local/include/greet.h\nfalse\nmake install", limits=SMALL)
    none = Job(library, "exit 3", limits=SMALL)
    over = [Job(program, "make", below, SMALL) for below in ((), (whole,), (half,), (whole,), (none,))]
    return [*over, whole, half]


def facts(builts: Sequence[Built]) -> list[object]:
    return [replace(one, cpu_seconds=0.0, log=Path(one.log).name) for one in builts]


@pytest.fixture(scope="module")
def serial(builder: Builder, library: Source, program: Source) -> list[Built]:
    told: list[tuple[str, int, int]] = []
    builts = builder.build_all(
        worlds(library, program), Serial(), lambda what, done, total: told.append((what, done, total))
    )
    assert told[0][1:] == (0, 7)
    assert told[-1][1:] == (7, 7)
    assert all("use" in what or "greet" in what for what, _, _ in told)
    assert any("left" in what for what, _, _ in told)
    return builts


def test_a_package_finds_what_lies_below_it(serial: list[Built]) -> None:
    bare, over, over_half, again, over_none, whole, half = serial
    assert [one.exit_code for one in serial] == [2, 0, 2, 0, 2, 0, 1]
    assert over == again
    assert (whole.installed, half.installed) == (2, 1)
    assert (half.steps, half.failed_steps) == (4, 2)
    assert "greet.h" in Path(bare.log).read_text()
    # What a script left before it failed counts: the header is found, the library is not.
    assert "cannot find -lgreet" in Path(over_half.log).read_text()
    assert "greet.h: No such file" in Path(over_none.log).read_text()
    assert not any(one.said for one in serial)


def test_what_is_recorded_is_not_built_again(
    builder: Builder, serial: list[Built], library: Source, program: Source
) -> None:
    jobs = worlds(library, program)
    assert builder.missing(jobs) == []
    nothing_runs = Builder(builder.cache, sandbox=ScriptedSandbox(otherwise=SandboxFailed("must not be asked")))
    assert nothing_runs.build_all(jobs) == serial
    assert [nothing_runs.build(job) for job in jobs] == serial


def test_layers_that_were_swept_are_made_again_and_nothing_recorded_changes(
    builder: Builder, serial: list[Built], library: Source, program: Source
) -> None:
    whole = Job(library, INSTALL, limits=SMALL)
    assert collect_layers(builder.cache, 0, 0)
    before = Path(builder.build(whole).log).stat()
    assert builder.build(Job(program, "make && echo new", (whole,), SMALL)).succeeded
    assert Path(builder.build(whole).log).stat() == before
    assert builder.build(whole) == serial[5]


def test_worker_processes_give_the_same(
    tmp_path: Path, cache: Path, serial: list[Built], library: Source, program: Source
) -> None:
    assert facts(Builder(tmp_path).build_all(worlds(library, program), Processes(2))) == facts(serial)


def test_every_part_of_a_job_is_in_its_digest(library: Source, program: Source) -> None:
    job = Job(library, "make", (), SMALL)
    others = [
        replace(job, script="make "),
        replace(job, source=program),
        replace(job, below=(job,)),
        replace(job, limits=replace(SMALL, cpu_seconds=11)),
        replace(job, environment=(("A", "1"),)),
        replace(job, below=(job, replace(job, script="x"))),
        replace(job, below=(replace(job, script="x"), job)),
    ]
    assert len({job.digest, *(other.digest for other in others)}) == 8
    assert replace(job, source=replace(library, name="other", version="2")).digest == job.digest
    assert with_all_below([others[5], job]) == [job, replace(job, script="x"), others[5]]


def test_a_library_below_is_found_when_a_program_runs(builder: Builder, library: Source, program: Source) -> None:
    """ldconfig cannot run inside; the environment of every build stands in for it, and a job may change it."""
    whole = Job(library, INSTALL, limits=SMALL)
    blind = Job(program, "make", (whole,), SMALL, environment=(("LD_LIBRARY_PATH", ""),))
    assert builder.build(replace(blind, environment=())).succeeded
    assert "libgreet.so: cannot open" in Path(builder.build(blind).log).read_text()


def test_an_upstream_archive_is_built_without_its_debian_folder(builder: Builder, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.tar.gz", ("a-1/x", b"hi\n"), ("a-1/debian/rules", b""))
    job = Job(read_files("a", "1", [path]), "cat x; test ! -e debian; test ${PWD##*/} = src", limits=SMALL)
    assert builder.build(job).succeeded
    flat = archive(tmp_path / "b.tar.gz", ("x", b"hi\n"), ("y/z", b""))
    assert builder.build(replace(job, source=read_files("b", "1", [flat]))).succeeded


def test_a_debian_package_counts_as_one_step_without_debhelper(builder: Builder, package: Package) -> None:
    rules = "#!/usr/bin/make -f\nbuild:\n\ttrue\n\tfalse\n"
    job = Job(package({"debian/rules": rules}, "deb", "debian"), "chmod +x debian/rules\ndebian/rules build", (), SMALL)
    built = builder.build(job)
    assert (built.exit_code, built.steps, built.failed_steps) == (2, 1, 1)


def test_sources_that_cannot_be_unpacked_are_told_and_all_others_built(
    builder: Builder, library: Source, tmp_path: Path
) -> None:
    (tmp_path / "bad.tar.gz").write_bytes(b"no archive")
    bad = Job(read_files("bad", "1", [tmp_path / "bad.tar.gz"]), "true", limits=SMALL)
    good = Job(library, "true; true", limits=SMALL)
    with pytest.raises(RunFailed, match=r"2 of 3 builds could not be run; the first: bad: .*cannot be unpacked"):
        builder.build_all([Job(library, "true", (bad,), SMALL), bad, good])
    assert builder.recorded(good)
    assert builder.recorded(bad) is None


def test_a_layer_whose_outcome_was_never_recorded_is_not_built_again(builder: Builder, library: Source) -> None:
    """As after a kill between the two: the word that it printed is the first run's."""
    job = Job(library, "date +%s.%N; touch /usr/local/share/x", limits=SMALL)
    first = builder.build(job)
    word = Path(first.log).read_text()
    (builder.cache / "builds" / first.digest[:2] / f"{first.digest}.json").unlink()
    Path(first.log).write_text("half a l")
    assert builder.build(job) == first
    assert Path(first.log).read_text() == word


KILLED = """
import sys
from pathlib import Path
from sayso.targets.build.builds.builder import Builder
from sayso.scale.engines import Processes, Serial
sys.path.insert(0, sys.argv[3])
from tests.targets.build.builds.test_builder import noisy
from sayso.targets.build.builds.source import read_folder
jobs = noisy(read_folder("greet", "1.0", Path(sys.argv[2])))
Builder(Path(sys.argv[1])).build_all(jobs, Processes(2) if sys.argv[4] == "processes" else Serial())
"""


def noisy(library: Source) -> list[Job]:
    """Every one says a word that a second build would say differently."""
    first = Job(library, "cat /proc/sys/kernel/random/uuid | tee /usr/local/share/word; sleep 0.2", limits=SMALL)
    scripts = (
        f"cat /proc/sys/kernel/random/uuid /usr/local/share/word; sleep 0.2; echo {number}" for number in range(4)
    )
    return [first, *(Job(library, script, (first,), SMALL) for script in scripts)]


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, cache: Path, library: Source, engine: str) -> None:
    root = Path(__file__).parents[4]
    command = [sys.executable, "-c", KILLED, str(tmp_path), library.folder, str(root), engine]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("builds/*/*.json"))) < 2 and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    builder, jobs = Builder(tmp_path), noisy(library)
    done = {job.digest: Path(built.log).read_bytes() for job in jobs if (built := builder.recorded(job))}
    assert 2 <= len(done) < 5
    builts = builder.build_all(jobs)
    assert all(built.succeeded for built in builts)
    logs = {job.digest: Path(built.log).read_bytes() for job, built in zip(jobs, builts, strict=True)}
    assert {digest: logs[digest] for digest in done} == done
    # What lies below all of them was built once: its word is the same everywhere.
    below = logs[jobs[0].digest].strip()
    assert all(below in log for log in logs.values())


def test_a_record_that_is_no_outcome_is_refused(builder: Builder, library: Source) -> None:
    job = Job(library, "true # torn", limits=SMALL)
    path = builder.cache / "builds" / builder.key(job)[:2] / f"{builder.key(job)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"digest": "x"')
    with pytest.raises(BadFile, match="is no outcome of a build"):
        builder.build(job)


def test_a_layer_swept_between_two_steps_is_asked_for_again(tmp_path: Path, library: Source) -> None:
    """The sandbox says once that what lies below is gone."""

    class Sweeping(ScriptedSandbox):
        times = 0

        def layer(self, script: str, *rest: object, **more: object) -> Layer:
            self.times += 1
            if self.times == 2:
                raise SandboxFailed("the layer is gone", reason="layer is gone")
            return Layer(str(self.times), tmp_path / str(self.times), Outcome(0, b"steps 1\nended 0\n", b""))

    sandbox = Sweeping()
    below = Job(library, "a", limits=SMALL)
    assert Builder(tmp_path, sandbox=sandbox).build(Job(library, "b", (below,), SMALL)).succeeded
    assert sandbox.times == 4
