"""Bundles of distributions beside this one: found by entry point, checked as our own, blamed by name."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sayso.apps.cli import doctor
from sayso.core.errors import BadBundle, MissingPart
from sayso.neural import installed
from sayso.neural.bundle import MANIFEST, load_bundle, signature_of, write_bundle

NAME = "notebook-trunk"
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """install("a-b"): a distribution on this process's path, as pip leaves one; gives the folder of its package."""
    monkeypatch.setattr(installed, "OWN", tmp_path / "own")
    (tmp_path / "own").mkdir()
    # Without what is installed here: a checkout has the real distribution beside it.
    rest = [one for one in sys.path if "-packages" not in one and not (Path(one) / "sayso_notebook").exists()]
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages"), *rest])
    monkeypatch.delitem(sys.modules, "sayso_notebook", raising=False)  # another test may have imported the real one
    installed.offers.cache_clear()

    def put(distribution: str = "sayso-notebook", value: str = "", bundle: str = NAME) -> Path:
        module = distribution.replace("-", "_")
        package = tmp_path / "site-packages" / module
        about = package.with_name(f"{module}-0.1.0.dist-info")
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 0.1.0\n")
        (about / "entry_points.txt").write_text(f"[sayso.bundles]\nnotebook = {value or module}\n")
        package.mkdir()
        (package / "__init__.py").write_text("raise RuntimeError('weights are data: nobody imports this')\n")
        make(package / "bundles" / bundle)
        installed.offers.cache_clear()
        return package

    yield put
    installed.offers.cache_clear()


def make(folder: Path) -> Path:
    files = {"weights.bin": b"some weights"}
    write_bundle(folder, name=NAME, target="notebook", kind="trunk", settings={}, files=files, licence="Apache-2.0")
    return folder


def test_a_bundle_is_found_in_a_distribution_of_its_own_and_not_imported(install: Install) -> None:
    folder = install() / "bundles" / NAME
    assert installed.find_bundle(NAME) == folder
    assert installed.open_bundle(NAME, load_bundle).read("weights.bin") == b"some weights"
    assert "sayso_notebook" not in sys.modules


def test_what_this_package_has_comes_first(install: Install) -> None:
    install()
    own = make(installed.OWN / NAME)
    assert installed.find_bundle(NAME) == own


def test_without_it_one_line_says_what_to_install(install: Install) -> None:
    with pytest.raises(MissingPart) as caught:
        installed.find_bundle(NAME)
    assert caught.value.message == "notebook cells need the weights of sayso-notebook, which is not installed"
    assert caught.value.hint == "pip install sayso-notebook"
    with pytest.raises(MissingPart, match="answers of other need a bundle that is not installed"):
        installed.find_bundle("other")
    package = install()
    assert installed.find_bundle(NAME) == package / "bundles" / NAME, "a process that lives notices"


def empty(package: Path) -> str:
    (package / "bundles" / NAME).rename(package / "elsewhere")
    return "notebook cells need sayso-notebook 0.1.0: it has no bundle notebook-trunk"


def no_folder(package: Path) -> str:
    (package / "bundles").rename(package / "elsewhere")
    return "notebook cells need sayso-notebook 0.1.0: its package sayso_notebook has no folder of bundles"


def half_removed(package: Path) -> str:
    package.rename(package.with_name("elsewhere"))
    return "notebook cells need sayso-notebook 0.1.0: its package sayso_notebook is not installed"


def a_path(package: Path) -> str:
    points = package.with_name("sayso_notebook-0.1.0.dist-info") / "entry_points.txt"
    points.write_text("[sayso.bundles]\nnotebook = ../../somewhere\n")
    return "notebook cells need sayso-notebook 0.1.0: its entry point names '../../somewhere', which is no package"


def damaged(package: Path) -> str:
    path = package / "bundles" / NAME / "weights.bin"
    path.write_bytes(b"othe")
    return f"sayso-notebook 0.1.0: {path} has 4 bytes instead of 12"


def swapped(package: Path) -> str:
    path = package / "bundles" / NAME / "weights.bin"
    path.write_bytes(b"same weights")
    return f"sayso-notebook 0.1.0: {path} was altered: sha256 "


def another_format(package: Path) -> str:
    path = package / "bundles" / NAME / MANIFEST
    manifest = json.loads(path.read_text()) | {"format": 2}
    path.write_text(json.dumps(manifest | {"signature": signature_of(manifest)}))
    return f"sayso-notebook 0.1.0: {path} has format 2; this sayso reads 1"


@pytest.mark.parametrize("broke", [empty, no_folder, half_removed, a_path, damaged, swapped, another_format])
def test_a_broken_distribution_is_named_with_its_cure_and_stops_no_other(
    install: Install, broke: Callable[[Path], str]
) -> None:
    says = broke(install())
    installed.offers.cache_clear()
    with pytest.raises(BadBundle) as caught:
        installed.open_bundle(NAME, load_bundle)
    assert caught.value.message.startswith(says) and "\n" not in caught.value.message
    assert caught.value.hint == "pip install --upgrade --force-reinstall --no-deps sayso sayso-notebook"
    install("other-weights", bundle="another")
    assert installed.open_bundle("another", load_bundle).name == NAME
    rows = {row.name: row for row in doctor.bundles()}
    assert rows["bundle another"].ok and "from other-weights 0.1.0 (" in rows["bundle another"].detail
    assert not rows[f"bundle {NAME}"].ok


def test_one_bundle_in_two_distributions_is_refused(install: Install) -> None:
    install()
    install("notebook-mirror")
    with pytest.raises(BadBundle, match=r"notebook-trunk is in (.*) 0.1.0 and .* 0.1.0") as caught:
        installed.find_bundle(NAME)
    assert "pip uninstall" in caught.value.hint


def test_a_list_of_packages_that_cannot_be_read_is_one_line(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: str) -> None:
        raise KeyError("Name")

    monkeypatch.setattr("importlib.metadata.entry_points", broken)
    with pytest.raises(BadBundle, match="need the list of installed packages: KeyError: 'Name'"):
        installed.find_bundle(NAME)


def test_the_doctor_says_where_each_comes_from(install: Install) -> None:
    rows = {row.name: row for row in doctor.bundles()}
    assert not rows["bundles"].ok and rows["bundles"].needed, "nothing in this package"
    assert rows[f"bundle {NAME}"].cure == "pip install sayso-notebook" and not rows[f"bundle {NAME}"].needed
    assert rows["6 bundles of sayso-okapi"].cure == "pip install sayso-okapi"
    package = install()
    make(installed.OWN / "trunk")
    rows = {row.name: row for row in doctor.bundles()}
    assert rows["bundles"].detail.startswith("1 in sayso ")
    assert rows[f"bundle {NAME}"].detail == f"from sayso-notebook 0.1.0 ({package / 'bundles' / NAME})"
