"""The distribution of the notebook weights: built as `make wheels` does, installed by pip, found by entry point."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sayso.core.errors import BadBundle, RunFailed
from sayso.neural.bundle import write_bundle

ROOT = Path(__file__).parents[1]
NAME = "notebook-trunk"
LOOK = """
import json, sys
from sayso.core.errors import SaysoError
from sayso.neural.bundle import load_bundle
from sayso.neural.installed import find_bundle, open_bundle
try:
    bundle = open_bundle("notebook-trunk", load_bundle)
    said = {"folder": str(bundle.folder), "content": bundle.read("weights.bin").decode(), "name": bundle.name}
except SaysoError as error:
    said = {"error": error.message, "hint": error.hint, "code": error.exit_code}
print(json.dumps(said | {"imported": "sayso_notebook" in sys.modules}))
"""


@pytest.fixture(scope="module")
def wheels() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        yield importlib.import_module("packages.wheels")


@pytest.fixture(scope="module")
def wheel(wheels: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the very project, with a made-up bundle in the place of the weights."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheels")
    project = folder / "project"
    weights = shutil.ignore_patterns(NAME, "__pycache__")
    shutil.copytree(ROOT / "packages" / "sayso-notebook", project, ignore=weights)
    write_bundle(
        project / "src" / "sayso_notebook" / "bundles" / NAME,
        name=NAME,
        target="notebook",
        kind="trunk",
        settings={},
        files={"weights.bin": b"tiny weights"},
        licence="Apache-2.0",
    )
    built: Path = wheels.build(project, folder / "dist")
    return built


def look(*folders: Path) -> dict[str, Any]:
    """What a fresh process finds with these folders on its path."""
    places = [str(ROOT / "src"), *map(str, folders)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run([sys.executable, "-c", LOOK], env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_a_wheel_from_this_repository_brings_the_bundle(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "site-packages"
    command = ["install", "-qq", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(place)]
    subprocess.run([sys.executable, "-m", "pip", *command, str(wheel)], check=True)
    folder = place / "sayso_notebook" / "bundles" / NAME
    assert look(place) == {"folder": str(folder), "content": "tiny weights", "name": NAME, "imported": False}
    (folder / "weights.bin").write_bytes(b"tiny wEights")
    altered = look(place)
    assert altered["code"] == 2 and altered["error"].startswith(f"sayso-notebook 0.1.0: {folder}/weights.bin was alter")
    about = (place / "sayso_notebook-0.1.0.dist-info" / "METADATA").read_text()
    assert "Requires-Dist: sayso<0.2,>=0.1" in about and "License-File: NOTICE" in about


def test_a_wheel_that_is_too_large_empty_or_damaged_is_not_passed_on(
    wheels: Any, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = wheels.check(wheel, [NAME], wheels.MOST_WEIGHTS)[NAME]
    assert wheels.MOST_WEIGHTS == 48 << 20 and wheels.LARGEST_WHEEL == 100_000_000
    with pytest.raises(RunFailed, match=f"have {size:,} bytes; at most {size - 1:,}"):
        wheels.check(wheel, [NAME], size - 1)
    with pytest.raises(RunFailed, match="has no bundle other"):
        wheels.check(wheel, ["other"])
    damaged = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as packed, zipfile.ZipFile(damaged, "w") as copy:
        for name in packed.namelist():
            copy.writestr(name, b"tiny" if name.endswith("weights.bin") else packed.read(name))
    with pytest.raises(BadBundle, match=r"weights.bin has 4 bytes instead of 12"):
        wheels.check(damaged)
    monkeypatch.setattr(wheels, "LARGEST_WHEEL", wheel.stat().st_size)
    with pytest.raises(RunFailed, match="a registry takes fewer than"):
        wheels.check(wheel)
    with pytest.raises(RunFailed, match="cannot be built"):
        wheels.build(tmp_path, tmp_path / "dist")


@pytest.mark.slow
def test_what_a_terminal_installs_fits_a_registry_and_has_its_manual(wheels: Any, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    wheel = wheels.build(ROOT, tmp_path)
    assert "trunk" in wheels.check(wheel, ("trunk", "bash-cookbook", "api-email"))
    with zipfile.ZipFile(wheel) as packed:  # pip puts it beside bin/, where `man` looks
        page = next(name for name in packed.namelist() if name.endswith(".data/data/share/man/man1/sayso.1"))
        assert packed.read(page).startswith(b".TH SAYSO 1")
