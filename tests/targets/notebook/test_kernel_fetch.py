"""The folder of pinned packages: made by the real pip from wheels of our own, whole or not at all."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MissingPart, RunFailed
from sayso.core.types import Workspace
from sayso.targets.notebook.kernel_fetch import check, get_kernel, wheel_name
from sayso.targets.notebook.kernel_packages import PYTHON, Pins, fetched, kernel_folder, pinned

PINS = Pins(("apple==1.0", "pear_tree==2.1"), {})


def make_wheel(folder: Path, name: str, version: str) -> Path:
    folder.mkdir(exist_ok=True)
    path, about = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.py", f"taste = {version!r}\n")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return path


def test_a_score_that_needs_the_packages_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(MissingPart) as caught:
        fetched(tmp_path)
    assert caught.value.message == "the packages that notebook cells run with are not on this machine"
    assert "`sayso data get kernel`" in caught.value.hint


@pytest.mark.skipif(not Path(PYTHON).exists(), reason=f"there is no {PYTHON}")
def test_an_interrupted_fetch_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop, folder = tmp_path / "shop", kernel_folder(tmp_path, PINS)
    workspace = Workspace(tmp_path, tmp_path)
    make_wheel(shop, "pear_tree", "2.1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shop))
    with pytest.raises(RunFailed, match=r"pip could not download the packages of the kernel: .*apple"):
        get_kernel(workspace, pins=PINS)
    assert not folder.exists()
    # One of the two was fetched by an earlier run, and no shop has it any more.
    make_wheel(folder.with_name(f"{folder.name}.wheels"), "apple", "1.0")
    told: list[str] = []
    facts = get_kernel(workspace, lambda what, done, total: told.append(f"{what} {done}/{total}"), PINS)
    assert told == ["kernel: pear_tree … 1/2", "kernel: fetched 2/2", "kernel: installing 0/0"]
    assert (facts["folder"], facts["packages"], facts["unchecked"]) == (str(folder), 2, 2)
    assert (folder / "pear_tree.py").read_text() == "taste = '2.1'\n" and (folder / "apple.py").is_file()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    monkeypatch.setenv("PATH", "")
    assert get_kernel(workspace, pins=PINS) == facts, "what is there is left alone"


def test_another_wheel_than_the_known_one_is_refused_and_fetched_again(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, "apple", "1.0")
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert check(tmp_path, Pins((), {wheel.name: right})) == {wheel.name: right}
    with pytest.raises(BadFile, match=r"apple-1.0-py3-none-any.whl is not the package that we know"):
        check(tmp_path, Pins((), {wheel.name: "0" * 64}))
    assert not wheel.exists()


def test_every_pinned_package_has_one_version_and_a_known_wheel() -> None:
    pins = pinned()
    names = [pin.split("==")[0] for pin in pins.packages]
    assert len(set(names)) == len(names) and all(pin.count("==") == 1 for pin in pins.packages)
    assert {wheel_name(Path(name)) for name in pins.wheels} == set(pins.packages)
    asked = "numpy scipy pandas matplotlib sympy scikit_learn networkx seaborn ipywidgets ipykernel jupyter_client"
    assert set(asked.split()) <= set(names)
