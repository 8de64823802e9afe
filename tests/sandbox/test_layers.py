"""Layers: made once, stacked, shared between processes, collected by size and age, never half-made."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import sayso
from sayso.core.errors import RunFailed, SandboxFailed, UserError
from sayso.core.types import FileSpec, Layer, Limits
from sayso.sandbox.bubblewrap import BubblewrapSandbox
from sayso.sandbox.layers import collect_layers, layer_digest, locked
from sayso.sandbox.messages import Ask

pytestmark = pytest.mark.sandbox
LIMITS = Limits(disk_mb=32)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock" and path.name != ".collected")


def test_a_layer_is_what_the_run_left(sandbox: BubblewrapSandbox) -> None:
    layer = sandbox.layer(
        "mkdir d; cat given > d/copy; echo tool > /usr/local/bin/t", [FileSpec("given", b"1\n")], LIMITS
    )
    outcome = sandbox.run("cat given d/copy /usr/local/bin/t; stat -c '%a %Y' given", [], LIMITS, [layer])
    assert outcome.stdout == b"1\n1\ntool\n644 0\n"
    assert outcome.changes == ()


def test_a_run_does_not_change_its_layer(sandbox: BubblewrapSandbox) -> None:
    layer = sandbox.layer("echo kept > f; mkdir d", [], LIMITS)
    outcome = sandbox.run("echo spoilt > f; rmdir d; rm -rf /usr/local/*", [], LIMITS, [layer])
    assert {(change.path, change.how) for change in outcome.changes} >= {("f", "changed"), ("d", "removed")}
    assert sandbox.run("cat f; ls", [], LIMITS, [layer]).stdout == b"kept\nd\nf\n"


def test_the_second_call_runs_nothing(sandbox: BubblewrapSandbox) -> None:
    script = f"sleep 0.5; echo {time.time_ns()} > made"
    first = sandbox.layer(script, [], LIMITS)
    start = time.monotonic()
    assert sandbox.layer(script, [], LIMITS) == first
    assert time.monotonic() - start < 0.4


def test_layers_stack_and_the_last_lies_on_top(sandbox: BubblewrapSandbox) -> None:
    below = sandbox.layer("echo below > f; echo stays > g; mkdir -p d; echo deep > d/x", [], LIMITS)
    above = sandbox.layer("echo above > f; rm -r d; rm g; mkdir d; echo fresh > d/y", [], LIMITS, [below])
    outcome = sandbox.run("cat f; ls d; test -e g || echo gone", [], LIMITS, [below, above])
    assert outcome.stdout == b"above\ny\ngone\n"
    assert sandbox.run("cat f g; ls d", [], LIMITS, [below]).stdout == b"below\nstays\nx\n"


def test_files_lie_on_top_of_layers(sandbox: BubblewrapSandbox) -> None:
    layer = sandbox.layer("echo layer > f; mkdir d; echo layer > d/g", [], LIMITS)
    outcome = sandbox.run("cat f d/g d/h", [FileSpec("f", b"file\n"), FileSpec("d/h", b"beside\n")], LIMITS, [layer])
    assert outcome.stdout == b"file\nlayer\nbeside\n"
    assert outcome.changes == ()


def test_links_pipes_holes_and_modes_survive(sandbox: BubblewrapSandbox) -> None:
    script = (
        "echo x > a; ln a b; ln -s a s; mkfifo p; truncate -s 20M hole; printf end >> hole; chmod 4751 a;"
        "mkdir closed; echo x > closed/f; chmod 0 closed; touch -d @7 a; printf x > $'new\\nline'"
    )
    layer = sandbox.layer(script, [], LIMITS)
    outcome = sandbox.run(
        "stat -c '%n %F %a %h' a b p; stat -c %Y a; readlink s; stat -c %a closed; stat -c %s hole;"
        "tail -c 3 hole; ls -b *line",
        [],
        LIMITS,
        [layer],
    )
    assert outcome.stdout.decode().splitlines() == [
        "a regular file 4751 2",
        "b regular file 4751 2",
        "p fifo 644 1",
        "7",
        "a",
        "0",
        f"{(20 << 20) + 3}",
        "endnew\\nline",
    ]
    assert (layer.path / "top/home/user/hole").stat().st_blocks < 1000


def test_owners_survive(sandbox: BubblewrapSandbox) -> None:
    if os.geteuid() != 0:
        pytest.skip("files have other owners only where we are root")
    first = sandbox.layer("true", [FileSpec("b", owner="bob")], LIMITS)
    second = sandbox.layer("true", [FileSpec("a", owner="anna")], LIMITS, [first])
    outcome = sandbox.run("stat -c %U a b c", [FileSpec("c", owner="carl")], LIMITS, [first, second])
    assert outcome.stdout.split() == [b"anna", b"bob", b"carl"]


def test_a_failing_script_makes_no_layer(sandbox: BubblewrapSandbox, layers: Path) -> None:
    before = names(layers)
    with pytest.raises(RunFailed, match="exit code 3") as caught:
        sandbox.layer("echo no compiler >&2; exit 3", [], LIMITS)
    assert "no compiler" in caught.value.hint
    with pytest.raises(RunFailed, match="wall"):
        sandbox.layer("sleep 20", [], replace(LIMITS, wall_seconds=0.2))
    assert names(layers) == before


def test_a_layer_that_is_gone_is_unscored(sandbox: BubblewrapSandbox) -> None:
    layer = sandbox.layer("echo soon gone > f", [], LIMITS)
    for wrong in (
        Layer("0" * 64, layer.path.parent / ("0" * 64)),
        Layer(layer.digest, Path("/elsewhere") / layer.digest),
        Layer("1" * 64, layer.path),
        Layer("../../layers/x", layer.path),
    ):
        with pytest.raises(SandboxFailed) as caught:
            sandbox.run("true", [], LIMITS, [wrong])
        assert caught.value.reason == "layer is gone"


def test_too_many_layers_are_refused(sandbox: BubblewrapSandbox) -> None:
    layer = sandbox.layer("true", [], LIMITS)
    with pytest.raises(UserError, match="260 layers"):
        sandbox.run("true", [], LIMITS, [layer] * 260)


def test_a_layer_that_no_list_could_hold_is_made_at_once(sandbox: BubblewrapSandbox) -> None:
    """Nobody asked for the list of its changes, so none is made and none is too long."""
    script = "head -c 20M /dev/zero | tr '\\0' x > f; for i in {1..70}; do ln f $i; done"
    layer = sandbox.layer(script, [], LIMITS)
    assert sandbox.run("ls | wc -l", [], LIMITS, [layer]).stdout == b"71\n"


def test_the_digest_knows_everything_that_made_a_layer() -> None:
    file = FileSpec("a", b"1", mode=0o644, mtime=1.0)
    below = Layer("b" * 64, Path("/b"))

    def digest(
        script: str = "s", file: FileSpec = file, network: bool = False, layers: tuple[Layer, ...] = (), root: str = "r"
    ) -> str:
        below = tuple(layer.digest for layer in layers)
        return layer_digest(Ask(script.encode(), (file,), Limits(network=network), below), root)

    digests = [
        digest(),
        digest(script="t"),
        digest(file=replace(file, content=b"2")),
        digest(file=replace(file, mode=0o600)),
        digest(file=replace(file, mtime=2.0)),
        digest(file=replace(file, owner="bob")),
        digest(file=replace(file, path="b")),
        digest(network=True),
        digest(layers=(below,)),
        digest(root="other"),
    ]
    assert len(set(digests)) == len(digests)
    assert digest() == layer_digest(Ask(b"s", (file,), Limits(cpu_seconds=99), ()), "r")


def test_two_processes_make_a_layer_once(tmp_path: Path) -> None:
    """Both ask at the same time; the layer holds a word that would differ between two runs."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from sayso.core.types import Limits;"
        "from sayso.sandbox.bubblewrap import BubblewrapSandbox;"
        "sandbox = BubblewrapSandbox(Path(sys.argv[2]));"
        "layer = sandbox.layer('sleep 0.5; date +%N > made', [], Limits());"
        "print(sandbox.run('cat made', [], Limits(), [layer]).stdout)"
    )
    command = [sys.executable, "-c", code, str(Path(sayso.__file__).parent.parent), str(tmp_path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    answers = [process.communicate(timeout=60)[0] for process in processes]
    assert answers[0] == answers[1] != b""
    assert len(names(tmp_path / "layers")) == 1


def test_a_killed_build_leaves_nothing_half_made(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from sayso.core.types import Limits;"
        "from sayso.sandbox.bubblewrap import BubblewrapSandbox;"
        "BubblewrapSandbox(Path(sys.argv[2])).layer('echo x > f; sleep 1', [], Limits())"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(Path(sayso.__file__).parent.parent), str(tmp_path)])
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob("layers/*.lock")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert names(tmp_path / "layers") == []
    # The lock is free as soon as the launcher has cleaned up, and the same layer can be made.
    sandbox = BubblewrapSandbox(tmp_path)
    layer = sandbox.layer("echo x > f; sleep 1", [], Limits())
    assert sandbox.run("cat f", [], Limits(), [layer]).stdout == b"x\n"
    sandbox.close()


def test_what_a_killed_builder_left_is_swept(sandbox: BubblewrapSandbox, layers: Path) -> None:
    script = f"echo {time.time_ns()} > f"
    digest = layer_digest(Ask(script.encode(), (), LIMITS, ()), sandbox._root_identity())
    left = layers / f".making-{digest}-1"
    (left / "top/closed").mkdir(parents=True)
    (left / "top/closed").chmod(0)
    layer = sandbox.layer(script, [], LIMITS)
    assert layer.digest == digest
    assert not left.exists()


def fill(sandbox: BubblewrapSandbox, count: int) -> list[Layer]:
    """Layers of a megabyte each, the first one the longest unused."""
    made = []
    for number in range(count):
        made.append(
            sandbox.layer(
                f"head -c 1M /dev/urandom > f; mkdir closed; touch closed/{number}; chmod 0 closed", [], LIMITS
            )
        )
        age = time.time() - 1000 * (count - number)
        os.utime(made[-1].path.parent / f"{made[-1].digest}.lock", (age, age))
    return made


def test_collection_by_size_takes_the_longest_unused(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    made = fill(sandbox, 4)
    sandbox.run("true", [], LIMITS, [made[0]])  # used just now
    removed = collect_layers(tmp_path, max_bytes=2_500_000, max_age=1e9)
    assert removed == [made[1].digest, made[2].digest]
    assert names(tmp_path / "layers") == sorted([made[0].digest, made[3].digest])
    assert sandbox.run("cat f | wc -c", [], LIMITS, [made[0]]).stdout == b"1048576\n"
    sandbox.close()


def test_collection_by_age(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    made = fill(sandbox, 3)
    assert collect_layers(tmp_path, max_bytes=10**12, max_age=1500) == [made[0].digest, made[1].digest]
    assert not list(tmp_path.glob(f"layers/*{made[0].digest}*"))
    sandbox.close()


def test_a_layer_in_use_is_not_collected(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    (layer,) = fill(sandbox, 1)
    with locked(tmp_path / "layers", layer.digest, exclusive=False):
        assert collect_layers(tmp_path, max_bytes=0, max_age=0) == []
    assert collect_layers(tmp_path, max_bytes=0, max_age=0) == [layer.digest]
    sandbox.close()


def test_a_running_sandbox_holds_its_layers(tmp_path: Path) -> None:
    """Even after its owner closed its own copy of the lock: the run holds one."""
    sandbox = BubblewrapSandbox(tmp_path)
    (layer,) = fill(sandbox, 1)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from sayso.core.types import *;"
        "from sayso.sandbox.bubblewrap import BubblewrapSandbox; cache = Path(sys.argv[2]);"
        "layer = Layer(sys.argv[3], cache / 'layers' / sys.argv[3]);"
        "BubblewrapSandbox(cache).run('sleep 5', [], Limits(), [layer])"
    )
    source = str(Path(sayso.__file__).parent.parent)
    process = subprocess.Popen([sys.executable, "-c", code, source, str(tmp_path), layer.digest])
    lock = tmp_path / "layers" / f"{layer.digest}.lock"
    deadline = time.monotonic() + 20
    while is_free(lock) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert collect_layers(tmp_path, max_bytes=0, max_age=0) == []
    process.kill()
    process.wait()
    sandbox.close()


def is_free(lock: Path) -> bool:
    with lock.open() as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_collection_takes_locks_without_layers(tmp_path: Path) -> None:
    """Every failed build leaves one."""
    sandbox = BubblewrapSandbox(tmp_path)
    with pytest.raises(RunFailed):
        sandbox.layer("false", [], LIMITS)
    sandbox.close()
    assert len(list(tmp_path.glob("layers/*.lock"))) == 1
    assert collect_layers(tmp_path, max_bytes=10**12, max_age=1e9) == []
    assert list(tmp_path.glob("layers/*.lock")) == []


def age(path: Path, days: float) -> None:
    then = time.time() - days * 86400
    os.utime(path, (then, then))


def test_a_new_layer_lets_old_ones_go_at_most_once_a_day(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    made = [sandbox.layer(f"echo {number} > f", [], LIMITS) for number in range(3)]
    folder = tmp_path / "layers"
    for layer, days in zip(made, (31, 29, 31), strict=True):
        age(folder / f"{layer.digest}.lock", days)
    sandbox.layer("echo 3 > f", [], LIMITS)
    assert all(layer.path.exists() for layer in made)  # the first layer has had a look today
    age(folder / ".collected", 1.1)
    newest = sandbox.layer("echo 4 > f", [], LIMITS)
    assert [layer.path.exists() for layer in (*made, newest)] == [False, True, False, True]
    sandbox.close()


def test_collection_by_size_spares_what_was_used_today(tmp_path: Path) -> None:
    sandbox = BubblewrapSandbox(tmp_path)
    made = fill(sandbox, 3)  # used within the hour
    age(tmp_path / "layers" / f"{made[1].digest}.lock", 2)
    assert collect_layers(tmp_path, max_bytes=0, max_age=1e9, least_age=86400) == [made[1].digest]
    sandbox.close()


def test_layers_in_a_folder_of_another_user_are_refused(tmp_path: Path) -> None:
    """He could swap what root is about to remove."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    (tmp_path / "layers").mkdir()
    os.chown(tmp_path / "layers", 65534, 65534)
    with pytest.raises(SandboxFailed, match="belongs to another user"):
        BubblewrapSandbox(tmp_path).run("true", [], LIMITS)


def test_nobody_else_may_look_into_layers(sandbox: BubblewrapSandbox, layers: Path) -> None:
    sandbox.layer("true", [], LIMITS)
    assert layers.stat().st_mode & 0o077 == 0
