"""Lines in from a file or standard input, bytes out to a file, whole or not at all, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.files import cannot_write, write_atomically

Write = Callable[[bytes], object]


def is_stream(name: str) -> bool:
    """Whether it is read or written as it comes, and only once: `-`, a pipe, a device, `<(a command)`."""
    path = Path(name)
    return name == "-" or (path.exists() and not path.is_file() and not path.is_dir())


def input_lines(name: str) -> Iterator[tuple[str, bytes]]:
    """(place, line) for each line that is not blank; `-` is standard input."""
    from sayso.runs.lines import LONGEST_LINE, read_lines

    if name != "-":
        yield from ((f"{name}:{number}", line) for number, line in read_lines(Path(name)))
        return
    number = 0
    # Line by line, for whoever waits at the other end for the answer to one; without an end to how many.
    while line := sys.stdin.buffer.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise BadFile(
                f"standard input:{number}: a line of more than {LONGEST_LINE:,} bytes, the most that is read",
                "end each object with a line feed",
            )
        if line.strip():
            yield f"standard input:{number}", line.rstrip(b"\r\n")


@contextmanager
def open_output(name: str) -> Iterator[Write]:
    """A function that writes bytes; a name that ends in .zst is packed, a pipe or device is written as it comes."""
    path = Path(name)
    if name == "-":

        def write(data: bytes) -> None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

        sys.stdout.flush()
        yield write
    elif is_stream(name):
        try:
            with path.open("wb") as device:
                yield device.write
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(path, error) from error
    else:
        from sayso.runs.lines import packed

        with write_atomically(path) as file:
            write_packed, finish = packed(path, file)
            yield write_packed
            finish()
