"""What a relay keeps of standard error, whatever programs write there and whatever becomes of its file."""

from __future__ import annotations

from pathlib import Path

from sayso.apps.stderr_relay import MOST, Kept


def test_only_whoever_knows_the_token_ends_a_command(tmp_path: Path) -> None:
    kept = Kept("secret", tmp_path / "kept")
    said = b"oops\x1eguess 1 1\x1e\x1e\x1esecre"
    shown, ended = kept.take(said)
    more, still = kept.take(b"x\n")
    assert shown + more == said + b"x\n" and not ended + still
    assert not kept.file.exists()
    assert kept.take(b"\x1esecret 7 1\x1e") == (b"", ["7"])
    assert kept.file.read_bytes() == said + b"x\n" and kept.file.stat().st_mode & 0o777 == 0o600


def test_a_link_in_place_of_the_file_is_not_written_through(tmp_path: Path) -> None:
    kept = Kept("t", tmp_path / "kept")
    kept.file.symlink_to(tmp_path / "elsewhere")
    kept.take(b"oops\x1et 1 1\x1e")
    assert not (tmp_path / "elsewhere").exists() and kept.file.read_bytes() == b"oops"


def test_no_more_than_the_end_is_kept(tmp_path: Path) -> None:
    kept = Kept("t", tmp_path / "kept")
    kept.take(b"\x1e" * MOST + b"a" * MOST)
    kept.take(b"\x1et 1 1\x1e")
    assert kept.file.read_bytes() == b"a" * MOST


def test_a_folder_that_is_gone_ends_no_relay(tmp_path: Path) -> None:
    kept = Kept("t", tmp_path / "gone" / "kept")
    assert kept.take(b"oops\x1et 3 1\x1e") == (b"oops", ["3"])
