"""Inside the kernel, before the first cell: fixed seeds, figures that stay open for the tests, a plain shell."""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from typing import Any

from IPython.utils.text import SList
from traitlets import Any as Anything
from traitlets.config import SingletonConfigurable


class InlineBackend(SingletonConfigurable):
    """Takes what `%config InlineBackend…` sets: without it that line fails, and with it the rest of the cell."""

    close_figures, figure_format, figure_formats, print_figure_kwargs, rc = (Anything(config=True) for _ in range(5))


def load_ipython_extension(shell: Any) -> None:
    """`%matplotlib inline` would close figures at the end of their cell: the backend stays Agg, whatever is asked."""
    random.seed(0)
    with suppress(ImportError):
        import numpy

        numpy.random.seed(0)
    shell.enable_matplotlib = lambda gui=None: ("agg", "agg")
    shell.configurables.append(InlineBackend.instance(parent=shell))
    # Those of IPython ask for a terminal, which the sandbox has not.
    shell.system = lambda command: show(shell, command)
    shell.getoutput = lambda command, split=True, depth=0: output(shell, command, split)


def show(shell: Any, command: str) -> None:
    """`!command`"""
    print(said(shell, command), end="")


def output(shell: Any, command: str, split: bool) -> Any:
    """`lines = !command`"""
    text = said(shell, command)
    return SList(text.splitlines()) if split else text


def said(shell: Any, command: str) -> str:
    words = shell.var_expand(command, depth=3)
    done = subprocess.run(
        ["/bin/bash", "-c", words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    shell.user_ns["_exit_code"] = done.returncode
    return done.stdout
