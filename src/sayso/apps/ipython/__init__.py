"""`%sayso` in IPython, Notebook and JupyterLab. IPython itself is never imported: its shell is handed to us."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Shell(Protocol):
    """What is used of IPython's `InteractiveShell`."""

    user_ns: dict[str, object]
    user_ns_hidden: Mapping[str, object]
    history_manager: Any
    events: Any
    display_pub: Any
    magics_manager: Any

    def register_magic_function(self, func: Callable[..., None], magic_kind: str, magic_name: str) -> None: ...

    def set_next_input(self, s: str, replace: bool = False) -> None: ...


NAME = "sayso"
AFTER = "post_run_cell"


def load(shell: Shell) -> None:
    from sayso.apps.ipython.magic import Magic

    magic = Magic(shell)
    shell.register_magic_function(magic.run, magic_kind="line_cell", magic_name=NAME)
    shell.events.register(AFTER, magic.after)


def unload(shell: Shell) -> None:
    for kind in ("line", "cell"):
        found = shell.magics_manager.magics[kind].pop(NAME, None)
        if found is not None and kind == "line":
            shell.events.unregister(AFTER, found.__self__.after)
