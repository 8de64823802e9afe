"""What a script finds inside, what comes back, and what is left behind: nothing."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import sayso
from sayso.core.errors import SandboxFailed, UserError
from sayso.core.types import FileSpec, Limits, Outcome
from sayso.sandbox.bubblewrap import BubblewrapSandbox
from sayso.sandbox.cgroups import find_homes

Run = Callable[..., Outcome]
pytestmark = pytest.mark.sandbox


def test_output_and_exit_code_come_back(run: Run) -> None:
    outcome = run("echo out; echo err >&2; exit 7")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (7, b"out\n", b"err\n")
    assert outcome.stopped == ""
    assert outcome.changes == ()


def test_output_can_be_opened_by_name(run: Run) -> None:
    outcome = run("echo out > /dev/stdout; echo err | tee /dev/stderr > /dev/null")
    assert (outcome.stdout, outcome.stderr) == (b"out\n", b"err\n")


def test_a_signal_reads_as_in_a_shell(run: Run) -> None:
    assert run("kill -TERM $$").exit_code == 128 + signal.SIGTERM


def test_signals_that_python_ignores_work_inside(run: Run) -> None:
    assert run("yes | head -n 1; echo ${PIPESTATUS[0]}").stdout == b"y\n141\n"


def test_signals_that_our_caller_ignores_work_inside(sandbox: BubblewrapSandbox, tmp_path: Path) -> None:
    ignored = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)  # nohup sayso eval … &
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ignored}
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    fresh = BubblewrapSandbox(tmp_path)
    try:
        outcome = fresh.run("grep -E 'Sig(Ign|Blk)' /proc/self/status; bash -c 'kill -INT $$'; echo $?", (), Limits())
    finally:
        fresh.close()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR2})
        for number, handler in before.items():
            signal.signal(number, handler)
    blocked, unheard, code = outcome.stdout.split(b"\n")[:3]
    # Signals 32 and 33 are glibc's own: a caller that had them ignored cannot be undone, and nobody sends them.
    known = (1 << 31) - 1
    assert [int(line.split()[1], 16) & known for line in (blocked, unheard)] == [0, 0] and code == b"130"


def test_the_world_inside_is_fixed(run: Run) -> None:
    outcome = run("id -un; pwd; hostname; echo $TZ $LC_ALL $PYTHONHASHSEED $HOME; umask; date +%Z; echo $0")
    expected = "user\n/home/user\nsandbox\nUTC C.UTF-8 0 /home/user\n0022\nUTC\nbash\n"
    assert outcome.stdout.decode() == expected


def test_nothing_of_our_environment_is_inside(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_SECRET", "s3cret")
    assert b"s3cret" not in run("env; cat /proc/*/environ").stdout


def test_no_descriptor_leaks_in(run: Run) -> None:
    links = run("for fd in /proc/self/fd/*; do readlink $fd; done").stdout.decode().split()
    assert links[0] == "/dev/null"
    assert [link.split(":")[0] for link in links[1:3]] == ["pipe", "pipe"]
    # What is left is the shell's own look at the folder.
    assert all(link.startswith("/proc/") for link in links[3:])


def test_files_arrive_as_they_were_given(run: Run) -> None:
    outcome = run(
        "stat -c '%n %F %a %Y %s %U' a a/b.sh link /var/log/app.log; readlink link; cat a/b.sh",
        FileSpec("a/b.sh", b"#!/bin/sh\necho ran\n", mode=0o750, mtime=1_500_000_000.0),
        FileSpec("a", kind="dir", mode=0o700, mtime=1_400_000_000.0),
        FileSpec("link", b"a/b.sh", kind="link"),
        FileSpec("/var/log/app.log", b"one\n", mtime=1_600_000_000.0),
    )
    assert outcome.stdout.decode().splitlines()[:5] == [
        "a directory 700 1400000000 60 user",
        "a/b.sh regular file 750 1500000000 19 user",
        "link symbolic link 777 0 6 user",
        "/var/log/app.log regular file 644 1600000000 4 user",
        "a/b.sh",
    ]
    assert outcome.changes == ()


def test_owners_have_names_inside(run: Run) -> None:
    if os.geteuid() != 0:
        pytest.skip("files have other owners only where we are root")
    outcome = run(
        "stat -c '%n %U:%G' *; cat secret; id bob",
        FileSpec("bobs", b"", owner="bob"),
        FileSpec("roots", b"", owner="root"),
        FileSpec("shared", b"", owner="bob:staff"),
        FileSpec("secret", b"hidden", owner="bob", mode=0o600),
    )
    assert outcome.stdout.decode().splitlines()[:4] == [
        "bobs bob:bob",
        "roots root:root",
        "secret bob:bob",
        "shared bob:staff",
    ]
    assert b"hidden" not in outcome.stdout
    assert outcome.changes == ()


def test_a_file_cannot_be_put_through_a_link_to_the_host(run: Run, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("host")
    outcome = run(
        f"cat {tmp_path}/precious",
        FileSpec("out", os.fsencode(tmp_path), kind="link"),
        FileSpec(str(tmp_path), kind="dir", mode=0o755),
        FileSpec("out/precious", b"inside"),
    )
    assert (tmp_path / "precious").read_text() == "host"
    assert outcome.stdout == b"inside"


@pytest.mark.parametrize("path", ["", ".", "/", "/proc/x", "/dev/null", "a\0b", "../../proc/x"])
def test_a_path_that_cannot_hold_a_file_is_unscored(run: Run, path: str) -> None:
    if path in ("", "."):
        with pytest.raises(SandboxFailed):
            run("true", FileSpec(path, b"", kind="link"))
        return
    with pytest.raises(SandboxFailed) as caught:
        run("true", FileSpec(path, b""))
    assert caught.value.reason == "files cannot be put in"


def test_files_larger_than_the_disk_are_unscored(run: Run) -> None:
    with pytest.raises(SandboxFailed) as caught:
        run("true", FileSpec("big", b"x" * 9_000_000), disk_mb=8)
    assert caught.value.reason == "files cannot be put in"


@pytest.mark.parametrize("script", ["echo a\0b", "#" * 200_000])
def test_a_script_that_cannot_be_passed_on_is_the_users_fault(run: Run, script: str) -> None:
    with pytest.raises(UserError):
        run(script)


def test_a_script_of_any_bytes_is_passed_on(run: Run) -> None:
    assert run("printf %s 'a\udcffb\n  c '").stdout == b"a\xffb\n  c "


def test_cpu_time_is_that_of_the_whole_tree(run: Run) -> None:
    outcome = run("(ulimit -t 1; while :; do :; done) & wait; sleep 0.1", wall_seconds=30)
    assert 0.4 < outcome.cpu_seconds < 1.9  # the kernel counts by ticks for the one, exactly for the other


def test_a_sandbox_that_does_not_start_is_not_a_failed_command(tmp_path: Path) -> None:
    """An image without a shell: bwrap works, the inside never says that it started."""
    (tmp_path / "image/usr/bin").mkdir(parents=True)
    sandbox = BubblewrapSandbox(tmp_path / "cache", root=tmp_path / "image")
    with pytest.raises(SandboxFailed, match="bash"):
        sandbox.run("true", [], Limits())
    sandbox.close()


def test_an_image_is_another_root(tmp_path: Path) -> None:
    """The host's own system, seen through a folder, with one file more."""
    image = tmp_path / "image"
    (image / "etc").mkdir(parents=True)
    (image / "etc/release").write_text("ours")
    for name in ("bin", "lib", "lib64"):
        (image / name).symlink_to(f"usr/{name}")
    (image / "usr").mkdir()
    sandbox = BubblewrapSandbox(tmp_path / "cache", root=image, readable={"/usr": Path("/usr")})
    assert sandbox.run("cat /etc/release", [], Limits()).stdout == b"ours"
    sandbox.close()


def test_a_folder_can_be_shown_and_not_changed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data/table").write_text("1,2\n")
    sandbox = BubblewrapSandbox(tmp_path / "cache", readable={"/data": tmp_path / "data"})
    outcome = sandbox.run("cat /data/table; echo x > /data/table; touch /data/new", [], Limits())
    sandbox.close()
    assert outcome.stdout == b"1,2\n"
    assert (tmp_path / "data/table").read_text() == "1,2\n"
    assert list((tmp_path / "data").iterdir()) == [tmp_path / "data/table"]
    assert outcome.changes == ()


def test_the_network_is_there_only_when_asked_for(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = f"exec 3<> /dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo connected"
        assert run(script).stdout == b""
        assert run(script, network=True).stdout == b"connected\n"


def test_threads_share_a_sandbox(sandbox: BubblewrapSandbox) -> None:
    answers: dict[int, bytes] = {}

    def ask(number: int) -> None:
        answers[number] = sandbox.run(f"echo {number}", [], Limits()).stdout

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: f"{number}\n".encode() for number in range(6)}


def test_a_sandbox_pickles_and_works_on_the_other_side(sandbox: BubblewrapSandbox) -> None:
    copy: BubblewrapSandbox = pickle.loads(pickle.dumps(sandbox))
    assert copy.run("echo copy", [], Limits()).stdout == b"copy\n"
    copy.close()


def test_a_fork_of_the_owner_does_not_keep_the_launcher(tmp_path: Path) -> None:
    """Nor does it end it: the launcher is its parent's."""
    sandbox = BubblewrapSandbox(tmp_path)
    sandbox.run("true", [], Limits())
    reader, writer = os.pipe()
    fork = os.fork()
    if fork == 0:
        sandbox.close()
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    lasting = os.fork()
    if lasting == 0:
        os.close(writer)
        os.read(reader, 1)  # holds a copy of the socket
        os._exit(0)
    assert sandbox.run("echo still", [], Limits()).stdout == b"still\n"
    start = time.monotonic()
    sandbox.close()
    assert time.monotonic() - start < 8
    os.close(writer)
    for child in (fork, lasting):
        os.waitpid(child, 0)
    os.close(reader)


@pytest.mark.parametrize("limit", ["cpu_seconds", "wall_seconds", "memory_mb", "disk_mb", "file_bytes", "processes"])
def test_a_limit_of_zero_is_no_licence(run: Run, limit: str) -> None:
    """A disk of size 0 is one without limits to the kernel."""
    with pytest.raises(UserError, match=limit):
        run("true", **{limit: 0})


def test_more_processes_than_the_machine_allows(run: Run) -> None:
    assert run("echo works", processes=10**7).stdout == b"works\n"


@pytest.mark.parametrize(
    "file",
    [FileSpec("a", b"x\0y", "link"), FileSpec("a", mtime=float("nan")), FileSpec("a", mode=-1), FileSpec("x" * 300)],
)
def test_a_file_that_cannot_be_is_told_by_name(run: Run, file: FileSpec) -> None:
    with pytest.raises(SandboxFailed, match="cannot be put into the sandbox") as caught:
        run("true", file)
    assert caught.value.reason == "files cannot be put in"
    assert "Traceback" not in caught.value.message


def test_a_killed_launcher_is_replaced(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    sandbox.run("true", [], Limits())
    launcher = next(child for child in children(os.getpid()) if str(tmp_path) in command(child))
    os.kill(launcher, signal.SIGKILL)
    wait_until(lambda: command(launcher) == "")
    wait_until(lambda: groups_of(launcher) == [])  # its slots clean up by themselves
    assert sandbox.run("echo again", [], Limits()).stdout == b"again\n"
    sandbox.close()


def test_a_run_ends_when_its_owner_is_killed(tmp_path: Path) -> None:
    """Nobody is left to collect the outcome, so nothing of the run may stay: the launcher cleans up and ends."""
    seconds = f"60.{time.time_ns()}"
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from sayso.core.types import Limits;"
        "from sayso.sandbox.bubblewrap import BubblewrapSandbox;"
        "BubblewrapSandbox(Path(sys.argv[2])).run(sys.argv[3], [], Limits(wall_seconds=60))"
    )
    source = str(Path(sayso.__file__).parent.parent)
    owner = subprocess.Popen([sys.executable, "-c", code, source, str(tmp_path), f"sleep {seconds}"])
    wait_until(lambda: any(command(number) == f"sleep\0{seconds}\0" for number in processes()))
    owner.kill()
    owner.wait()
    wait_until(
        lambda: not any(seconds in command(number) or str(tmp_path) in command(number) for number in processes())
    )


@pytest.mark.slow
def test_a_run_costs_at_most_thirty_milliseconds_of_cpu(tmp_path: Path) -> None:
    """Start and teardown, the script's own shell included; the best of three, since others share this machine."""

    def cost(runs: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        sandbox = BubblewrapSandbox(tmp_path)
        for _ in range(runs):
            sandbox.run("true", [], Limits())
        sandbox.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min((cost(31) - cost(1)) / 30 for _ in range(3)) < 0.030


@pytest.mark.slow
def test_a_hundred_runs_leave_nothing_behind(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    sandbox.run("true", [], Limits())
    launcher = next(child for child in children(os.getpid()) if str(tmp_path) in command(child))
    wait_until(lambda: runs_of(launcher) == [])
    before = traces(launcher, tmp_path)
    for number in range(100):
        sandbox.run("mkdir d; echo x > d/f; sleep 0.001 &", [FileSpec(f"f{number}", b"x")], Limits())
    wait_until(lambda: runs_of(launcher) == [])
    assert traces(launcher, tmp_path) == before
    # A slot cleans up after its answer, so the next run may already be in another one.
    slots = children(launcher)
    assert len(slots) <= 4
    assert {path.name for path in groups_of(launcher)} <= {f"sayso-{launcher}-{slot}" for slot in slots}
    sandbox.close()
    assert not Path(f"/proc/{launcher}").exists()
    assert groups_of(launcher) == []


def traces(launcher: int, cache: Path) -> dict[str, object]:
    """Everything that a run could forget to take away."""
    return {
        "our mounts": Path("/proc/self/mountinfo").read_text(),
        "its mounts": Path(f"/proc/{launcher}/mountinfo").read_text(),
        "our descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "its descriptors": len(list(Path(f"/proc/{launcher}/fd").iterdir())) - len(children(launcher)),
        "files": sorted(cache.rglob("*")),
    }


def runs_of(launcher: int) -> list[int]:
    return [run for slot in children(launcher) for run in children(slot)]


def groups_of(launcher: int) -> list[Path]:
    homes = find_homes()
    return [path for home in {homes.cpu, homes.memory} if home for path in home.glob(f"sayso-{launcher}-*")]


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def wait_until(holds: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "still not so"
        time.sleep(0.05)
