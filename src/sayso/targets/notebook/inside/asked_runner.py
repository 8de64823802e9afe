"""Inside the sandbox: run notebooks in small, one forked child a setting and one an ask, libraries loaded once.

Prints a JSON line an ask: whether it ran, what it raised, whether it did anything, the names that lived before it, and
the first line of each table beside it. No kernel is started: thousands of cells are tried so in minutes.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

from sayso.targets.notebook.hand.namespace import namespace_lines
from sayso.targets.notebook.inside.small_cells import Tell, Work, close_figures, in_a_child, run_cell, work_off

SECONDS = 20
TABLES = (".csv", ".tsv")


def setting_work(setting: dict[str, Any]) -> Work:
    def work(tell: Tell) -> None:
        signal.alarm(SECONDS * 4)
        os.chdir(tempfile.mkdtemp())
        space: dict[str, Any] = {"__name__": "__main__"}
        hidden: dict[str, Any] = {"__name__": "__main__"}
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                run_cell(setting["hidden"], hidden)
                for cell in setting["shown"]:
                    run_cell(cell, space)
        except BaseException as error:
            tell({"setting": f"{type(error).__name__}: {error}"[:300]})
            return
        close_figures()
        for ask in setting["asks"]:
            found = in_a_child(ask_work(ask, space))
            tell(found[0] if found else {"status": "died"})

    return work


def ask_work(ask: dict[str, Any], space: dict[str, Any]) -> Work:
    def work(tell: Tell) -> None:
        signal.alarm(SECONDS)
        said = io.StringIO()
        words: dict[str, Any] = {"status": "above fails"}
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            try:
                for cell in ask["before"]:
                    run_cell(cell, space)
                close_figures()
                words |= {"status": "fails", "names": names(space), "tables": tables()}
                is_sure = acts(ask["code"])
                before, printed = {} if is_sure else state(space), len(said.getvalue())
                value = run_cell(ask["code"], space)
                does = is_sure or value is not None or len(said.getvalue()) > printed or state(space) != before
                words["status"] = "ran" if does else "does nothing"
            except BaseException as error:
                words["error"] = f"{type(error).__name__}: {error}"[:300]
        tell(words)

    return work


def acts(code: str) -> bool:
    """Whether it may do what cannot be seen here: a call, a test, a class that is defined anew."""
    return any(
        isinstance(one, ast.Call | ast.Assert | ast.ClassDef | ast.FunctionDef) for one in ast.walk(ast.parse(code))
    )


def names(space: dict[str, Any]) -> list[str]:
    return list(namespace_lines({name: one for name, one in space.items() if not name.startswith("_")}))


def tables() -> dict[str, str]:
    found = {}
    for path in sorted(Path().iterdir()):
        if path.suffix in TABLES:
            with path.open(encoding="utf-8", errors="replace") as file:
                found[path.name] = file.readline()[:2000].rstrip("\n")
    return found


def state(space: dict[str, Any]) -> dict[str, Any]:
    """Names with how their values are written, and the files beside: what differs after a cell that did something."""
    values = {name: repr(value)[:20_000] for name, value in space.items() if not name.startswith("_")}
    return {**values, "": sorted((path.name, path.stat().st_mtime_ns) for path in Path().iterdir())}


if __name__ == "__main__":
    work_off(setting_work)
