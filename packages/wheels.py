"""`make wheels`: the three distributions of this repository as wheels in dist/, each small enough and whole.

A registry takes files of 100 MB, and the notebook weights may have 48 MiB of theirs. Nothing is fetched: hatchling is
among the packages that `make test` installs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from sayso.core.errors import RunFailed, SaysoError
from sayso.neural.bundle import load_bundle

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "packages" / "sayso-notebook"
OKAPI = ROOT / "packages" / "sayso-okapi"
LARGEST_WHEEL = 100_000_000
MOST_WEIGHTS = 48 << 20
"""Bytes of the bundles in the notebook's wheel."""


def build(project: Path, out: Path) -> Path:
    """The wheel of a project, made without a network."""
    out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out.absolute())]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise RunFailed(f"{project} cannot be built: {last}", "`make test` installs what builds it")
    return out / Path((done.stdout + done.stderr).strip().splitlines()[-1]).name


def check(wheel: Path, least: Sequence[str] = (), most: int | None = None) -> dict[str, int]:
    """Bytes of each bundle in a wheel, all of them whole; `least` must be there, `most` bytes are all together."""
    size = wheel.stat().st_size
    if size >= LARGEST_WHEEL:
        raise RunFailed(f"{wheel.name} has {size:,} bytes; a registry takes fewer than {LARGEST_WHEEL:,}")
    bundles: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(wheel) as packed:
        packed.extractall(scratch, [name for name in packed.namelist() if "/bundles/" in name])
        for manifest in sorted(Path(scratch).glob("*/bundles/*/bundle.json")):
            load_bundle(manifest.parent)
            files = [path for path in manifest.parent.rglob("*") if path.is_file()]
            bundles[manifest.parent.name] = sum(path.stat().st_size for path in files)
    if lacking := [name for name in least if name not in bundles]:
        raise RunFailed(f"{wheel.name} has no bundle {lacking[0]}", "put its folder there before building")
    if most is not None and sum(bundles.values()) > most:
        raise RunFailed(f"the bundles of {wheel.name} have {sum(bundles.values()):,} bytes; at most {most:,} are meant")
    return bundles


def main() -> int:
    try:
        for project, least, most in (
            (ROOT, ("trunk",), None),
            (NOTEBOOK, ("notebook-trunk",), MOST_WEIGHTS),
            (OKAPI, ("api-length-email",), None),
        ):
            wheel = build(project, ROOT / "dist")
            bundles = check(wheel, least, most)
            weights = sum(bundles.values()) / (1 << 20)
            size = wheel.stat().st_size / 1e6
            print(f"dist/{wheel.name}: {size:.1f} MB, {len(bundles)} bundles of {weights:.1f} MiB", flush=True)
    except SaysoError as error:
        print(error.told(), file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
