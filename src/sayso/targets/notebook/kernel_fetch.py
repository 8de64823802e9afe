"""`sayso data get kernel`: fetch, check and install the pinned packages into a folder of the cache.

Wheels are fetched by pip a few at a time and kept until the folder is whole, so an interrupted run goes on from there.
A wheel for a machine that nobody looked at has no digest in the list and is taken as its index gives it, and counted.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from sayso.core.errors import BadFile, MachineError, MissingPart, RunFailed
from sayso.core.files import write_atomically
from sayso.core.progress import Progress, silent
from sayso.core.types import Workspace
from sayso.targets.notebook.kernel_packages import ABOUT, FONTS, PYTHON, Pins, kernel_folder, pinned, python_version

TOGETHER = 6
"""Packages that one pip fetches."""


def get_kernel(workspace: Workspace, progress: Progress = silent, pins: Pins | None = None) -> dict[str, object]:
    """Fetch, check and install the pinned packages; what is there already is left alone."""
    pins = pins or pinned()
    folder = kernel_folder(workspace.cache, pins)
    if not (folder / ABOUT).is_file():
        if tuple(map(int, python_version().split("."))) < (3, 11):
            raise MissingPart(f"{PYTHON} is Python {python_version()}", "the pinned packages need 3.11 or later")
        folder.parent.mkdir(parents=True, exist_ok=True)
        wheels = folder.with_name(f"{folder.name}.wheels")
        fetch(wheels, pins, progress)
        digests = check(wheels, pins)
        progress("kernel: installing", 0, 0)
        install(wheels, folder, pins, digests)
        shutil.rmtree(wheels)
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    return {
        "folder": str(folder),
        "packages": len(about["wheels"]),
        "megabytes": round(size / 1e6),
        "python": about["python"],
        "digest": about["digest"],
        "unchecked": about["unchecked"],
    }


def fetch(wheels: Path, pins: Pins, progress: Progress) -> None:
    """Wheels only: nothing of a package runs while it is fetched."""
    wheels.mkdir(exist_ok=True)
    total = len(pins.packages)
    done = {wheel_name(path) for path in wheels.glob("*.whl")}
    wanted = [pin for pin in pins.packages if pin.replace("-", "_").lower() not in done]
    for start in range(0, len(wanted), TOGETHER):
        some = wanted[start : start + TOGETHER]
        progress(f"kernel: {some[0].partition('==')[0]} …", total - len(wanted) + start, total)
        pip(["download", "--dest", str(wheels), *some])
    progress("kernel: fetched", total, total)


def wheel_name(path: Path) -> str:
    """scikit_learn-1.9.1-cp311-….whl -> scikit_learn==1.9.1"""
    name, version = path.name.split("-")[:2]
    return f"{name.lower()}=={version}"


def check(wheels: Path, pins: Pins) -> dict[str, str]:
    """The digest of every wheel; one that is not what it was is removed, so that the next try fetches it again."""
    found = {}
    for path in sorted(wheels.glob("*.whl")):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if pins.wheels.get(path.name, digest) != digest:
            path.unlink()
            raise BadFile(f"{path.name} is not the package that we know", "run `sayso data get kernel` again")
        found[path.name] = digest
    return found


def install(wheels: Path, folder: Path, pins: Pins, digests: Mapping[str, str]) -> None:
    """Into a folder beside, which becomes `folder` when it is whole."""
    together = "".join(f"{name}\0{digest}\n" for name, digest in sorted(digests.items()))
    about = {
        "python": python_version(),
        "digest": hashlib.sha256(together.encode()).hexdigest(),
        "wheels": sorted(digests),
        "unchecked": sum(name not in pins.wheels for name in digests),
    }
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        pip(["install", "--no-index", "--find-links", str(wheels), "--target", str(part), *pins.packages])
        make_fonts(part)
        part.chmod(0o755)
        with write_atomically(part / ABOUT) as file:
            file.write(json.dumps(about, indent=1).encode())
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except OSError as error:
        raise MachineError(f"cannot make {folder}: {error.strerror or error}", "free some disk space") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def make_fonts(folder: Path) -> None:
    """matplotlib's list of fonts, which it would otherwise make in every run, for a second."""
    with tempfile.TemporaryDirectory() as home:
        told = {"HOME": home, "MPLCONFIGDIR": str(folder / FONTS), "PYTHONPATH": str(folder)}
        subprocess.run(
            [PYTHON, "-S", "-c", "import matplotlib.font_manager"], env=told, capture_output=True, check=False
        )


def pip(words: Sequence[str]) -> None:
    """Our own pip, as the sandbox's interpreter runs it."""
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "--python", PYTHON, words[0], *options, *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise RunFailed(
            f"pip could not {words[0]} the packages of the kernel: {(said or ['it said nothing'])[-1][:200]}",
            "with a network and pip, run `sayso data get kernel` again: what was fetched is kept",
        )
