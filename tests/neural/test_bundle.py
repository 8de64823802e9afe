"""Model folders: what is written is read back, and nothing altered, cut, missing or foreign gets in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sayso.core.errors import BadBundle, MachineError
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle, signature_of, write_bundle


def make(folder: Path, text: str = "one") -> Bundle:
    return write_bundle(
        folder,
        name="toy",
        target="bash",
        kind="cookbook",
        settings={"threshold": 0.3, "note": text},
        files={"weights.bin": b"\x00\x01" * 100, "more/vocabulary.txt": text.encode()},
        licence="Apache-2.0",
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "toy")
    return tmp_path / "toy"


def test_a_bundle_is_read_back_as_written(folder: Path) -> None:
    bundle = load_bundle(folder)
    assert (bundle.name, bundle.target, bundle.kind, bundle.licence) == ("toy", "bash", "cookbook", "Apache-2.0")
    assert bundle.settings["threshold"] == 0.3
    assert bundle.read("weights.bin") == b"\x00\x01" * 100
    assert bundle.read("more/vocabulary.txt") == b"one"


def test_writing_again_replaces_everything_and_leaves_nothing_beside(folder: Path) -> None:
    (folder / "stray.txt").write_text("left by an older version")
    make(folder, "two")
    assert load_bundle(folder).read("more/vocabulary.txt") == b"two"
    assert not (folder / "stray.txt").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["toy"]


def test_only_listed_files_are_read(folder: Path) -> None:
    (folder / "secret.txt").write_text("not listed")
    with pytest.raises(BadBundle, match=r"no secret\.txt"):
        load_bundle(folder).read("secret.txt")


def test_a_failed_write_keeps_the_old_bundle(folder: Path) -> None:
    with pytest.raises(BadBundle, match="not a file inside"):
        write_bundle(folder, name="x", target="bash", kind="x", settings={}, files={"../up": b""}, licence="none")
    assert load_bundle(folder).name == "toy"
    assert [path.name for path in folder.parent.iterdir()] == ["toy"]


def test_a_folder_that_cannot_be_made_is_a_machine_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MachineError, match="cannot write"):
        make(tmp_path / "file" / "toy")


def edit(change: Callable[[dict[str, Any]], object], sign: bool = True) -> Callable[[Path], None]:
    """A tampering that rewrites the manifest, signed again unless said otherwise."""

    def tamper(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text())
        change(manifest)
        if sign:
            manifest["signature"] = signature_of(manifest)
        (folder / MANIFEST).write_text(json.dumps(manifest))

    return tamper


def cut(folder: Path) -> None:
    path = folder / MANIFEST
    path.write_bytes(path.read_bytes()[:80])


def link(folder: Path) -> None:
    (folder / "weights.bin").rename(folder.parent / "weights.bin")
    (folder / "weights.bin").symlink_to(folder.parent / "weights.bin")


def link_folder(folder: Path) -> None:
    (folder / "more").rename(folder.parent / "more")
    (folder / "more").symlink_to(folder.parent / "more")


def link_manifest(folder: Path) -> None:
    (folder / MANIFEST).rename(folder.parent / MANIFEST)
    (folder / MANIFEST).symlink_to(folder.parent / MANIFEST)


ENTRY = {"sha256": "0" * 64, "size": 0}
TAMPERINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda folder: (folder / MANIFEST).unlink(), r"has no bundle\.json"),
    "cut manifest": (cut, "not whole JSON"),
    "a list for a manifest": (lambda folder: (folder / MANIFEST).write_text("[]"), "not a JSON object"),
    "binary manifest": (lambda folder: (folder / MANIFEST).write_bytes(b"\xff\x00"), "not whole JSON"),
    "deep manifest": (lambda folder: (folder / MANIFEST).write_text("[" * 100_000), "not whole JSON"),
    "huge manifest": (lambda folder: (folder / MANIFEST).write_text(" " * 2_000_000), "more than 1,000,000 bytes"),
    "other format": (edit(lambda manifest: manifest.update(format=99)), "format 99; this sayso reads 1"),
    "no name": (edit(lambda manifest: manifest.pop("name")), 'no text "name"'),
    "settings as text": (edit(lambda manifest: manifest.update(settings="x")), 'no object "settings"'),
    "an unsigned setting": (edit(lambda manifest: manifest.update(settings={}), sign=False), "signature does not fit"),
    "a file without a sum": (edit(lambda manifest: manifest["files"].update({"a": {}})), "no sha256 and size for a"),
    "escape": (edit(lambda manifest: manifest["files"].update({"../x": ENTRY})), "not a file inside"),
    "absolute": (edit(lambda manifest: manifest["files"].update({"/etc/passwd": ENTRY})), "not a file inside"),
    "dot": (edit(lambda manifest: manifest["files"].update({"a/./b": ENTRY})), "not a file inside"),
    "missing file": (lambda folder: (folder / "weights.bin").unlink(), "is missing"),
    "truncated file": (lambda folder: (folder / "weights.bin").write_bytes(b"\x00"), "1 bytes instead of 200"),
    "altered file": (lambda folder: (folder / "weights.bin").write_bytes(b"\x02" * 200), "was altered: sha256"),
    "linked file": (link, "symbolic link"),
    "linked folder": (link_folder, "symbolic link"),
    "linked manifest": (link_manifest, "symbolic link"),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_bundle_that_is_not_as_it_should_be_is_refused(folder: Path, what: str) -> None:
    tamper, message = TAMPERINGS[what]
    tamper(folder)
    with pytest.raises(BadBundle, match=message) as caught:
        load_bundle(folder)
    assert caught.value.hint
    assert "\n" not in caught.value.message
