"""Inside the sandbox: cells that answer one asked request, each below the same cells, each compared with the right one.

A forked child a setting, one an ask, one a cell. Prints a JSON line a setting: for each ask why it cannot be scored, or
for each cell what it does otherwise than the right one, "" for nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

from sayso.targets.notebook.inside.pictures import comparable, files_of, picture, same, whole
from sayso.targets.notebook.inside.small_cells import Tell, Work, close_figures, in_a_child, run_cell, work_off

SECONDS = 8
BLANK = "pass"
DIED = "it took too long or ended its process"


def setting_work(setting: dict[str, Any]) -> Work:
    def work(tell: Tell) -> None:
        signal.alarm(SECONDS * 60)
        home = tempfile.mkdtemp()
        os.chdir(home)
        space: dict[str, Any] = {"__name__": "__main__", "display": lambda *shown, **more: None}
        try:
            with silence():
                run_cell(setting["hidden"], {"__name__": "__main__"})
                for cell in setting["shown"]:
                    run_cell(cell, space)
        except BaseException as error:
            tell({"unscored": f"{type(error).__name__}: {error}"[:200]})
            return
        close_figures()
        for ask in setting["asks"]:
            found = in_a_child(ask_work(ask, space, home))
            tell(found[0] if found else {"unscored": DIED})

    return work


def ask_work(ask: dict[str, Any], space: dict[str, Any], home: str) -> Work:
    def work(tell: Tell) -> None:
        place = shutil.copytree(home, tempfile.mkdtemp(), dirs_exist_ok=True)
        os.chdir(place)
        try:
            with silence():
                for cell in ask["before"]:
                    run_cell(cell, space)
                close_figures()
        except BaseException as error:
            tell({"unscored": f"a cell above: {type(error).__name__}: {error}"[:200]})
            return
        before = whole(space)
        cells = [ask["code"], ask["code"], BLANK, *ask["cells"]]
        wanted: dict[str, Any] = {}
        problems: list[str] = []
        for cell in cells:
            found = in_a_child(cell_work(cell, space, before, place))
            one = found[0] if found else {"problem": DIED}
            if not wanted:
                if "problem" in one or not comparable(one):
                    tell({"unscored": one.get("problem", "there is nothing to compare")})
                    return
                wanted = one
                continue
            problems.append(one["problem"] if "problem" in one else same(one, wanted, ask["request"], ask["code"]))
        if problems[0]:
            tell({"unscored": f"the right cell differs from itself: {problems[0]}"})
        elif not problems[1]:
            tell({"unscored": "a cell that does nothing is the same"})
        else:
            tell({"problems": problems[2:]})

    return work


def cell_work(cell: str, space: dict[str, Any], before: dict[str, Any], home: str) -> Work:
    def work(tell: Tell) -> None:
        signal.alarm(SECONDS)
        place = Path(shutil.copytree(home, tempfile.mkdtemp(), dirs_exist_ok=True))
        os.chdir(place)
        lay = files_of(place)
        with contextlib.suppress(ImportError):
            import numpy

            numpy.random.seed(0)
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
                value = run_cell(cell, space)
                files = {name: text for name, text in files_of(place).items() if lay.get(name) != text}
                tell(picture(before, space, value, said.getvalue(), files))
        except BaseException as error:
            tell({"problem": f"{type(error).__name__}: {error}"[:200]})

    return work


@contextlib.contextmanager
def silence() -> Any:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


if __name__ == "__main__":
    work_off(setting_work)
