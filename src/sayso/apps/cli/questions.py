"""One question back in a terminal, where two readings are close: its answer chooses which of them comes first."""

from __future__ import annotations

from sayso.apps.cli import keyboard, output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def settle(answer: dict[str, Any]) -> None:
    """Take the question away where what it asks about is no longer among the first two candidates."""
    question = answer.get("question")
    first = [one["text"] for one in answer["candidates"][:2]]
    if question and (answer["abstained"] or [one["text"] for one in question["choices"]] != first):
        del answer["question"]


def ask(answer: dict[str, Any]) -> bool:
    """Asked once, and then done: 1 (or Enter) and 2 choose, q leaves, which is False; any other key changes nothing."""
    question = answer.pop("question")
    choices = [output.comment(one["label"]) for one in question["choices"]]
    keyboard.say(f"Which do you mean?\n  1  {choices[0]}\n  2  {choices[1]}\n")
    key = keyboard.read_key("[1]  [2]  [q]uit  > ")
    keyboard.say("\n" if key in ("\n", "\r", keyboard.END) else f"{output.visible(key)}\n")
    if key == "2":
        rows = answer["candidates"]
        rows[0], rows[1] = rows[1], rows[0]
    return key not in ("q", keyboard.END)
