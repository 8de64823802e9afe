"""What a run prints is heard as it comes, its environment is its own, and what a failed script left can be kept."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.errors import RunFailed, SandboxFailed, UserError
from sayso.core.types import FileSpec, Limits
from sayso.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = pytest.mark.sandbox
LIMITS = Limits(cpu_seconds=3, wall_seconds=8, memory_mb=256, disk_mb=32)


class Ear:
    """Remembers what it hears, and when."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes, float]] = []

    def __call__(self, stream: str, piece: bytes) -> None:
        self.heard.append((stream, piece, time.monotonic()))

    def of(self, stream: str) -> bytes:
        return b"".join(piece for name, piece, _ in self.heard if name == stream)


def test_output_is_heard_while_the_script_runs(sandbox: BubblewrapSandbox) -> None:
    ear = Ear()
    outcome = sandbox.run("echo one; echo err >&2; sleep 0.5; echo two", [], LIMITS, hear=ear)
    ended = time.monotonic()
    assert (ear.of("stdout"), ear.of("stderr")) == (b"one\ntwo\n", b"err\n")
    assert (outcome.stdout, outcome.stderr) == (b"one\ntwo\n", b"err\n")
    assert ended - ear.heard[0][2] > 0.4


def test_large_output_is_heard_whole_and_no_more_than_the_limit(sandbox: BubblewrapSandbox) -> None:
    ear = Ear()
    limits = Limits(wall_seconds=20, output_bytes=6_000_000)
    outcome = sandbox.run("seq 500000; seq 100000 >&2", [], limits, hear=ear)
    assert ear.of("stdout") == outcome.stdout == "".join(f"{n}\n" for n in range(1, 500001)).encode()
    assert ear.of("stderr") == outcome.stderr
    loud = Ear()
    outcome = sandbox.run("yes", [], LIMITS, hear=loud)
    assert outcome.stopped == "output"
    assert loud.of("stdout") == outcome.stdout
    assert len(outcome.stdout) == LIMITS.output_bytes


def test_a_slow_listener_does_not_hold_up_the_limits(sandbox: BubblewrapSandbox) -> None:
    """The run ends at its wall limit though nobody takes what it prints; all of it still comes."""
    ended: list[float] = []
    script = "head -c 900000 /dev/zero; while :; do sleep 0.05; date +%s.%N >&2; done"
    last = b""

    def hear(stream: str, piece: bytes) -> None:
        nonlocal last
        if not ended:
            time.sleep(1.5)
            ended.append(time.time())
        last = piece if stream == "stderr" else last

    outcome = sandbox.run(script, [], Limits(wall_seconds=0.7), hear=hear)
    assert outcome.stopped == "wall"
    assert float(last.split()[-1]) < ended[0] - 0.3


def test_a_listener_that_raises_ends_the_run_and_is_heard_itself(sandbox: BubblewrapSandbox, layers: Path) -> None:
    def hear(stream: str, piece: bytes) -> None:
        raise OSError(f"no room for {piece!r}")

    before = set(layers.iterdir())
    started = time.monotonic()
    with pytest.raises(OSError, match="no room for b'x"):
        sandbox.layer("echo x; sleep 6; touch kept", [], LIMITS, hear=hear)
    assert time.monotonic() - started < 4
    assert not [path for path in set(layers.iterdir()) - before if path.is_dir()]
    assert sandbox.run("echo on", [], LIMITS).stdout == b"on\n"


def test_a_run_that_is_killed_while_it_is_heard_is_a_failure_of_the_sandbox(sandbox: BubblewrapSandbox) -> None:
    def hear(stream: str, piece: bytes) -> None:
        assert sandbox._stop is not None
        found = sandbox._stop.peek()
        assert found is not None
        for slot in _children(found[2][0].pid):
            for run in _children(slot):
                os.kill(run, signal.SIGKILL)

    with pytest.raises(SandboxFailed, match="lost"):
        sandbox.run("echo x; sleep 5", [], LIMITS, hear=hear)
    assert sandbox.run("echo again", [], LIMITS).stdout == b"again\n"


def _children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_variables_are_set_for_one_run_only(sandbox: BubblewrapSandbox) -> None:
    said = 'printf "%s|%s|%s" "$A" "$LC_ALL" "$HOME"'
    assert sandbox.run(said, [], LIMITS, environment={"A": "x y", "LC_ALL": "C"}).stdout == b"x y|C|/home/user"
    assert sandbox.run(said, [], LIMITS).stdout == b"|C.UTF-8|/home/user"


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40))
def test_any_text_is_a_value(sandbox: BubblewrapSandbox, value: str) -> None:
    """`script` and `text` are names that the start of a run uses itself."""
    names = ("A_1", "script", "text")
    script = 'printf "%s" "$A_1$script$text"'
    outcome = sandbox.run(script, [], LIMITS, environment=dict.fromkeys(names, value))
    assert outcome.stdout == 3 * value.encode()


@pytest.mark.parametrize(
    ("name", "value"), [("", "x"), ("A-B", "x"), ("A=B", "x"), ("1A", "x"), ("UID", "0"), ("A", "\0")]
)
def test_what_bash_cannot_set_is_refused(sandbox: BubblewrapSandbox, name: str, value: str) -> None:
    with pytest.raises(UserError, match="cannot be set"):
        sandbox.run("true", [], LIMITS, environment={name: value})


def test_a_search_path_into_a_layer_is_not_the_launchers(sandbox: BubblewrapSandbox) -> None:
    """A library that a layer left may break the script's shell, which is an outcome, never the start of the run."""
    broken = sandbox.layer("for l in libtinfo.so.6 libc.so.6; do echo > /usr/local/lib/$l; done", [], LIMITS)
    outcome = sandbox.run("echo on", [], LIMITS, [broken], environment={"LD_LIBRARY_PATH": "/usr/local/lib"})
    assert (outcome.exit_code, outcome.stdout) == (127, b"")
    assert b"file too short" in outcome.stderr or b"invalid ELF header" in outcome.stderr


def test_what_a_failed_script_left_is_kept_with_its_end(sandbox: BubblewrapSandbox) -> None:
    script = "date +%N > made; echo out; echo err >&2; exit 7"
    with pytest.raises(RunFailed, match="exit code 7"):
        sandbox.layer(script, [], LIMITS)
    layer = sandbox.layer(script, [], LIMITS, failed=True)
    assert layer.outcome is not None
    assert (layer.outcome.exit_code, layer.outcome.stdout, layer.outcome.stderr) == (7, b"out\n", b"err\n")
    made = sandbox.run("cat made", [], LIMITS, [layer]).stdout
    assert made.strip().isdigit()
    ear = Ear()
    again = sandbox.layer(script, [], LIMITS, failed=True, hear=ear)
    assert (again, again.outcome, ear.heard) == (layer, layer.outcome, [])
    assert sandbox.run("cat made", [], LIMITS, [again]).stdout == made


def test_what_a_stopped_script_left_is_kept_and_hangs_on_the_limits(sandbox: BubblewrapSandbox) -> None:
    script = "touch begun; while :; do :; done"
    short = Limits(cpu_seconds=0.2, disk_mb=8)
    layer = sandbox.layer(script, [], short, failed=True)
    assert layer.outcome is not None
    assert (layer.outcome.stopped, layer.outcome.exit_code) == ("cpu", 137)
    assert layer.outcome.cpu_seconds > 0.1
    assert sandbox.run("ls", [], LIMITS, [layer]).stdout == b"begun\n"
    assert sandbox.layer(script, [], Limits(cpu_seconds=0.3, disk_mb=8), failed=True).digest != layer.digest


def test_paths_that_are_left_out_are_not_kept(sandbox: BubblewrapSandbox) -> None:
    script = "mkdir -p build/deep; touch build/deep/a kept /tmp/t /usr/local/share/x; mkdir /usr/local/share/no"
    layer = sandbox.layer(
        script, [FileSpec("build/given")], LIMITS, leave_out=["/home/user/build", "/tmp", "/usr/local/share/x"]
    )
    found = sandbox.run("find . /tmp /usr/local/share | sort", [], LIMITS, [layer]).stdout.decode().split()
    assert "./kept" in found
    assert "/usr/local/share/no" in found
    assert not {"./build", "/tmp/t", "/usr/local/share/x"} & set(found)
    assert sandbox.layer(script, [FileSpec("build/given")], LIMITS).digest != layer.digest
