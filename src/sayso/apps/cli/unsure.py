"""What stands one key behind "I don't know": candidates that were not good enough to be an answer, said to be that.

A candidate that is barred for this request is never among them, nor is any where the request itself was refused.
"""

from __future__ import annotations

from sayso.apps.cli import keyboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from sayso.apps.cli.choose import Choice


def possible(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The candidates of an abstention that may be looked at."""
    if answer.get("reason"):
        return []
    return [one for one in answer["candidates"] if not one.get("barred")]


def offer(answer: Mapping[str, Any], coloured: bool, taken: Callable[[Choice], None]) -> int:
    """Asked under "I don't know": u shows them with the menu, q leaves; the exit code of what was run there."""
    from sayso.apps.cli.choose import QUITS, Menu, width
    from sayso.apps.cli.marks import terminal_lines

    found = possible(answer)
    if not found:
        return 0
    many = f"{len(found)} commands that may fit" if len(found) > 1 else "a command that may fit"
    while True:
        key = keyboard.read_key(f"[u]nsure: {many}  [q]uit  > ")
        keyboard.say(f"{key if key.isprintable() else ''}\n")
        if key in QUITS:
            return 0
        if key == "u":
            shown = {**answer, "candidates": found, "abstained": False}
            keyboard.say("\n".join([*terminal_lines(shown, coloured, width()), ""]))
            return Menu(shown, coloured, taken).ask()
