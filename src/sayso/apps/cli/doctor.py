"""`sayso doctor`: what works on this machine, and what to install for the rest."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sayso import __version__
from sayso.apps import settings
from sayso.apps.cli import output
from sayso.core.errors import SaysoError

# Extra → the modules that must be importable for it.
EXTRAS = {
    "train": ("torch", "numpy", "tokenizers", "safetensors", "sacrebleu", "matplotlib", "zstandard", "rich"),
    "serve": ("starlette", "uvicorn"),
    "notebook": ("ipykernel", "jupyter_client", "nbformat"),
    "build": ("zstandard",),
    "api": ("odata_query", "sqlalchemy", "starlette", "uvicorn"),
    "ray": ("ray",),
}
ENOUGH_DISK = 1_000_000_000


@dataclass(frozen=True)
class Row:
    """One thing looked at; `cure` is for what is missing. Only what terminal use cannot do without is `needed`."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--strict", action="store_true", help="exit with 3 when something needed is missing")


def run(args: argparse.Namespace) -> int:
    found = (row for look in LOOKS for row in guarded(look))
    rows = [replace(row, cure="") if row.ok else row for row in found]
    if args.json:
        output.print_json({"version": __version__, "rows": [asdict(row) for row in rows]})
    else:
        coloured = output.colours("auto")
        width = max(len(row.name) for row in rows)
        for row in rows:
            word, colour = ("ok", output.GREEN) if row.ok else ("missing", output.RED if row.needed else output.YELLOW)
            print(f"{output.paint(f'{word:<7}', colour, coloured)}  {row.name:<{width}}  {output.visible(row.detail)}")
            if row.cure:
                print(f"{'':<{width + 11}}{output.paint('→ ' + output.visible(row.cure), output.DIM, coloured)}")
    return 3 if args.strict and any(row.needed and not row.ok for row in rows) else 0


def guarded(look: Callable[[], Iterator[Row]]) -> Iterator[Row]:
    """A look that fails is a row of its own: the doctor never falls ill."""
    name = look.__name__.replace("_", " ")
    try:
        yield from look()
    except SaysoError as error:
        yield Row(name, False, error.message, error.hint)
    except Exception as error:
        yield Row(name, False, f"{type(error).__name__}: {error}", "this is a bug in sayso: please report it")


def python() -> Iterator[Row]:
    yield Row(
        "python",
        sys.version_info >= (3, 11),
        f"{platform.python_version()} at {sys.executable}",
        "install Python 3.11 or newer",
        True,
    )
    yield Row(
        "system", sys.platform == "linux", f"{platform.system()} {platform.release()}", "sayso is tested on Linux only"
    )


def config() -> Iterator[Row]:
    path = settings.config_file()
    settings.load()
    yield Row("config", True, path if Path(path).exists() else f"{path} (none: defaults)")


def models() -> Iterator[Row]:
    """Loading a system reads its bundle, whose sums are checked on the way."""
    from sayso.targets import TARGETS, TASKS

    for target, task in ((one.name, one.answered_by) for one in TARGETS.values() if one.answered_by):
        cure = "install sayso again: pip install --force-reinstall sayso"
        if "default" not in TASKS[task].systems:
            yield Row(f"model {target}", False, f"{task} has no default system", cure, True)
            continue
        try:
            TASKS[task].systems["default"](settings.workspace())
        except SaysoError as error:
            yield Row(f"model {target}", False, error.message, error.hint or cure, True)
        else:
            yield Row(f"model {target}", True, f"the embedded system of {task} loads", needed=True)


def bundles() -> Iterator[Row]:
    """What was trained and where it comes from: this package, or a distribution of its own."""
    from sayso.neural.bundle import MANIFEST, load_bundle
    from sayso.neural.installed import APART, OWN, again, offers

    own = [one.name for one in OWN.iterdir() if (one / MANIFEST).is_file()]
    yield Row("bundles", bool(own), f"{len(own)} in sayso {__version__}", again(""), True)
    seen = set(own)
    for offer in offers():
        if offer.problem:
            yield Row(f"bundles of {offer.distribution}", False, offer.problem, again(offer.distribution))
        for name, folder in offer.bundles.items():
            seen.add(name)
            try:
                load_bundle(folder)
            except SaysoError as error:
                yield Row(f"bundle {name}", False, f"{offer.said}: {error.message}", again(offer.distribution))
            else:
                yield Row(f"bundle {name}", True, f"from {offer.said} ({folder})")
    for (what, distribution), names in bundles_apart(APART).items():
        if lacking := [name for name in names if name not in seen]:
            empty = any(offer.distribution == distribution for offer in offers())
            cure = again(distribution) if empty else f"pip install {distribution}"
            said = f"bundle {lacking[0]}" if len(lacking) == 1 else f"{len(lacking)} bundles of {distribution}"
            yield Row(said, False, f"{what} cannot be asked without", cure)


def bundles_apart(apart: Mapping[str, tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
    """What is answered and the distribution -> the bundles that it takes: one row says what is not installed."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, about in apart.items():
        found.setdefault(about, []).append(name)
    return found


def daemon() -> Iterator[Row]:
    from sayso.apps.cli.daemon import in_words, status

    state = status()
    folder = settings.runtime_folder()
    responds = not state["running"] or state["responds"]
    yield Row("daemon", responds, f"{in_words('status', state)} ({folder})", "run `sayso daemon stop`")


def telemetry() -> Iterator[Row]:
    """Whether the runtime is silent, here and in the background process. What a program opens, the kernel tells."""
    from sayso.apps import leftovers
    from sayso.apps.cli.daemon import status
    from sayso.apps.cli.silence_check import loud
    from sayso.neural.onnx_runtime import CHECKED_BELOW, is_checked, load_onnxruntime

    try:
        version = str(load_onnxruntime().__version__)
    except ImportError:
        yield Row("telemetry", True, "nothing leaves the machine: there is no runtime that could send anything")
        return
    leftovers.remove_once()
    process = status().get("pid")
    heard = loud(os.getpid()) + (loud(int(process)) if process else [])
    if heard:
        cure = "run `sayso daemon stop`, then report it: sayso opens none of these"
        yield Row("telemetry", False, f"open in a process of ours: {', '.join(heard)}", cure)
    elif not is_checked(version):
        below = ".".join(map(str, CHECKED_BELOW))
        detail = f"off as far as onnxruntime {version} heeds its switch, which nobody has checked"
        yield Row("telemetry", False, detail, f"pip install 'onnxruntime<{below}'")
    else:
        which = "here and in the background process" if process else "here"
        kept = "another program's id is kept for it" if leftovers.found() else "no id of this machine is kept"
        detail = f"off in onnxruntime {version}: no network socket and no queue of events open {which}, {kept}"
        yield Row("telemetry", True, f"{detail}; nothing leaves the machine")


def data() -> Iterator[Row]:
    folder = settings.workspace().data
    cure = "set SAYSO_DATA to the folder of the corpora, or fetch one with `sayso data get NAME`"
    found = sorted(one.name for one in folder.iterdir() if one.is_dir()) if folder.is_dir() else []
    yield Row("data", bool(found), f"{folder}: {', '.join(found) if found else 'no corpus'}", cure)
    published = settings.published_folder()
    yield Row("results", True, f"{settings.results_folder()}{f', published in {published}' if published else ''}")


def disk() -> Iterator[Row]:
    for name, folder in (("cache", settings.workspace().cache), ("data", settings.workspace().data)):
        there = next(one for one in (folder, *folder.parents) if one.exists())
        free = shutil.disk_usage(there).free
        writable = os.access(there, os.W_OK)
        detail = f"{free / 1e9:.1f} GB free at {there}{'' if writable else ', which is read-only'}"
        yield Row(f"disk {name}", free >= ENOUGH_DISK and writable, detail, "free some space, or choose another folder")


def sandbox() -> Iterator[Row]:
    """What the sandbox says of itself; running candidates is refused where none works."""
    from sayso.sandbox.probe import probe

    for one in probe():
        name = "sandbox" if one.name == "sandbox" else f"sandbox {one.name}"
        lost = f" (lost until then: {'; '.join(one.lost)})" if one.lost else ""
        yield Row(name, one.ok, one.detail, one.cure + lost)


def extras() -> Iterator[Row]:
    for extra, modules in EXTRAS.items():
        lacking = [one for one in modules if importlib.util.find_spec(one) is None]
        detail = f"without {', '.join(lacking)}" if lacking else f"{', '.join(modules)}"
        yield Row(f"sayso[{extra}]", not lacking, detail, f"pip install 'sayso[{extra}]'")


def programs() -> Iterator[Row]:
    for shell in ("bash", "zsh", "fish"):
        yield program(f"shell {shell}", (shell,), f"install {shell} for its key binding (Debian: apt install {shell})")
    yield program("man pages", ("man",), "install man-db: `sayso explain` then knows every installed command")
    browsers = ("chromium", "chromium-browser", "google-chrome", "firefox")
    yield program("browser", browsers, "install one to see the pages of `sayso judge` and `sayso serve`")


def program(name: str, choices: tuple[str, ...], cure: str) -> Row:
    found = next((path for one in choices if (path := shutil.which(one))), None)
    return Row(name, found is not None, found or "not found", cure)


LOOKS = (python, models, bundles, config, daemon, telemetry, data, disk, sandbox, extras, programs)
