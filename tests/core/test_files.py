"""Atomic writes: the old file or the new one, nothing else, whatever goes wrong."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from sayso.core.errors import MachineError
from sayso.core.files import write_atomically


def test_the_new_content_replaces_the_old_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "a.txt"
    for content in (b"one", b"two"):
        with write_atomically(path) as file:
            file.write(content)
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_an_interrupted_write_keeps_the_old_file_and_no_part(tmp_path: Path, stop: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    with pytest.raises(stop), write_atomically(path) as file:
        file.write(b"new")
        raise stop
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot write") as caught, write_atomically(tmp_path / "a") as file:
        file.write(b"x")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert "free some disk space" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_path_through_a_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MachineError, match="cannot write"), write_atomically(tmp_path / "file" / "a"):
        pass
