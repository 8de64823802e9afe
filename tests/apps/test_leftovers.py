"""What ONNX Runtime left is removed once: its own files, by name and look, and never through a link."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from sayso.apps import leftovers, settings

ID = "2f1b6c1e-0a52-4c55-9c4e-3b1f4d5e6a7b"
SESSION = f"1794813910245\n{ID}\n"


@pytest.fixture
def kept() -> Path:
    """The runtime's folder with what it leaves there."""
    folder = Path(settings.shared_cache(), *leftovers.FOLDERS)
    folder.mkdir(parents=True)
    for name in ("deviceid", "deviceid.lock", f"deviceid.tmp.{ID}", "onnxruntime.db", "onnxruntime.db-wal"):
        (folder / name).write_text(ID)
    return folder


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


pytestmark = pytest.mark.usefixtures("temporary")


def test_the_runtimes_files_and_empty_folders_go(kept: Path, temporary: Path) -> None:
    (temporary / ".ses").write_text(SESSION)
    assert [Path(path).name for path in leftovers.found()][:2] == ["deviceid", "deviceid.lock"]
    leftovers.remove_once()
    assert leftovers.found() == [] and not (temporary / ".ses").exists()
    cache = Path(settings.shared_cache())
    assert [path.name for path in cache.iterdir()] == ["sayso"]


def test_nothing_else_goes(kept: Path, temporary: Path) -> None:
    others = [kept / "notes.txt", kept / "deviceid.bak", kept.parent / "deviceid", kept.parent.parent / "settings.json"]
    for path in others:
        path.write_text("another's")
    (kept / "onnxruntime.db-shm").mkdir()
    (temporary / ".ses").write_text("a recording of mine\n")
    leftovers.remove_once()
    assert all(path.read_text() == "another's" for path in others)
    assert (kept / "onnxruntime.db-shm").is_dir() and (temporary / ".ses").exists()
    assert not (kept / "deviceid").exists()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_linked_folder_is_not_entered(tmp_path: Path, depth: int) -> None:
    elsewhere = tmp_path.joinpath("elsewhere", *leftovers.FOLDERS[depth:])
    elsewhere.mkdir(parents=True)
    (elsewhere / "deviceid").write_text(ID)
    link = Path(settings.shared_cache(), *leftovers.FOLDERS[:depth])
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / "elsewhere")
    leftovers.remove_once()
    assert (elsewhere / "deviceid").read_text() == ID and link.is_symlink() and leftovers.found() == []


def test_a_linked_file_stays_and_so_does_what_it_points_to(kept: Path, temporary: Path) -> None:
    mine = temporary / "mine"
    mine.write_text(SESSION)
    (kept / "onnxruntime.db").unlink()
    (kept / "onnxruntime.db").symlink_to(mine)
    (temporary / ".ses").symlink_to(mine)
    leftovers.remove_once()
    assert mine.read_text() == SESSION
    assert (kept / "onnxruntime.db").is_symlink() and (temporary / ".ses").is_symlink()


def test_a_pipe_does_not_hold_it_up(temporary: Path) -> None:
    os.mkfifo(temporary / ".ses")
    leftovers.remove_once()
    assert (temporary / ".ses").exists()


def test_only_once(kept: Path) -> None:
    leftovers.remove_once()
    kept.mkdir(parents=True)
    (kept / "deviceid").write_text("of another program that uses the same runtime")
    leftovers.remove_once()
    assert (kept / "deviceid").exists()


def test_another_users_files_stay(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    leftovers.remove_once()
    assert (kept / "deviceid").exists()


def test_a_cache_that_cannot_be_written_is_no_failure(kept: Path) -> None:
    Path(settings.user_folder("cache")).write_text("a file where our folder should be")
    leftovers.remove_once()
    leftovers.remove_once()
    assert not kept.exists()
