"""What `%sayso` does: reads the cells that ran and the names that live, shows cells, puts one into the next input.

Everything is answered in this process, and nothing is run. Of what lives here names, types, shapes and columns are
read, never a value; `%sayso names` prints all of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sayso.apps import settings
from sayso.apps.cells import Cells, with_imports
from sayso.apps.cli.unseen import visible
from sayso.apps.ipython.shown import as_html, as_text
from sayso.core.errors import SaysoError, UserError
from sayso.core.types import Piece, Request

if TYPE_CHECKING:
    from sayso.apps.ipython import Shell

HELP = """%sayso WHAT TO DO      cells that do it; the first is put into the next input, nothing is run
%%sayso                the same, with the lines below as the request
%sayso pick 2          the second of them instead
%sayso fix             what was meant by the cell that failed last
%sayso names           what is read of this kernel: names, types, columns; never a value"""
FIX = "fix the cell above"
PICK = re.compile(r"pick\s+(\d{1,3})")
OURS = re.compile(r"^\s*%{1,2}(?:sayso\b|(?:re)?load_ext\s+sayso\b|unload_ext\s+sayso\b).*$", re.M)
ASKED = re.compile(r"^\s*(%{1,2})sayso\b(.*)$", re.M)
ORDERS = re.compile(r"(?:fix|names|pick\s+\d+|)\s*")
MOST_CELLS = 400


class Magic:
    """One for a shell: its last answer, and the cell that failed last."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.cells = Cells(settings.workspace())
        self.last: dict[str, Any] | None = None
        self.failed: tuple[str, BaseException] | None = None
        self.failures: set[int] = set()
        self.since = 0
        """Cells that ran well after the one that failed last."""

    def run(self, line: str, cell: str | None = None) -> None:
        """The magic itself; a mistake is one line, not a traceback."""
        words = "\n".join(part for part in (line.strip(), (cell or "").strip()) if part)
        try:
            self.obey(words)
        except SaysoError as error:
            hint = f"\nhint: {error.hint}" if error.hint else ""
            print(visible(f"sayso: {error.message}{hint}"), file=sys.stderr)

    # Otherwise IPython would compute what stands in {…} or behind $ in a request, and put the value there.
    vars(run)["_ipython_magic_no_var_expand"] = True

    def obey(self, words: str) -> None:
        if words in ("", "-h", "--help", "help"):
            print(HELP)
        elif words == "fix":
            self.fix()
        elif words == "names":
            found = self.names()
            print(found.text if found else "this kernel has no names of yours")
        elif wanted := PICK.fullmatch(words):
            self.pick(int(wanted[1]))
        else:
            request = Request(words, (*self.live(), *self.above()))
            self.show(self.cells.answer(request, settings.load().k))

    def after(self, result: Any) -> None:
        """Told by IPython after every cell: which one failed, and of what."""
        error = result.error_in_exec or result.error_before_exec
        raw = str(getattr(result.info, "raw_cell", ""))
        if error is None or OURS.search(raw):
            self.since += not OURS.search(raw)
            return
        self.failed, self.since = (raw, error), 0
        if isinstance(result.execution_count, int):
            self.failures.add(result.execution_count)

    def fix(self) -> None:
        from sayso.targets.notebook.hand import repairs

        failed = self.failed or self.failed_before()
        if failed is None:
            raise UserError("no cell of this session has failed", "run it, and when it fails `%sayso fix`")
        found = repairs(*failed, self.mine())
        request = Request(FIX, (*self.live(), *self.above(), *found.pieces))
        answer = self.cells.repaired(request, found.candidates, settings.load().k)
        about = (
            [f"about the cell that failed {self.since + 1} cells ago: {first_line(failed[0])}"] if self.since else []
        )
        self.show({**answer, "said": [*about, *found.said]})

    def failed_before(self) -> tuple[str, BaseException] | None:
        """A cell that failed before the extension was loaded: what Python keeps of it, and the last input."""
        error = getattr(sys, "last_value", None)
        ran = [text for _, text in self.inputs() if text.strip() and not OURS.search(text)]
        return (ran[-1], error) if isinstance(error, BaseException) and ran else None

    def pick(self, number: int) -> None:
        if self.last is None or not self.last["candidates"]:
            raise UserError("there is nothing to pick from", "say what the next cell should do: %sayso …")
        found = self.last["candidates"]
        if not 1 <= number <= len(found):
            raise UserError(f"there is no cell {number} to pick", f"it is a number from 1 to {len(found)}")
        self.put(found[number - 1])

    def show(self, answer: dict[str, Any]) -> None:
        """Side by side where the front end can, and the first one into the next input."""
        self.last = {**answer, "candidates": [] if answer["abstained"] else answer["candidates"]}
        self.shell.display_pub.publish(data={"text/plain": as_text(self.last), "text/html": as_html(self.last)})
        if self.last["candidates"]:
            self.put(self.last["candidates"][0])

    def put(self, one: dict[str, Any]) -> None:
        text = with_imports(one)
        if visible(text) != text:
            raise UserError("the cell holds characters that would not be seen", "take another with %sayso pick")
        self.shell.set_next_input(text)

    def mine(self) -> dict[str, object]:
        """The user's names: not those that IPython put there, nor those that hide."""
        hidden: Collection[str] = self.shell.user_ns_hidden
        return {
            name: value
            for name, value in list(self.shell.user_ns.items())
            if not name.startswith("_") and not (name in hidden and self.shell.user_ns_hidden[name] is value)
        }

    def names(self) -> Piece | None:
        from sayso.targets.notebook.hand import namespace_piece

        return namespace_piece(self.mine())

    def live(self) -> tuple[Piece, ...]:
        found = self.names()
        return (found,) if found else ()

    def inputs(self) -> list[tuple[int, str]]:
        """Cells that ran in this session, as they were typed, before the one that asks."""
        raw: Sequence[str] = self.shell.history_manager.input_hist_raw
        found = [(count, text) for count, text in enumerate(raw) if count > 0]
        return found[:-1] if found and ASKED.search(found[-1][1]) else found

    def above(self) -> tuple[Piece, ...]:
        ran = [text for count, text in self.inputs() if count not in self.failures]
        return tuple(as_pieces(ran))[-MOST_CELLS:]


def as_pieces(inputs: Sequence[str]) -> Iterator[Piece]:
    """Inputs as cells of a notebook: of one that ran twice the last, and what was asked as the text above."""
    last = {text.strip(): place for place, text in enumerate(inputs)}
    for place, text in enumerate(inputs):
        if last[text.strip()] != place:
            continue
        if asked := request_in(text):
            yield Piece("text", asked)
        code = "" if text.lstrip().startswith("%%sayso") else OURS.sub("", text).strip("\n")
        if code.strip():
            yield Piece("code", code)


def first_line(text: str) -> str:
    line = next((one for one in text.splitlines() if one.strip()), "")
    return line if len(line) <= 60 else f"{line[:60]}…"


def request_in(text: str) -> str:
    """What a cell asked of us; "" where it asked nothing, or gave an order."""
    found = ASKED.search(text)
    if found is None:
        return ""
    words = f"{found[2]}\n{text[found.end() :]}" if found[1] == "%%" else found[2]
    return "" if ORDERS.fullmatch(words.strip()) else words.strip()
