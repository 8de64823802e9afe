"""sayso: a request in English goes in, checked and ranked instructions come out."""

from __future__ import annotations

__version__ = "0.1.0"


# IPython looks for these two here. What every room imports may import no room: the name is looked up when it is loaded.
def load_ipython_extension(shell: object) -> None:
    """`%load_ext sayso`: the magics `%sayso` and `%%sayso` in IPython, Notebook and JupyterLab."""
    from importlib import import_module

    import_module("sayso.apps.ipython").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """`%unload_ext sayso`"""
    from importlib import import_module

    import_module("sayso.apps.ipython").unload(shell)
