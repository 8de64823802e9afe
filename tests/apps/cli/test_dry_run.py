"""`sayso --dry-run`: what would change is told, and nothing is changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tree_sitter

import sayso
from sayso.apps.cli import changes_tree, dry_run, folder_copy
from sayso.core.errors import UserError
from sayso.core.types import Change, FileSpec, Outcome

Dry = Callable[..., "subprocess.CompletedProcess[str]"]
NOBODY = 65534


@pytest.fixture
def folder(user_folders: Path) -> Path:
    """A folder of the home folder with a few things in it, and one thing beside it."""
    here = user_folders / "it's here"
    (here / "old" / "deep").mkdir(parents=True)
    (here / "old" / "deep" / "x.log").write_text("12345")
    (here / "notes.txt").write_text("first line\n")
    (here / "run.sh").write_text("true\n")
    (here / "run.sh").chmod(0o644)
    (user_folders / "beside.txt").write_text("canary")
    return here


@pytest.fixture
def dry(answers: Path, folder: Path) -> Dry:
    """dry("tidy up", "--json"): a dry run in that folder, with scripted answers."""

    def run(*words: str, cwd: Path = folder) -> subprocess.CompletedProcess[str]:
        program = [str(answers / "sayso"), "--dry-run", *words]
        return subprocess.run(program, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    return run


def seen(folder: Path) -> dict[str, object]:
    """Everything about a folder that a command could change."""
    found: dict[str, object] = {}
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and status.st_size < 1000 else b""
        found[str(path)] = (status.st_mode, status.st_mtime_ns, status.st_ino, status.st_size, content)
    return found


@pytest.mark.sandbox
def test_what_would_change_is_a_tree_and_nothing_is_touched(dry: Dry, folder: Path) -> None:
    before = seen(folder)
    done = dry("tidy up")
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert shown.startswith("rm -r old && mkdir new")
    assert f"# on a copy of {folder}; nothing here was touched\n" in shown
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    for row in (
        "├── new/ created",
        "│ ├── a.txt created 3 B",
        "│ └── l created → a.txt",
        "├── notes.txt changed 11 B → 16 B",
        "├── old/ deleted",
        "│ └── deep/ deleted",
        "│ └── x.log deleted 5 B",
        "└── run.sh changed mode 644 → 700",
        "5 created, 2 changed, 3 deleted, 2 of them elsewhere; exit code 4",
    ):
        assert row in rows, shown
    assert "it prints:\n  done\n" in shown and "it complains:\n  bad\n" in shown
    assert "elsewhere:\n/\n" in shown and {"├── elsewhere created 0 B", "└── up created 0 B"} <= set(rows), shown
    assert seen(folder) == before
    assert not Path("/tmp/elsewhere").exists() and not (folder.parent / "up").exists()


@pytest.mark.sandbox
def test_json_adds_it_to_the_answer(dry: Dry, folder: Path) -> None:
    answer = json.loads(dry("tidy up", "--json").stdout)
    assert list(answer) == ["target", "request", "candidates", "abstained", "seconds", "dry_run"]
    told = answer["dry_run"]
    assert (told["exit_code"], told["stdout"], told["stderr"], told["stopped"]) == (4, "done\n", "bad\n", "")
    assert {"path": "notes.txt", "how": "changed", "kind": "file", "bytes_before": 11, "bytes_after": 16} in told[
        "changes"
    ]
    assert told["folder"] == str(folder) and told["lacks"] == told["beyond"] == []


@pytest.mark.sandbox
def test_a_command_that_reads_changes_nothing(dry: Dry, folder: Path) -> None:
    shown = dry("look").stdout
    assert "nothing would change" in shown
    assert "x.log" in shown and "beside.txt" not in shown


@pytest.mark.sandbox
def test_odd_names_are_spelt_out_and_move_no_cursor(dry: Dry, folder: Path) -> None:
    (folder / "old" / "a\x1b[2Jb\nc").write_text("x")
    Path(os.fsdecode(bytes(folder / "old") + b"/not\xffutf8")).write_text("x")
    done = dry("tidy up")
    assert done.returncode == 0 and "a\\x1b[2Jb c" in done.stdout and "not\\udcffutf8" in done.stdout
    paths = {one["path"] for one in json.loads(dry("tidy up", "--json").stdout)["dry_run"]["changes"]}
    assert {"old/a\x1b[2Jb\nc", "old/not\udcffutf8"} <= paths


@pytest.mark.sandbox
def test_what_the_sandbox_lacks_is_said(dry: Dry) -> None:
    shown = dry("fetch").stdout
    assert "note: the sandbox has no network: curl may do something else here" in shown
    assert "note: nobody is root in the sandbox: sudo may do something else here" in shown
    assert "it reaches beyond what was tried: /etc/fstab, /etc/shadow\n" in shown


@pytest.mark.sandbox
def test_a_command_that_writes_without_end_is_stopped(dry: Dry, folder: Path) -> None:
    told = json.loads(dry("loop", "--json").stdout)["dry_run"]
    assert told["exit_code"] != 0 or told["stopped"]
    assert not (folder / "big").exists()


@pytest.fixture
def nobodys_home(folder: Path) -> Iterator[Path]:
    """A home of an ordinary user, with the folder in it and a file that is too large to copy; not in pytest's own."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    place = Path(tempfile.mkdtemp(prefix="sayso-test-"))
    place.chmod(0o755)
    shutil.copytree(folder, place / "home" / "it")
    with (place / "home" / "it" / "huge").open("wb") as file:
        file.truncate(folder_copy.MOST_BYTES * 4)
    for path in (place / "home", *(place / "home").rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    yield place / "home"
    shutil.rmtree(place)


REHEARSE = """
import json
from sayso.apps.cli import dry_run
found = dry_run.rehearse("rm -r old; stat -c %s huge; echo x > $HOME/it/n; id -un; mv notes.txt old")
print(json.dumps(dry_run.as_json(found)))
"""


@pytest.mark.sandbox
@pytest.mark.slow
def test_an_ordinary_user_has_an_overlay_for_which_no_file_is_too_large(nobodys_home: Path) -> None:
    before = seen(nobodys_home / "it")
    packages = [str(Path(sayso.__file__).parents[1]), str(Path(tree_sitter.__file__).parents[1])]
    done = subprocess.run(
        ["/usr/bin/python3", "-B", "-c", REHEARSE],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd=nobodys_home / "it", capture_output=True, text=True, timeout=60,
        env={"HOME": str(nobodys_home), "PYTHONPATH": ":".join(packages), "PATH": os.defpath},
    )  # fmt: skip
    if "No module named" in done.stderr:
        pytest.skip("no Python with our packages that an ordinary user may run")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["stdout"] == f"{folder_copy.MOST_BYTES * 4}\nuser\n"
    assert [(one["path"], one["how"], one["kind"]) for one in told["changes"]] == [
        ("n", "created", "file"), ("notes.txt", "removed", "file"), ("old", "changed", "file"),
        ("old/deep", "removed", "dir"), ("old/deep/x.log", "removed", "file"),
    ]  # fmt: skip
    assert seen(nobodys_home / "it") == before


@pytest.mark.sandbox
def test_where_there_is_no_sandbox_it_is_said_and_nothing_runs(answers: Path, folder: Path) -> None:
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can give up his rights")
    before = seen(folder)
    deprived = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
    done = subprocess.run(
        [*deprived, answers / "sayso", "--dry-run", "tidy up"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("sayso: ") and "\n\nhint: " in done.stderr
    assert seen(folder) == before


@pytest.mark.parametrize("place", ["/", "/proc", "/dev"])
def test_no_dry_run_in_a_place_of_the_system(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    with pytest.raises(UserError, match="there can be no dry run in"):
        folder_copy.refuse(Path.cwd())


def test_a_folder_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UserError, match="no longer there"):
        dry_run.rehearse("ls")


def test_the_whole_disk_is_nobodys_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(folder_copy.copy_of(folder, Path("/")).files[0].path) == str(folder)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    assert dry_run.places()[1] == Path("/nonexistent")


def test_a_folder_of_two_lines_is_one_comment(tmp_path: Path) -> None:
    found = dry_run.Rehearsal("ls", tmp_path / "a\nrm x", Outcome(0, b"", b""), (), ())
    assert dry_run.lines(found, False)[1] == f"# on a copy of {tmp_path}/a rm x; nothing here was touched"


def test_a_copy_holds_what_is_there_and_no_more_than_it_may(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "link").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    copied = folder_copy.copy_of(folder, folder.parent)
    found = {str(Path(one.path).relative_to(folder.parent)): one for one in copied.files}
    assert found.keys() == {
        *(".", "it's here"),
        *(f"it's here/{name}" for name in ("link", "notes.txt", "old", "old/deep", "old/deep/x.log", "pipe", "run.sh")),
    }
    assert found["it's here/link"].content == b"nowhere" and found["it's here/pipe"].kind == "other"
    assert copied.bytes == len("first line\n") + len("12345") + len("true\n")
    monkeypatch.setattr(folder_copy, "MOST_BYTES", 10)
    with pytest.raises(UserError, match="too much to copy"):
        folder_copy.copy_of(folder, folder.parent)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, FileSpec("a", b"x" * 1536), "1.5 kB"),
        (FileSpec("a", b""), None, "0 B"),
        (FileSpec("a", b"x"), FileSpec("a", b"yy"), "1 B → 2 B"),
        (FileSpec("a", b"x"), FileSpec("a", b"y"), "1 B → 1 B"),
        (FileSpec("a", mode=0o644), FileSpec("a", mode=0o600, mtime=1.0), "mode 644 → 600"),
        (FileSpec("a", mtime=0.0), FileSpec("a", mtime=1.0), "time"),
        (FileSpec("a"), FileSpec("a", kind="dir"), "file → dir"),
        (None, FileSpec("a", b"to\x1b", kind="link"), "→ to\\x1b"),
        (FileSpec("a", b"digest", size=2_500_000), None, "2.5 MB"),
    ],
)
def test_what_is_said_of_one_change(before: FileSpec | None, after: FileSpec | None, words: str) -> None:
    how = "created" if before is None else "removed" if after is None else "changed"
    assert changes_tree.detail(Change("a", how, before, after)) == words  # type: ignore[arg-type]


def test_a_long_tree_is_cut_and_its_length_told() -> None:
    many = [Change(f"f{number:04}", "created", None, FileSpec("f")) for number in range(500)]
    lines = changes_tree.tree_lines(".", many, False)
    assert len(lines) == changes_tree.MOST_ROWS + 2 and lines[-1] == "… and more: 500 in all"
    assert changes_tree.summary(many) == "500 created"
