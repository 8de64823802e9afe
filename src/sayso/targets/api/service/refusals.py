"""What a request is refused for: a status, a code and one line, as Graph writes its errors."""

from __future__ import annotations


class Refused(Exception):
    """A request that is not answered with rows, and why."""

    def __init__(self, message: str, code: str = "BadRequest", status: int = 400) -> None:
        super().__init__(message)
        self.message = message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"
        self.code = code
        self.status = status


LONGEST = 300


def shown(text: str) -> str:
    """What somebody sent, short and on one line."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
