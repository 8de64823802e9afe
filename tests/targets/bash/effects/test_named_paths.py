"""Where a command leads by its words, and what a dry run sees of the machine: without running anything."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sayso.sandbox
from sayso.apps.cli import beyond, dry_run, folder_copy, views
from sayso.core.errors import SandboxFailed
from sayso.core.types import Change, FileSpec, Outcome
from sayso.sandbox.fake import ScriptedSandbox
from sayso.sandbox.skeleton import WORK
from sayso.targets.bash.effects.named_paths import Reach, reach, used_variables


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a folder to stand in, a neighbour, and a link that leads out."""
    for name in ("project/here/inner", "project/other", "docs/[odd]"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("docs/a.txt", "docs/b.txt", "project/here/main.c"):
        (tmp_path / name).write_text("x")
    (tmp_path / "project/here/link").symlink_to("../../docs")
    return tmp_path.resolve()


def leads(command: str, home: Path, **variables: str) -> Reach:
    return reach(command, home / "project/here", home, variables)


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("rm -rf ../other", {"project/other"}),
        ("rm ~/docs/*.txt", {"docs/a.txt", "docs/b.txt"}),
        ("rm '~/docs/a.txt' inner/../main.c", set()),
        ("cd .. && rm -r other", {"project", "project/other"}),
        ("cd ~; rm -r docs", {"docs", ""}),
        ("rm link/a.txt", {"docs/a.txt"}),
        ("rm link", {"docs"}),
        ("rm -r ~/'docs/[odd]'", {"docs/[odd]"}),
        ("rm -r ~/{docs,project}", {""}),
        ("echo hi > ../new", {"project/new"}),
        ("cat < ../../docs/a.txt", {"docs/a.txt"}),
        ("dd if=main.c of=../x", {"project/x"}),
        ("tool --into=../other main.c", {"project/other"}),
        ("git -C ../other clean -fdx", {"project/other"}),
        ("D=~/docs; rm $D/a.txt", {"docs", "docs/a.txt"}),
        ("for f in ~/docs/*.txt; do rm $f; done", {"docs/a.txt", "docs/b.txt"}),
        ("find . | while read f; do rm $f; done > ../log", {"project/log"}),
        ("awk '/etc/ {print}' main.c > out", set()),
        ("sed -n '/tmp/p' main.c", set()),
        ("rm $(cat ../other/list)", {"project/other/list"}),
        ("python3 -c 'import os; os.remove(\"../../docs/a.txt\")'", {"docs/a.txt"}),
        ("echo 'rm -r ~/docs' | sh", {"docs"}),
        ("ls", set()),
    ],
)
def test_the_paths_that_a_command_names_outside(home: Path, command: str, names: set[str]) -> None:
    found = {str(path.relative_to(home)) if path != home else "" for path in leads(command, home).named}
    assert names <= found and (names or not found), found


@pytest.mark.parametrize(
    ("command", "is_open"),
    [
        *(("rm x", False), ("rm ~/docs/*", False), ("D=x; rm $D", False), ("for f in *; do rm $f; done", False)),
        *(("rm $X", True), ("rm $(cat list)", True), ("xargs rm < list", True), ("sh run.sh", True), ("rm 'x", True)),
    ],
)
def test_what_cannot_be_told_before_it_runs(home: Path, command: str, is_open: bool) -> None:
    assert leads(command, home).is_open == is_open


def test_variables_of_the_environment_are_taken_where_they_are_named(home: Path) -> None:
    environment = {"BUILD": str(home / "docs"), "SECRET": "s", "PATH": "/x", "LD_PRELOAD": "/y", "OLDPWD": str(home)}
    found = used_variables("rm -r ${BUILD}/*.txt $PATH $LD_PRELOAD", environment)
    assert found == {"BUILD": str(home / "docs")}
    assert set(leads("rm -r ${BUILD}/*.txt", home, **found).named) == {home / "docs/a.txt", home / "docs/b.txt"}
    assert home in leads("cd - && rm *", home, **used_variables("cd - && rm *", environment)).named


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    reach(text, Path("/nowhere/here"), Path("/nowhere"), {})


MOUNTS = """21 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw
22 21 0:5 / {0}/with\\040blank rw,nosuid - tmpfs tmpfs rw
23 21 0:6 / {0}/far rw - fuse.sshfs host: rw"""


def test_a_folder_with_mounts_in_it_is_taken_apart(tmp_path: Path) -> None:
    for name in ("with blank", "far", "plain", "closed"):
        (tmp_path / name).mkdir()
    (tmp_path / "loose").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    mounts = views.mounts_of(MOUNTS.format(tmp_path).splitlines())
    assert mounts[tmp_path / "with blank"] == "tmpfs" and mounts[tmp_path / "far"] == "fuse.sshfs"
    view = views.View()
    views.take(view, tmp_path, mounts)
    assert view.pieces == [tmp_path / "closed", tmp_path / "plain", tmp_path / "with blank"]
    assert view.loose == [tmp_path / "loose"] and view.hidden == [tmp_path / "far", tmp_path / "pipe"]
    assert view.unseen(tmp_path / "plain" / "x") == [] and view.unseen(tmp_path) == view.hidden
    assert view.unseen(tmp_path / "far" / "x") == [tmp_path / "far" / "x"]
    assert view.unseen(Path("/etc/hosts")) == [Path("/etc/hosts")]
    views.take(view, tmp_path / "far", mounts, needed=True)  # it is where the user stands
    assert view.unseen(tmp_path / "far" / "x") == []


def test_the_home_of_the_sandbox_is_never_covered() -> None:
    view = views.view_of(Path("/tmp"), Path("/tmp"))
    assert not any(one != Path(WORK) and Path(WORK).is_relative_to(one) for one in view.pieces)
    assert not any(views.is_of_the_system(one) for one in view.pieces) and Path("/") not in view.seen


def test_what_there_is_no_room_for_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, copied = home / "project/here", folder_copy.Copied([])
    monkeypatch.setattr(folder_copy, "LONGEST_AROUND", 0)
    assert folder_copy.copy_around(copied, folder, [home / "docs/a.txt", home / "project/new"]) == ()
    (file,) = [one for one in copied.files if one.kind == "file"]
    assert (file.path, file.content, file.size, copied.hollow) == (str(home / "docs/a.txt"), b"", 1, 1)
    assert set(folder_copy.copy_around(copied, folder, [home / "docs"], most=1)) == {
        home / "docs/[odd]",
        home / "docs/b.txt",
    }


def test_what_was_refused_is_named(tmp_path: Path) -> None:
    view, found = views.View(seen=[tmp_path]), Reach((), False, "destroys")
    said = b"rm: cannot remove '/media/cd/x': Read-only file system\nbash: line 3: /proc/y: Read-only file system\n"
    assert beyond.beyond(found, view, Outcome(1, b"", said), ()) == (Path("/media/cd/x"), Path("/proc/y"))
    below = [Change(f"/etc/{name}", "removed", FileSpec("x"), None) for name in ("a", "a/b", "c")]
    assert beyond.beyond(found, view, Outcome(0, b"", b""), below) == (Path("/etc/a"), Path("/etc/c"))
    many = [Path(f"/etc/{number}") for number in range(10)]
    assert beyond.in_words([tmp_path / "x", *many], tmp_path).startswith("~/x, /etc/0")
    assert beyond.in_words(many, tmp_path).endswith("/etc/7 and 2 more")


def test_where_only_this_folder_bears_an_overlay_the_rest_is_said_to_be_beyond(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_one(cache: Path, overlaid: Mapping[str, Path]) -> ScriptedSandbox:
        if list(overlaid) != [str(folder)]:
            raise SandboxFailed("no overlay")
        return ScriptedSandbox()

    folder = home / "project/here"
    monkeypatch.setattr(sayso.sandbox, "open_sandbox", open_one)
    found = leads("rm -r ../other", home)
    stage = dry_run.overlaid(folder, home, found)
    assert stage is not None and stage.view.pieces == [folder]
    assert beyond.beyond(found, stage.view, Outcome(0, b"", b""), ()) == (home / "project/other",)
    monkeypatch.setattr(sayso.sandbox, "open_sandbox", lambda *_, **__: open_one(home, {}))
    assert dry_run.overlaid(folder, home, found) is None


def test_the_sandboxs_own_home_is_not_reported(home: Path) -> None:
    stage = dry_run.Stage(ScriptedSandbox(), folder_copy.Copied([]), views.View(seen=[home, Path("/home")]))
    removed = [Change(path, "removed", FileSpec(path), None) for path in (".", str(home / "x"), "/etc/x")]
    inside, elsewhere, stand_ins = dry_run.split_by(home / "project", tuple(removed), stage)
    listed = [[one.path for one in some] for some in (inside, elsewhere, stand_ins)]
    own = [[], [WORK, str(home / "x")], ["/etc/x"]] if Path(WORK).exists() else [[], [str(home / "x")], ["/etc/x"]]
    assert listed == own
