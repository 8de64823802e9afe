"""The Python and the packages that cells run with inside the sandbox: a folder of pinned ones, or this process's own.

`data/kernel_packages.json` pins every version, and the digests of the wheels that were looked at; a wheel for another
machine has none there and is taken as its index gives it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sayso.core.errors import BadFile, MachineError, MissingPart, RunFailed
from sayso.core.files import write_atomically
from sayso.core.progress import Progress, silent
from sayso.core.types import Workspace

PYTHON = "/usr/bin/python3"
"""The interpreter of the sandbox, whose /usr is the host's."""
GET = "`sayso data get kernel` fetches them: 680 MB, once"
ABOUT = "kernel.json"
TOGETHER = 6
"""Packages that one pip fetches: what is complete is kept where the next is interrupted."""
FONTS = "matplotlib-fonts"
INSIDE = "/opt/packages"
OWN_PYTHON = "/opt/python"


@dataclass(frozen=True)
class Kernel:
    """What a sandbox must show for cells to run. `digest` names the packages, for signatures and caches."""

    python: str
    shown: Mapping[str, Path]
    digest: str


def fetched(cache_folder: Path) -> Kernel:
    """The pinned packages; raises MissingPart where `sayso data get kernel` has not been run."""
    folder = kernel_folder(cache_folder)
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        return Kernel(PYTHON, {INSIDE: folder}, str(about["digest"]))
    except (OSError, ValueError, KeyError):
        raise MissingPart("the packages that notebook cells run with are not on this machine", GET) from None


def own() -> Kernel:
    """The interpreter and packages of this very process; raises MissingPart where it has no IPython kernel."""
    found = importlib.util.find_spec("ipykernel")
    if found is None or found.origin is None:
        raise MissingPart("notebook cells need the package ipykernel to run", "pip install 'sayso[notebook]'")
    packages, base = Path(found.origin).parents[1], Path(sys.base_prefix)
    name = f"bin/python{sys.version_info.major}.{sys.version_info.minor}"
    digest = f"own-{hashlib.sha256(str(packages).encode()).hexdigest()[:8]}"
    if base == Path("/usr"):
        return Kernel(f"/usr/{name}", {INSIDE: packages}, digest)
    return Kernel(f"{OWN_PYTHON}/{name}", {INSIDE: packages, OWN_PYTHON: base}, digest)


def at_hand(cache_folder: Path) -> Kernel:
    """The pinned packages where they are, else this process's own."""
    try:
        return fetched(cache_folder)
    except MissingPart as error:
        try:
            return own()
        except MissingPart:
            raise error from None


@cache
def pinned() -> tuple[str, ...]:
    """numpy==2.4.6 …, with everything that they need."""
    return tuple(_pins()["packages"])


@cache
def _pins() -> dict[str, dict[str, str]]:
    text = files("sayso.targets.notebook").joinpath("data/kernel_packages.json").read_text("utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def kernel_folder(cache_folder: Path) -> Path:
    """Another list, another Python or another machine is another folder."""
    parts = [*pinned(), python_version(), platform.machine()]
    return cache_folder / "kernel" / hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@cache
def python_version() -> str:
    """Of the sandbox's interpreter: 3.11"""
    try:
        asked = [PYTHON, "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        return subprocess.run(asked, capture_output=True, text=True, check=True, env={}).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingPart(f"{PYTHON} does not run: {error}", "install your system's Python 3.11 or later") from error


def get_kernel(workspace: Workspace, progress: Progress = silent) -> dict[str, object]:
    """Fetch, check and install the pinned packages; what is there already is left alone."""
    folder = kernel_folder(workspace.cache)
    if not (folder / ABOUT).is_file():
        if tuple(map(int, python_version().split("."))) < (3, 11):
            raise MissingPart(f"{PYTHON} is Python {python_version()}", "the pinned packages need 3.11 or later")
        folder.parent.mkdir(parents=True, exist_ok=True)
        wheels = folder.with_name(f"{folder.name}.wheels")
        fetch(wheels, progress)
        digests = check(wheels)
        progress("kernel: installing", 0, 0)
        install(wheels, folder, digests)
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


def fetch(wheels: Path, progress: Progress) -> None:
    """Wheels only: nothing of a package runs while it is fetched."""
    wheels.mkdir(exist_ok=True)
    done = {wheel_name(path) for path in wheels.glob("*.whl")}
    wanted = [pin for pin in pinned() if pin.replace("-", "_").lower() not in done]
    for start in range(0, len(wanted), TOGETHER):
        some = wanted[start : start + TOGETHER]
        progress(f"kernel: {some[0].partition('==')[0]} …", len(pinned()) - len(wanted) + start, len(pinned()))
        pip(["download", "--dest", str(wheels), *some])
    progress("kernel: fetched", len(pinned()), len(pinned()))


def wheel_name(path: Path) -> str:
    """scikit_learn-1.9.1-cp311-….whl -> scikit_learn==1.9.1"""
    name, version = path.name.split("-")[:2]
    return f"{name.lower()}=={version}"


def check(wheels: Path) -> dict[str, str]:
    """The digest of every wheel; one that is not what it was is removed, so that the next try fetches it again."""
    known, found = _pins()["wheels"], {}
    for path in sorted(wheels.glob("*.whl")):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if known.get(path.name, digest) != digest:
            path.unlink()
            raise BadFile(f"{path.name} is not the package that we know", "run `sayso data get kernel` again")
        found[path.name] = digest
    return found


def install(wheels: Path, folder: Path, digests: Mapping[str, str]) -> None:
    """Into a folder beside, which becomes `folder` when it is whole."""
    together = "".join(f"{name}\0{digest}\n" for name, digest in sorted(digests.items()))
    about = {
        "python": python_version(),
        "digest": hashlib.sha256(together.encode()).hexdigest(),
        "wheels": sorted(digests),
        "unchecked": sum(name not in _pins()["wheels"] for name in digests),
    }
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        pip(["install", "--no-index", "--find-links", str(wheels), "--target", str(part), *pinned()])
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
