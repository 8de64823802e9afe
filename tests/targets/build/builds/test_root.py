"""The base system is made once, aside, at pinned versions, from where the machine itself gets its packages."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MachineError, MissingPart
from sayso.targets.build.builds import offered
from sayso.targets.build.builds import root as roots
from sayso.targets.build.builds.offered import preferences, read_index, read_pins
from sayso.targets.build.builds.root import find_root, installed, make_root, read_about, root_digest

INDEX = "Package: aa\nVersion: 1.0-1\n\nPackage: bb\nVersion: 2:3~rc1\nDepends: aa\n\nPackage: bb\nVersion: 4\n"


class Machine:
    """Programs of the system, as they would answer here."""

    def __init__(self, folder: Path) -> None:
        self.index = folder / "index"
        self.index.write_text(INDEX)
        self.commands: list[list[str]] = []
        self.inside = {"aa": "1.0-1", "bb": "2:3~rc1"}
        self.fails = False

    def run(self, command: list[str], cwd: Path | None = None) -> str:
        self.commands.append(command)
        if command[:2] == ["apt-get", "indextargets"]:
            rows = (("http://mirror.test/d", "suite", "main", self.index), ("http://other.test", "x", "y", "/nowhere"))
            return "".join("\t".join(map(str, row)) + "\n" for row in rows)
        if command[0] == offered.READ_INDEX:
            return Path(command[2]).read_text()
        if command[0] == "apt-config":
            return 'Acquire::http::Proxy "http://p.test:1";\nAcquire::Languages "none";\nAPT::Color "1";\n'
        if command[0] == "mmdebstrap":
            self.make(Path(next(word for word in command if "/" in word and word.endswith("/root"))))
        return ""

    def make(self, root: Path) -> None:
        (root / "var/lib/dpkg").mkdir(parents=True)
        (root / "etc").mkdir()
        (root / "etc/resolv.conf").write_text("nameserver 192.0.2.1\n")
        if self.fails:
            raise MachineError("`mmdebstrap` failed: E: no room")
        records = (f"Package: {n}\nStatus: install ok installed\nVersion: {v}\n" for n, v in self.inside.items())
        (root / "var/lib/dpkg/status").write_text("\n".join(records) + "\nPackage: gone\nStatus: deinstall ok config\n")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    for module in (offered, roots):
        monkeypatch.setattr(module, "run", made.run)
    monkeypatch.setattr(roots, "require", lambda program: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return made


@pytest.fixture
def pins(tmp_path: Path) -> Path:
    (tmp_path / "pins.txt").write_text("aa=1.0-1\nbb=2:3~rc1\n\n")
    return tmp_path / "pins.txt"


def test_a_root_is_made_once_at_the_pinned_versions(machine: Machine, pins: Path, tmp_path: Path) -> None:
    told: list[str] = []
    assert find_root(pins, tmp_path / "cache") is None
    root = make_root(pins, tmp_path / "cache", lambda what, done, total: told.append(what))
    command = next(command for command in machine.commands if command[0] == "mmdebstrap")
    assert "--mode=root" in command
    assert "--include=aa,bb" in command
    assert command[-1] == "deb http://mirror.test/d suite main"
    assert '--aptopt=Acquire::http::Proxy "http://p.test:1";' in command
    assert not any("Languages" in word or "other.test" in word for word in command)
    assert any("Package: bb\nPin: version 2:3~rc1\nPin-Priority: 1001\n" in word for word in command)
    assert (root / "usr/share/aclocal/dirlist").read_text() == "/usr/local/share/aclocal\n"
    assert not (root / "etc/resolv.conf").exists()
    assert (read_about(root)["packages"], read_about(root)["other_versions"]) == (2, 0)
    assert "2 packages" in told[-1]
    assert "GB" in told[-1]
    count = len(machine.commands)
    assert make_root(pins, tmp_path / "cache") == find_root(pins, tmp_path / "cache") == root
    assert len(machine.commands) == count


def test_the_digest_is_of_what_is_inside(machine: Machine, pins: Path, tmp_path: Path) -> None:
    first = root_digest(make_root(pins, tmp_path / "one"))
    assert root_digest(make_root(pins, tmp_path / "two")) == first
    machine.inside["bb"] = "4"
    other = make_root(pins, tmp_path / "three")
    assert root_digest(other) != first
    assert read_about(other)["other_versions"] == 1


def test_a_failed_or_killed_making_leaves_no_root(machine: Machine, pins: Path, tmp_path: Path) -> None:
    machine.fails = True
    with pytest.raises(MachineError, match="no room"):
        make_root(pins, tmp_path / "cache")
    assert [path.suffix for path in (tmp_path / "cache/roots").iterdir()] == [".lock"]
    assert find_root(pins, tmp_path / "cache") is None
    machine.fails = False
    key = next((tmp_path / "cache/roots").iterdir()).stem
    left = tmp_path / f"cache/roots/{roots.MAKING}{key}-killed"
    left.mkdir()
    make_root(pins, tmp_path / "cache")
    assert not left.exists()


def test_a_package_that_did_not_come_is_an_error(machine: Machine, pins: Path, tmp_path: Path) -> None:
    del machine.inside["aa"]
    with pytest.raises(MachineError, match="lacks aa"):
        make_root(pins, tmp_path / "cache")


def test_packages_that_no_source_offers_are_named(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "p").write_text("aa=1\nzz=1\n")
    with pytest.raises(MachineError, match="1 of 2 packages are offered by no source of this machine: zz") as caught:
        make_root(tmp_path / "p", tmp_path / "cache")
    assert "apt-get update" in caught.value.hint


def test_an_ordinary_user_goes_through_an_archive(
    machine: Machine, pins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids of the unshared range would own the files otherwise."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    def run(command: list[str], cwd: Path | None = None) -> str:
        if command[0] == "mmdebstrap":
            machine.commands.append(command)
            Path(next(word for word in command if word.endswith("root.tar"))).touch()
            return ""
        if command[0] == "tar":
            folder = Path(command[command.index("-C") + 1])
            folder.rmdir()
            machine.make(folder)
            return ""
        return machine.run(command, cwd)

    monkeypatch.setattr(roots, "run", run)
    root = make_root(pins, tmp_path / "cache")
    assert "--mode=unshare" in next(command for command in machine.commands if command[0] == "mmdebstrap")
    assert sorted(path.name for path in root.parent.iterdir()) == ["about.json", "root"]


def test_a_missing_mmdebstrap_says_what_to_install(pins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    with pytest.raises(MissingPart, match="mmdebstrap is not installed") as caught:
        make_root(pins, tmp_path / "cache")
    assert caught.value.hint == "apt install mmdebstrap"


@pytest.mark.parametrize("text", ["", "aa", "aa=", "Aa=1", "aa=1 2", "aa=1;rm", "--x=1"])
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p").write_text(text)
    with pytest.raises(BadFile):
        read_pins(tmp_path / "p")


def test_indexes_and_preferences() -> None:
    assert read_index(INDEX, {"bb"}) == {"bb": frozenset(("2:3~rc1", "4"))}
    assert preferences({"b": "1", "a": "2"}).startswith("Package: a\nPin: version 2\n")


def test_what_was_not_made_here_is_no_root(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="was not made here"):
        root_digest(tmp_path / "root")
    (tmp_path / "about.json").write_text(json.dumps({"format": "0"}))
    with pytest.raises(BadFile, match="format 0"):
        root_digest(tmp_path / "root")


def test_a_failing_program_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"`ls` failed: ls: cannot access"):
        offered.run(["ls", str(tmp_path / "none")])


def test_only_what_dpkg_has_installed_counts(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.make(tmp_path / "r")
    assert installed(tmp_path / "r") == machine.inside
