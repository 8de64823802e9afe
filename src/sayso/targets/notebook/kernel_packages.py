"""The Python and the packages that cells run with inside the sandbox: a folder of pinned ones, or this process's own.

`data/kernel_packages.json` pins every version; `kernel_fetch.py` makes the folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sayso.core.errors import MissingPart

PYTHON = "/usr/bin/python3"
"""The interpreter of the sandbox, whose /usr is the host's."""
GET = "`sayso data get kernel` fetches them: 640 MB, once"
ABOUT = "kernel.json"
"""Written last, into a folder that is whole."""
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
    folder = kernel_folder(cache_folder, pinned())
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


@dataclass(frozen=True)
class Pins:
    """`packages`: numpy==2.4.6 …, with everything that they need; `wheels`: the digests of those that we know."""

    packages: tuple[str, ...]
    wheels: Mapping[str, str]


@cache
def pinned() -> Pins:
    found = json.loads(files("sayso.targets.notebook").joinpath("data/kernel_packages.json").read_text("utf-8"))
    return Pins(tuple(found["packages"]), found["wheels"])


def kernel_folder(cache_folder: Path, pins: Pins) -> Path:
    """Another list, another Python or another machine is another folder."""
    parts = [*pins.packages, python_version(), platform.machine()]
    return cache_folder / "kernel" / hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@cache
def python_version() -> str:
    """Of the sandbox's interpreter: 3.11"""
    try:
        asked = [PYTHON, "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        return subprocess.run(asked, capture_output=True, text=True, check=True, env={}).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingPart(f"{PYTHON} does not run: {error}", "install your system's Python 3.11 or later") from error
