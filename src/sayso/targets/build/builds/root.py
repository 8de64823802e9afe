"""The base system that packages are built on, made once in the user's cache with mmdebstrap at pinned versions."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from sayso.core.errors import BadFile, MachineError
from sayso.core.progress import Progress, silent
from sayso.targets.build.builds.offered import find_repositories, preferences, reached_by, read_pins, require, run

FORMAT = "1"
ABOUT = "about.json"
MAKING = ".making-"
# So that autoreconf in a dependent sees macros that a package below installed.
MACROS = ("usr/share/aclocal/dirlist", "/usr/local/share/aclocal\n")


def make_root(packages_file: Path, cache: Path, progress: Progress = silent) -> Path:
    """The folder of the system; made where it is not there yet, aside, and shown by one rename."""
    pins = read_pins(packages_file)
    place = place_of(pins, cache)
    folder, key = place.parent, place.name
    if (place / ABOUT).exists():
        return place / "root"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(
            f"no root can be kept in {folder}: {error.strerror}", "choose another cache folder"
        ) from error
    with _alone(folder / f"{key}.lock"):
        if not (place / ABOUT).exists():
            _sweep(folder, key)
            making = Path(tempfile.mkdtemp(prefix=f"{MAKING}{key}-", dir=folder))
            try:
                _make(pins, making, progress)
                making.rename(place)
            except BaseException:
                _remove(making)
                raise
    about = read_about(place / "root")
    progress(f"base system of {about['packages']} packages, {cast(int, about['bytes']) / 1e9:.2f} GB: {place}", 1, 1)
    return place / "root"


def find_root(packages_file: Path, cache: Path) -> Path | None:
    """The folder of a system that was made before; nothing is made here."""
    place = place_of(read_pins(packages_file), cache)
    return place / "root" if (place / ABOUT).exists() else None


def place_of(pins: Mapping[str, str], cache: Path) -> Path:
    key = hashlib.sha256(json.dumps([FORMAT, sorted(pins.items())]).encode()).hexdigest()[:16]
    return cache.absolute() / "roots" / key


def root_digest(root: Path) -> str:
    """What the packages inside are: names, versions and architectures."""
    return str(read_about(root)["digest"])


def read_about(root: Path) -> Mapping[str, object]:
    """Of a root that `make_root` made: packages, digest, bytes, how many have another version than was asked for."""
    try:
        about: Mapping[str, object] = json.loads((root.parent / ABOUT).read_text("utf-8"))
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(
            f"{root} was not made here as a base system: {error}", f"remove {root.parent} and run again"
        ) from error
    return about


def _make(pins: Mapping[str, str], making: Path, progress: Progress) -> None:
    require("mmdebstrap")
    progress("looking up the packages of the base system", 0, 0)
    repositories = find_repositories(pins)
    root = making / "root"
    as_root = os.geteuid() == 0
    progress(f"making the base system of {len(pins)} packages (some minutes)", 0, len(pins))
    run(
        [
            *("mmdebstrap", f"--mode={'root' if as_root else 'unshare'}", "--variant=minbase", "--quiet"),
            *(f"--aptopt={line}" for line in reached_by()),
            f"--include={','.join(sorted(pins))}",
            f'--setup-hook=mkdir -p "$1"/etc/apt/preferences.d && cat >"$1"/etc/apt/preferences.d/pins <<\'END\'\n'
            f"{preferences(pins)}\nEND",
            # Whose files belong to ids of another range, whom no ordinary user could ever remove, goes through an
            # archive; root is spared the copy.
            *("", str(root if as_root else making / "root.tar")),
            *(one.line() for one in repositories),
        ],
        cwd=making,
    )
    if not as_root:
        root.mkdir()
        run(["tar", "-xf", str(making / "root.tar"), "-C", str(root), "--no-same-owner", "--exclude=./dev/*"])
        (making / "root.tar").unlink()
    name, text = MACROS
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    # How this machine reaches its packages, with whatever password stands there, is none of a build's business.
    for private in ("etc/resolv.conf", "etc/apt/apt.conf.d/99mmdebstrap", "etc/apt/sources.list"):
        (root / private).unlink(missing_ok=True)
    inside = installed(root)
    missing = sorted(pins.keys() - inside.keys())
    if missing:
        raise MachineError(f"the base system lacks {', '.join(missing[:5])}", "run the same command again")
    about = {
        "format": FORMAT,
        "packages": len(inside),
        "other_versions": sum(inside[name] != pins[name] for name in pins),
        "digest": hashlib.sha256(json.dumps([FORMAT, os.uname().machine, sorted(inside.items())]).encode()).hexdigest(),
        "bytes": _size(root),
    }
    (making / ABOUT).write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def installed(root: Path) -> dict[str, str]:
    """Versions of the packages that dpkg has in a root."""
    found: dict[str, str] = {}
    text = (root / "var/lib/dpkg/status").read_text("utf-8", errors="replace")
    for record in text.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Version|Status): (.*)$", record, re.MULTILINE))
        if fields.get("Status", "").endswith(" installed"):
            found[fields["Package"]] = fields["Version"]
    return found


def _size(folder: Path) -> int:
    """Bytes on disk; a file with several names counts once."""
    blocks: dict[tuple[int, int], int] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            found = Path(parent, name).lstat()
            blocks[found.st_dev, found.st_ino] = found.st_blocks
    return 512 * sum(blocks.values())


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process makes a root, the others wait for it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _sweep(folder: Path, key: str) -> None:
    """What a killed run left; the caller is alone."""
    for left in folder.glob(f"{MAKING}{key}-*"):
        _remove(left)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
