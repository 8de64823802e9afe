"""What the package sources of this machine offer, as apt itself tells it: no address of a mirror stands in our code."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sayso.core.errors import BadFile, MachineError, MissingPart

INDEXES = "$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)\t$(FILENAME)"
READ_INDEX = "/usr/lib/apt/apt-helper"
# How the machine reaches its mirrors, which a root that is made here must do in the same way.
REACHED = re.compile(r"^Acquire::(?:https?|ftp|Retries|Check-Valid-Until)\b")
SETTING = re.compile(r'^(?P<name>[\w:.-]+) "(?P<value>.*)";$')


@dataclass(frozen=True)
class Repository:
    """One component of one suite, as a line of a sources list names it, with its versions of the packages asked for."""

    uri: str
    suite: str
    component: str
    versions: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def line(self) -> str:
        return f"deb {self.uri} {self.suite} {self.component}"


def read_pins(path: Path) -> dict[str, str]:
    """NAME=VERSION a line."""
    pins: dict[str, str] = {}
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            f"cannot read the list of packages {path}: {error}", "name a file of NAME=VERSION lines"
        ) from error
    for number, line in enumerate(lines, 1):
        name, _, version = line.strip().partition("=")
        if not name:
            continue
        if not re.fullmatch(r"[a-z0-9][a-z0-9+.-]*", name) or not re.fullmatch(r"[\w.+:~-]+", version):
            raise BadFile(f"{path}:{number} is no package with its version: {line[:60]!r}", "write NAME=VERSION")
        pins[name] = version
    if not pins:
        raise BadFile(f"{path} names no package", "write NAME=VERSION lines into it")
    return pins


def preferences(pins: Mapping[str, str]) -> str:
    """An apt preferences file that holds every package at its version, downgrades included."""
    return "\n".join(f"Package: {name}\nPin: version {pins[name]}\nPin-Priority: 1001\n" for name in sorted(pins))


def find_repositories(names: Iterable[str]) -> list[Repository]:
    """The machine's repositories that offer any of the packages; raises where a package is offered by none."""
    wanted = set(names)
    listed = run(["apt-get", "indextargets", "--format", INDEXES, "Created-By: Packages"])
    found = []
    for line in listed.splitlines():
        uri, suite, component, file = line.split("\t")
        if Path(file).exists() and (versions := read_index(run([READ_INDEX, "cat-file", file]), wanted)):
            found.append(Repository(uri, suite, component, versions))
    missing = sorted(wanted - {name for one in found for name in one.versions})
    if missing:
        raise MachineError(
            f"{len(missing)} of {len(wanted)} packages are offered by no source of this machine: "
            f"{', '.join(missing[:5])}{' …' if len(missing) > 5 else ''}",
            "run `apt-get update` as root, or add a source that has them to /etc/apt/sources.list.d",
        )
    return found


def read_index(text: str, wanted: set[str]) -> dict[str, frozenset[str]]:
    """Versions by package, of an apt index; only of the packages wanted."""
    versions: dict[str, set[str]] = {}
    name = ""
    for line in text.split("\n"):
        if line.startswith("Package: "):
            name = line[9:].strip()
        elif line.startswith("Version: ") and name in wanted:
            versions.setdefault(name, set()).add(line[9:].strip())
    return {name: frozenset(some) for name, some in versions.items()}


def reached_by() -> list[str]:
    """apt's settings on this machine about proxies, retries and the like."""
    kept = []
    for line in run(["apt-config", "dump"]).splitlines():
        found = SETTING.match(line)
        if found and found["value"] and REACHED.match(line):
            kept.append(line)
    return kept


def run(command: list[str], cwd: Path | None = None) -> str:
    """A program of the system that must succeed; its own last words where it does not."""
    require(command[0])
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    done = subprocess.run(command, capture_output=True, cwd=cwd, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        errors = [line for line in words if line.startswith("E:")] or words
        raise MachineError(
            f"`{command[0]}` failed: {errors[0] if errors else f'exit code {done.returncode}'}",
            f"try it yourself: {shlex.join(command)[:300]}",
        )
    return done.stdout.decode(errors="replace")


def require(program: str) -> None:
    if shutil.which(program, path="/usr/sbin:/usr/bin:/sbin:/bin") is None:
        name = Path(program).name
        package = {"apt-helper": "apt", "apt-get": "apt", "apt-config": "apt"}.get(name, name)
        raise MissingPart(f"a root cannot be made: {name} is not installed", f"apt install {package}")
