"""What a command does outside the folder is told with its paths, or it is said that it was not tried. Never "nothing".

Each table is run twice: as an ordinary user, who has overlays, and as root, who has copies.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import tree_sitter

import sayso

pytestmark = pytest.mark.sandbox
NOBODY, SOME_GROUP, HUGE = 65534, 54321, 4 << 40
DAEMON = str(Path("~daemon").expanduser())
DOCS = ("~/docs/a.txt", "~/docs/b", "~/docs/b/c.txt")
OTHER = ("~/project/other", "~/project/other/o")
# Command → what it changes, by path: "-" deleted, "=" changed, "+" created.
TOLD: dict[str, dict[str, tuple[str, ...]]] = {
    "rm -rf ../other": {"-": OTHER},
    "rm -rf ~/docs/*": {"-": DOCS},
    "cd .. && rm -rf other": {"-": OTHER},
    "cd ~; rm -r docs": {"-": ("~/docs", *DOCS)},
    "cd ~ && rm *": {"-": ("~/data.db",)},
    "cd ..; cd ..; rm -r pictures": {"-": ("~/pictures", "~/pictures/p.jpg")},
    "find ~ -name '*.txt' -delete": {"-": ("~/docs/a.txt", "~/docs/b/c.txt", "~/project/notes.txt")},
    "find .. -type f -delete": {"-": ("~/project/notes.txt", "~/project/other/o", "main.c")},
    "rm $TMP_OF_MINE/x": {"-": ("$TMP_OF_MINE/x",)},
    'rm -rf "$FAR"/*': {"-": ("$FAR/stuff", "$FAR/stuff/y")},
    "mv ../other .": {"-": OTHER, "+": ("other", "other/o")},
    ": > ../notes.txt": {"=": ("~/project/notes.txt",)},
    "echo more >> ~/data.db": {"=": ("~/data.db",)},
    "rm -rf $HOME/pictures": {"-": ("~/pictures", "~/pictures/p.jpg")},
    "rm -r link/*": {"-": DOCS},
    "find -L . -name p.jpg -delete": {"-": ("~/pictures/p.jpg",)},
    "truncate -s 0 ../../data.db": {"=": ("~/data.db",)},
    "chmod -R go-rwx ~/docs": {"=": ("~/docs", *DOCS)},
    "sed -i s/a/b/ ~/docs/a.txt": {"=": ("~/docs/a.txt",)},
    "cp main.c ~/docs/a.txt": {"=": ("~/docs/a.txt",)},
    "tee ~/docs/a.txt < main.c": {"=": ("~/docs/a.txt",)},
    "dd if=/dev/zero of=../notes.txt bs=1 count=4 conv=notrunc": {"=": ("~/project/notes.txt",)},
    "ls ~/docs | xargs -I@ rm -r ~/docs/@": {"-": DOCS},
    'D=~/docs; rm -rf "$D"': {"-": ("~/docs", *DOCS)},
    'for f in ~/docs/*; do rm -r "$f"; done': {"-": DOCS},
    "rm -rf ~/{docs,pictures}": {"-": ("~/docs", *DOCS, "~/pictures", "~/pictures/p.jpg")},
    "(cd ../.. && rm -rf docs)": {"-": ("~/docs", *DOCS)},
    "ln -sf /dev/null ../notes.txt": {"=": ("~/project/notes.txt",)},
    "> ../notes.txt": {"=": ("~/project/notes.txt",)},
    "rm ~/huge": {"-": ("~/huge",)},
    "rm -r ~/shared": {"-": ("~/shared/deep", "~/shared/deep/f")},
    "rm -rf ~/shared/* 2> /dev/null || true": {"-": ("~/shared/deep", "~/shared/deep/f")},
    "echo x >> ~/shared/deep/f": {"=": ("~/shared/deep/f",)},
    "tar --remove-files -cf other.tar ../other": {"-": OTHER, "+": ("other.tar",)},
    "find ~/docs -type f -exec rm {} +": {"-": ("~/docs/a.txt", "~/docs/b/c.txt")},
    "sh clean.sh": {"-": ("~/docs", *DOCS)},
    "echo 'rm -r ~/docs' | sh": {"-": ("~/docs", *DOCS)},
    """python3 -c "import os; os.remove(os.path.expanduser('~/data.db'))" """: {"-": ("~/data.db",)},
}
# Command → what it is said to reach beyond what was tried.
BEYOND = {
    "rm -f /etc/passwd": "/etc/passwd",
    "echo x > /var/log/sayso-test.log": "/var/log/sayso-test.log",
    "find / -maxdepth 2 -name '*.sayso-test' -delete": "/",
    "rm -rf /usr/local/share": "/usr/local/share",
    "cd /etc && rm -f hostname": "/etc",
    "echo 3 > /proc/sys/vm/drop_caches": "/proc/sys/vm/drop_caches",
    "rm -rf /var/lib": "/var/lib",
    "rm -rf ~daemon/x": DAEMON,
}
# Command → why "no change" may not be all.
DOUBTED = {
    "sudo rm -rf ~/docs": "the sandbox lacks what it asks for",
    "no-such-program --delete ~/docs": "the sandbox lacks what it asks for",
    "rm no-such-file": "it failed (exit code 1)",
    "crontab -r": "the sandbox lacks what it asks for",
}
HARMLESS = (
    *("ls", "ls -la ~", "cat ../notes.txt", "find ~ -name '*.txt'", "du -sh ..", "grep -r x ~/docs", "wc -l main.c"),
    *("cd .. && ls", "head -n 1 /etc/passwd", "echo hi", "sort main.c | uniq -c", "cat main.c > /dev/null", "df -h"),
    *("stat ~/docs", "ls / | wc -l", "find . -name '*.c' | xargs wc -l"),
)
# An ordinary user's own command may read what is his; nothing in his folders answers or is waited for.
ATTACKS = {
    "connect": "cd ~; python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"agent.sock\")'",
    "packet": 'cd ~; python3 -c \'import socket; s = socket.socket(socket.AF_UNIX, 2); s.sendto(b"x", "log.sock")\'',
    "tmp": "ls -d /tmp/layers /tmp/run /tmp/skeleton /tmp/overlaid0",
    "pipe": "rm -f ~/pipe; ls ~",
    "set-user-id": "~/mine 2>&1; grep NoNewPrivs /proc/self/status",
    "devices": "ls /sys /dev/sda /dev/kmsg /dev/mem",
    "other ways to write": (
        "cd ~/docs; ln a.txt hard; echo x >> hard; echo y >> /proc/self/root$HOME/docs/a.txt; exec 9<> b/c.txt; "
        "echo z >> /proc/self/fd/9; chmod 777 ~; touch -d 2001-01-01 ~ ~/data.db; mv ~/pictures ~/p; "
        "python3 -c 'import mmap; m = mmap.mmap(0, 0); m[0:1] = b\"Z\"; print(m[0:1])' 0<> a.txt"
    ),
    "closed": "rm -rf /root/.sayso-test /lost+found/x",
    "mount": "umount ~ || mount -o remount,rw ~ || unshare -rm true || echo refused",
}


@dataclass(frozen=True)
class Tried:
    """What a batch said, and the folders that it ran over as they were before and after."""

    home: Path
    places: dict[str, str]
    told: dict[str, dict[str, Any]]
    before: dict[str, object]
    after: dict[str, object]

    def path(self, name: str) -> str:
        """How a change of it is listed: absolute outside the folder, relative in it."""
        for short, full in (("~", str(self.home)), *((f"${one}", place) for one, place in self.places.items())):
            if name.startswith(short):
                return full + name.removeprefix(short)
        return name


def fill(home: Path) -> None:
    for folder in ("project/here", "project/other", "docs/b", "pictures", "shared/deep"):
        (home / folder).mkdir(parents=True)
    texts = {
        "docs/a.txt": "a text\n", "docs/b/c.txt": "c\n", "pictures/p.jpg": "jpg", "data.db": "db",
        "mine": "#!/bin/sh\nid\n", "project/notes.txt": "note\n", "project/other/o": "o", "shared/deep/f": "f",
        "project/here/main.c": "main\n", "project/here/clean.sh": "rm -rf ../../docs\n",
    }  # fmt: skip
    for name, text in texts.items():
        (home / name).write_text(text)
    with (home / "huge").open("wb") as huge:
        huge.truncate(HUGE)
    (home / "project/here/link").symlink_to("../../docs")
    (home / "project/here/pictures").symlink_to(home / "pictures")
    (home / "mine").chmod(0o4755)


def state(*places: Path) -> dict[str, object]:
    """All that a command could change there; not the cache, which is the sandbox's own."""
    found: dict[str, object] = {}
    for path in (one for place in places for one in (place, *place.rglob("*")) if ".cache" not in one.parts):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() and path.name != "huge" else b""
        times = () if path == places[0] else (status.st_mtime_ns,)
        found[str(path)] = (
            status.st_mode,
            status.st_uid,
            status.st_ino,
            status.st_size if content else 0,
            content,
            times,
        )
    return found


@pytest.fixture(scope="module", params=["ordinary user", "root"])
def tried(request: pytest.FixtureRequest) -> Iterator[Tried]:
    """The tables, run as one user in one process."""
    is_root = os.geteuid() == 0
    if request.param == "root" and not is_root:
        pytest.skip("needs root")
    user = NOBODY if is_root and request.param == "ordinary user" else os.geteuid()
    place, near, far = (
        Path(tempfile.mkdtemp(prefix="sayso-test-", dir=top)) for top in ("/var/tmp", "/tmp", "/var/tmp")
    )
    home = place / "home"
    try:
        fill(home)
        (near / "x").write_text("x")
        (far / "stuff").mkdir()
        (far / "stuff/y").write_text("y")
        os.mkfifo(home / "pipe")
        with socket.socket(socket.AF_UNIX) as agent, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
            agent.bind(str(home / "agent.sock"))
            agent.listen()
            log.bind(str(home / "log.sock"))
            place.chmod(0o755)
            for path in (one for top in (home, near, far) for one in (top, *top.rglob("*"))):
                if user != os.geteuid():
                    os.chown(path, user, SOME_GROUP if "shared" in path.parts else user, follow_symlinks=False)
            (home / "mine").chmod(0o4755)
            before = state(home, near, far)
            places = {"TMP_OF_MINE": str(near), "FAR": str(far)}
            told = batch([*TOLD, *BEYOND, *DOUBTED, *HARMLESS, *ATTACKS.values()], home, places, user)
            log.setblocking(False)
            agent.setblocking(False)
            for reached in (agent.accept, lambda: log.recv(10)):
                with pytest.raises(BlockingIOError):
                    reached()
        yield Tried(home, places, told, before, state(home, near, far))
    finally:
        for top in (place, near, far):
            shutil.rmtree(top)


def batch(commands: list[str], home: Path, variables: dict[str, str], user: int) -> dict[str, dict[str, Any]]:
    own = user == os.geteuid()
    python = sys.executable if own else "/usr/bin/python3"
    packages = [str(Path(sayso.__file__).parents[1]), str(Path(tree_sitter.__file__).parents[1])]
    done = subprocess.run(
        [python, "-B", Path(__file__).with_name("dry_run_batch.py")],
        input=json.dumps(commands), cwd=home / "project/here", capture_output=True, text=True, timeout=300,
        env={"HOME": str(home), "PYTHONPATH": ":".join(packages), "PATH": os.defpath, **variables},
        user=None if own else user, group=None if own else user, extra_groups=None if own else [],
    )  # fmt: skip
    if not own and ("No module named" in done.stderr or "Permission denied" in done.stderr.splitlines()[:1]):
        pytest.skip("no Python with our packages that an ordinary user may run")
    assert done.returncode == 0, done.stderr
    answers: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return answers


def test_what_is_destroyed_outside_is_told_path_by_path(tried: Tried) -> None:
    hows = {"-": "removed", "=": "changed", "+": "created"}
    for command, expected in TOLD.items():
        told = tried.told[command]
        found = {(one["path"], one["how"]) for one in told["changes"]}
        wanted = {(tried.path(path), hows[sign]) for sign, paths in expected.items() for path in paths}
        assert wanted <= found, f"{command}\n{wanted - found}\n{told['text']}\n{told['stderr']}"
        assert "nothing would change" not in told["text"] and not told["beyond"], told["text"]
        counts = sum(one["how"] == "removed" for one in told["changes"])
        assert not counts or f"{counts} deleted" in told["text"]


def test_what_could_not_be_tried_is_said(tried: Tried) -> None:
    for command, path in BEYOND.items():
        told = tried.told[command]
        assert path in told["beyond"], f"{command}: {told}"
        assert f"it reaches beyond what was tried: {path}" in told["text"]
        assert "nothing would change" not in told["text"]


def test_a_command_that_did_nothing_there_is_not_said_to_do_nothing_here(tried: Tried) -> None:
    for command, why in DOUBTED.items():
        told = tried.told[command]
        assert (told["changes"], told["beyond"]) == ([], []) and why in told["doubts"], told["text"]
        assert "no change was seen, but " in told["text"] and "nothing would change" not in told["text"]


def test_what_is_large_is_told_by_its_size_and_not_read(tried: Tried) -> None:
    (change,) = tried.told["rm ~/huge"]["changes"]
    assert change["bytes_before"] == HUGE


def test_what_only_reads_changes_nothing(tried: Tried) -> None:
    for command in HARMLESS:
        told = tried.told[command]
        assert "nothing would change" in told["text"], told["text"]
        assert (told["changes"], told["beyond"], told["doubts"]) == ([], [], []), told["text"]


def test_nothing_of_it_happened(tried: Tried) -> None:
    assert tried.after == tried.before


def test_what_lies_in_these_folders_gives_no_way_out(tried: Tried) -> None:
    """The fixture saw that neither socket was reached."""
    told = {name: tried.told[command] for name, command in ATTACKS.items()}
    for name in ("connect", "packet"):
        assert "refused" in told[name]["stderr"] or "No such file" in told[name]["stderr"], told[name]
    ours = told["tmp"]["stdout"].split()  # the launcher's own, which covers the host's /tmp while it works
    assert [one for one in ours if not Path(one).exists()] == []
    assert {one["path"] for one in told["pipe"]["changes"]} == {tried.path("~/pipe")}
    assert "uid=1000(user)" in told["set-user-id"]["stdout"] and "NoNewPrivs:\t1" in told["set-user-id"]["stdout"]
    assert told["devices"]["stdout"].replace("/sys:", "").strip() == ""
    written = {one["path"] for one in told["other ways to write"]["changes"]}
    assert {tried.path(f"~/docs/{name}") for name in ("a.txt", "hard", "b/c.txt")} <= written
    assert told["other ways to write"]["stdout"] == "b'Z'\n", told["other ways to write"]["stderr"]
    assert told["closed"]["changes"] == [] and told["closed"]["exit_code"] == 0
    assert told["mount"]["stdout"] == "refused\n"
