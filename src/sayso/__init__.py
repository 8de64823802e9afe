"""sayso: a request in English goes in, checked and ranked instructions come out."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sayso.apps.ipython import Shell


def load_ipython_extension(shell: Shell) -> None:
    """`%load_ext sayso`: the magics `%sayso` and `%%sayso` in IPython, Notebook and JupyterLab."""
    from sayso.apps.ipython import load

    load(shell)


def unload_ipython_extension(shell: Shell) -> None:
    from sayso.apps.ipython import unload

    unload(shell)
