"""`sayso bash --index-man`: read this machine's manual pages into the index that check and explain fall back on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from sayso.apps import settings
from sayso.apps.cli import output
from sayso.apps.cli.progress import Progress
from sayso.apps.man_pages import installed, man_folders, programs
from sayso.core.errors import MissingData, SandboxFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sayso.core.types import Sandbox

LARGE = 500  # pages from which a second process pays


def run(as_json: bool) -> int:
    """Bring the index up to date and say what is in it."""
    from sayso.scale.engines import Processes
    from sayso.targets.bash.manual import build_index, find_pages

    folders = man_folders()
    pages = find_pages(folders)
    if not pages:
        raise MissingData(
            f"no manual pages in {', '.join(map(str, folders)) or 'any folder'}",
            "install man pages (`apt-get install man-db`, or run `unminimize`), or set MANPATH",
        )
    cache = settings.workspace().cache
    progress = Progress()
    engine = Processes() if len(pages) > LARGE else None
    without = {name: path for name, path in programs().items() if name not in pages}
    sandbox = open_sandbox(cache) if without else None
    try:
        report = build_index(folders, cache, engine, progress, sandbox, without, installed())
    finally:
        progress.close()
    if as_json:
        output.print_json(asdict(report) | {"path": str(report.path)})
        return 0
    print(f"{report.utilities} utilities with {report.options} options from {report.pages} manual pages")
    print(f"{report.reused} pages had not changed; {report.helped} programs without a page were asked for --help")
    for reason, count in sorted(report.problems.items(), key=lambda item: -item[1]):
        print(f"  left out: {reason}: {count}")
    print(f"{report.path} ({report.seconds:.1f} s)")
    return 0


def open_sandbox(cache: Path) -> Sandbox | None:
    """The sandbox, or None with a note: --help is never run outside of it."""
    from sayso.sandbox import open_sandbox

    try:
        return open_sandbox(cache)
    except SandboxFailed as error:
        output.note(f"{error.message}; programs without a manual page are left out ({error.hint})")
        return None
