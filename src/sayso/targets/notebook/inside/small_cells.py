"""Inside the sandbox: cells run in a namespace, each in a forked child, without a kernel of its own.

Thousands of cells are tried so in minutes: libraries are loaded once, and children begin with them.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Tell = Callable[[dict[str, Any]], None]
Work = Callable[[Tell], None]


def run_cell(code: str, space: dict[str, Any]) -> object:
    """As a kernel does: what the last expression gives is shown."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), space)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), space) if isinstance(last, ast.Expr) else None


def in_a_child(work: Work) -> list[dict[str, Any]]:
    """What a child tells of its work; one that dies tells nothing more."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as told:

            def tell(words: dict[str, Any]) -> None:
                told.write(json.dumps(words) + "\n")
                told.flush()

            with contextlib.suppress(BaseException):
                work(tell)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as heard:
        found = [json.loads(line) for line in heard if line.endswith("\n")]
    os.waitpid(child, 0)
    return found


def load(modules: Iterable[str]) -> None:
    for module in modules:
        with contextlib.suppress(ImportError):
            __import__(module)
    # Children count references to what is loaded: what the collector leaves alone is copied less.
    gc.collect()
    gc.freeze()


def close_figures() -> None:
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


def work_off(setting_work: Callable[[dict[str, Any]], Work]) -> None:
    """Every setting of the job that the command line names, each in a child of its own, a JSON line each."""
    warnings.filterwarnings("ignore")
    job = json.loads(Path(sys.argv[1]).read_text())
    load(job["load"])
    for number, setting in enumerate(job["settings"]):
        sys.stdout.write(json.dumps({"number": number, "asks": in_a_child(setting_work(setting))}) + "\n")
        sys.stdout.flush()
