"""Where anything that a model wrote may run: a root, read-only layers by digest, a writable top that is thrown away."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sayso.core.errors import SandboxFailed
from sayso.core.types import Limits, Sandbox

WORK = "/home/user"
"""The folder in which scripts run; it is also their home."""


def open_sandbox(
    cache: Path,
    root: Path | None = None,
    readable: Mapping[str, Path] | None = None,
    overlaid: Mapping[str, Path] | None = None,
) -> Sandbox:
    """A sandbox that has run one command; raises SandboxFailed with cause and cure where none works. Never the host.

    `cache` keeps layers; `root` is the folder of another system instead of the host's /usr; `readable` shows further
    folders of the host, read-only: path inside → folder. `overlaid` shows such folders as if they could be written:
    what a run changes there is told and thrown away. Only an ordinary user may, to whom the files in them belong.
    """
    from sayso.sandbox.bubblewrap import BubblewrapSandbox

    sandbox = BubblewrapSandbox(cache, root, readable, overlaid=overlaid)
    try:
        outcome = sandbox.run("echo works", [], Limits(processes=8, disk_mb=8))
    except SandboxFailed as error:
        raise explain(error) from error
    if (outcome.exit_code, outcome.stdout) != (0, b"works\n"):
        words = outcome.stderr.decode(errors="replace").strip() or f"exit code {outcome.exit_code}"
        raise explain(SandboxFailed(f"a trial command failed: {words}", reason="no sandbox"))
    return sandbox


def system_identity(root: Path | None) -> str:
    """A digest of the system that scripts run on, `root` or the host's: it changes where programs are installed."""
    from sayso.sandbox.bubblewrap import system_identity

    return system_identity(root)


def explain(error: SandboxFailed) -> SandboxFailed:
    """The same failure with the first part of the machine that does not work, and its cure."""
    from sayso.sandbox.probe import EVERYTHING, probe

    broken = [part for part in probe() if part.lost == EVERYTHING]
    if not broken:
        return error
    part = broken[0]
    return SandboxFailed(f"no sandbox works here: {part.name}: {part.detail}", part.cure, reason="no sandbox")
