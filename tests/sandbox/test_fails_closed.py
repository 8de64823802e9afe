"""Where the sandbox does not work: an error with cause and cure, and nothing runs on the host. And without root."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import sayso
from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits
from sayso.sandbox.bubblewrap import BubblewrapSandbox
from sayso.sandbox.probe import EVERYTHING, probe

pytestmark = pytest.mark.sandbox
SOURCE = str(Path(sayso.__file__).parent.parent)
NOBODY = 65534


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user may use, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="sayso-test-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def python_for_everybody() -> str:
    """An interpreter that another user may run: ours may lie in a home."""
    for program in (sys.executable, "/usr/bin/python3"):
        check = "import sys; sys.exit(sys.version_info < (3, 11))"
        try:
            done = subprocess.run([program, "-c", check], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/")
        except OSError:
            continue
        if done.returncode == 0:
            return program
    pytest.skip("no Python 3.11 that an ordinary user may run")


def as_nobody(code: str, *arguments: str, prelude: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python code as a user without any rights; `prelude` is put before it in a shell."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    environment = {"PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath}
    return subprocess.run(
        ["/bin/sh", "-c", f'{prelude} exec "$0" "$@"', python_for_everybody(), "-c", code, *arguments],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        env=environment,
        capture_output=True,
        text=True,
        timeout=90,
    )


SMOKE = """
import json, sys, time
from dataclasses import replace
from pathlib import Path
from sayso.core.errors import SandboxFailed
from sayso.core.types import FileSpec, Limits
from sayso.sandbox import open_sandbox
sandbox = open_sandbox(Path(sys.argv[1]))
def told(outcome):
    return [outcome.exit_code, outcome.stdout.decode(), outcome.stopped]
answers = {}
limits = Limits(cpu_seconds=1, wall_seconds=6, memory_mb=96, disk_mb=8, processes=16)
answers["id"] = told(sandbox.run("id -un; pwd", [], limits))
outcome = sandbox.run("cat a; echo y > b; rm a; echo z > /usr/local/bin/t", [FileSpec("a", b"x", mtime=5.0)], limits)
answers["changes"] = [[change.path, change.how] for change in outcome.changes]
answers["busy"] = told(sandbox.run("while :; do :; done", [], limits))
answers["output"] = told(sandbox.run("yes", [], Limits(output_bytes=10)))
answers["disk"] = told(sandbox.run("head -c 20M /dev/zero > f || echo full", [], limits))
hogs = "for i in 1 2 3 4 5 6; do head -c 60M /dev/zero | tail & done; wait; sleep 3"
answers["memory"] = told(sandbox.run(hogs, [], limits))
answers["memfd"] = told(sandbox.run("python3 -c 'import os; os.memfd_create(str())' || echo no", [], limits))
outcome = sandbox.run("for i in $(seq 30); do sleep 9 & done", [], replace(limits, wall_seconds=1.5))
answers["forks"] = outcome.stderr.decode()
answers["network"] = told(sandbox.run("exec 3<> /dev/tcp/127.0.0.1/22 || echo refused", [], limits))
answers["mount"] = told(sandbox.run("unshare -U true || mount -t tmpfs x /mnt || echo refused", [], limits))
answers["host"] = told(sandbox.run("cat /proc/self/uid_map; touch /usr/bin/x || ls /home", [], limits))
below = sandbox.layer("mkdir d; echo 1 > d/x; echo 1 > f", [], limits)
above = sandbox.layer("rm -r d f; mkdir d; echo 2 > d/y; mkdir c; chmod 0 c", [], limits, [below])
answers["layers"] = told(sandbox.run("ls -d d/* f c", [], limits, [below, above]))
try:
    sandbox.run("true", [FileSpec("a", owner="bob")], limits)
except SandboxFailed as error:
    answers["owners"] = error.reason
link = sandbox.layer(f"ln -sf /oldroot{sys.argv[1]}/made /etc/resolv.conf", [], limits)
try:
    sandbox.run("true", [], replace(limits, network=True), [link])
except SandboxFailed as error:
    answers["link"] = [error.reason, Path(sys.argv[1], "made").exists()]
from sayso.sandbox.layers import collect_layers
collected = []
for _ in range(50):  # on a busy machine the run that was refused last lets go of its layer a moment later
    collected += collect_layers(Path(sys.argv[1]), 0, 0)
    if len(collected) == 3:
        break
    time.sleep(0.1)
answers["collected"] = len(collected)
sandbox.close()
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_an_ordinary_user_has_the_same_sandbox(open_folder: Path) -> None:
    done = as_nobody(SMOKE, str(open_folder / "cache"))
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["id"] == [0, "user\n/home/user\n", ""]
    assert answers["changes"] == [["/usr/local/bin/t", "created"], ["a", "removed"], ["b", "created"]]
    assert answers["busy"][2] == "cpu"
    assert answers["output"][2] == "output"
    assert answers["disk"][1] == "full\n"
    assert answers["memory"][2] == "memory"
    assert answers["memfd"][1] == "no\n"
    assert "Resource temporarily unavailable" in answers["forks"]
    assert answers["network"][1] == answers["mount"][1] == "refused\n"
    assert answers["host"][1].split() == ["1000", "0", "1", "user"]
    assert answers["layers"][1].split() == ["c", "d/y"]
    assert answers["owners"] == "needs other owners"
    assert answers["link"] == ["files cannot be put in", False]  # a file of ours, where a link in a layer said
    assert answers["collected"] == 3


OPEN = """
import sys
from pathlib import Path
from sayso.core.errors import SandboxFailed
from sayso.sandbox import open_sandbox
try:
    open_sandbox(Path(sys.argv[1])).run(f"touch {sys.argv[1]}/ran", [], None)
except SandboxFailed as error:
    print(error.message, "|", error.hint, "|", error.exit_code)
"""
# No user namespace may be made below this one, as in many containers.
FORBIDDEN = """exec unshare -r sh -c 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"' "$0" "$@";"""


def test_without_user_namespaces_nothing_runs(open_folder: Path) -> None:
    done = as_nobody(OPEN, str(open_folder), prelude=FORBIDDEN)
    assert done.returncode == 0, done.stderr
    message, hint, code = done.stdout.split(" | ")
    assert "user namespaces" in message
    assert "sysctl -w user.max_user_namespaces" in hint
    assert int(code) == 3
    assert not (open_folder / "ran").exists()


def test_root_without_his_rights_is_refused(tmp_path: Path) -> None:
    """He would be the user inside, whose processes the kernel does not limit."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("needs root, to be deprived of rights")
    deprive = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
    done = subprocess.run(
        [*deprive, sys.executable, "-c", OPEN, str(tmp_path)],
        env={"PYTHONPATH": SOURCE, "PATH": os.defpath},
        capture_output=True,
        text=True,
    )
    message, hint, code = done.stdout.split(" | ")
    assert "root without the right" in message, done.stderr
    assert "--user" in hint
    assert int(code) == 3
    assert not (tmp_path / "ran").exists()


def test_the_probe_says_why_in_such_a_place() -> None:
    code = (
        "import json; from sayso.sandbox.probe import probe;"
        "print(json.dumps({part.name: [part.ok, part.cure, part.lost] for part in probe()}))"
    )
    done = as_nobody(code, prelude=FORBIDDEN)
    assert done.returncode == 0, done.stderr
    parts = json.loads(done.stdout)
    assert parts["user namespaces"] == [False, "sysctl -w user.max_user_namespaces=10000", list(EVERYTHING)]
    assert parts["sandbox"][:2] == [False, "see the failed parts above"]
    assert parts["overlay"][1] == parts["private mounts"][1] == "see user namespaces"  # and not a cure for themselves
    assert parts["bubblewrap"][0] is True


def test_without_bubblewrap_nothing_runs(tmp_path: Path) -> None:
    with pytest.raises(SandboxFailed, match="bubblewrap") as caught:
        BubblewrapSandbox(tmp_path, path=str(tmp_path)).run(f"touch {tmp_path}/ran", [], Limits())
    assert "apt install bubblewrap" in caught.value.hint
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("does", ["exit 0", "echo '{ \"child-pid\": 1 }' >&5; exit 0", "echo nonsense } >&5; exit 0"])
def test_a_bubblewrap_that_does_not_do_its_work_is_not_trusted(tmp_path: Path, does: str) -> None:
    """It ends with 0 at once, as if the script had run."""
    program = tmp_path / "bin/bwrap"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{does}\n")
    for path in (program, program.parent, tmp_path):
        path.chmod(0o755)
    sandbox = BubblewrapSandbox(tmp_path / "cache", path=str(program.parent))
    with pytest.raises(SandboxFailed, match="did not start"):
        sandbox.run("true", [], Limits())
    sandbox.close()


def test_the_probe_finds_a_working_machine(sandbox: BubblewrapSandbox) -> None:
    parts = {part.name: part for part in probe()}
    assert parts["sandbox"].ok, parts["sandbox"].detail
    assert all(part.ok for part in parts.values() if part.lost == EVERYTHING)
    assert all(part.cure and part.lost for part in parts.values() if not part.ok)
    assert set(parts) >= {"user namespaces", "AppArmor", "overlay", "bubblewrap", "seccomp", "memory by cgroup"}


def test_the_probe_names_what_is_missing(tmp_path: Path) -> None:
    parts = {part.name: part for part in probe(path=str(tmp_path))}
    assert not parts["bubblewrap"].ok
    assert "apt install bubblewrap" in parts["bubblewrap"].cure
    assert not parts["sandbox"].ok
    assert parts["user namespaces"].ok


def test_the_probe_of_an_ordinary_user_says_what_is_lost() -> None:
    code = (
        "import json; from sayso.sandbox.probe import probe;"
        "print(json.dumps([[part.name, part.ok, part.lost] for part in probe()]))"
    )
    done = as_nobody(code)
    assert done.returncode == 0, done.stderr
    parts = {name: (ok, lost) for name, ok, lost in json.loads(done.stdout)}
    assert parts["sandbox"] == (True, [])
    assert parts["file owners"][0] is False
    assert "unscored" in parts["file owners"][1][0]
