"""Every error that sayso raises on purpose, and the exit code each one earns.

SaysoError
├── UserError (2)              what the user gave cannot be used
│   ├── BadRequest             an empty, binary or oversized request
│   ├── BadInstruction         a command, call, cell or script that does not parse; points at a character
│   ├── BadFile                a settings, prediction, verdict or corpus file that cannot be read as what it should be
│   │   └── BadBundle          a trained model folder that is incomplete, altered or of another version
│   ├── UnknownName            no such target, task, system, corpus …; answers with near misses
│   └── MissingData            a corpus that is not on this machine
├── RunFailed (1)              a run that started and could not be finished
└── MachineError (3)           this machine lacks something or broke
    ├── MissingPart            an optional package or program is not installed
    ├── DaemonFailed           the background process cannot be started or does not answer
    └── SandboxFailed          no sandbox, or it broke; never a verdict on the command inside
"""

from __future__ import annotations

from collections.abc import Iterable


class SaysoError(Exception):
    """One line that says what failed on which item, and a hint that says what to type next."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def told(self) -> str:
        """As a `python -m` command says it, the hint on a line of its own."""
        return f"sayso: {self.message}\nhint: {self.hint}" if self.hint else f"sayso: {self.message}"


class UserError(SaysoError):
    exit_code = 2


class BadRequest(UserError):
    pass


class BadInstruction(UserError):
    """`offset` is the character at which reading stopped, -1 where there is no such place."""

    def __init__(self, message: str, text: str = "", offset: int = -1, hint: str = "") -> None:
        super().__init__(message, hint)
        self.text = text
        self.offset = offset


class BadFile(UserError):
    pass


class BadBundle(BadFile):
    pass


class UnknownName(UserError):
    """unknown task "bsh/command" → did you mean bash/command? Known: …"""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        from difflib import get_close_matches  # a millisecond that an answer without a mistake need not pay

        names = sorted(known)
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        guess = f"did you mean {' or '.join(near)}? " if near else ""
        super().__init__(f'unknown {kind} "{name}"', f"{guess}known: {', '.join(names) if names else 'none'}")
        self.near = tuple(near)


class MissingData(UserError):
    pass


class RunFailed(SaysoError):
    exit_code = 1


class MachineError(SaysoError):
    exit_code = 3


class MissingPart(MachineError):
    pass


class DaemonFailed(MachineError):
    pass


class SandboxFailed(MachineError):
    """`reason` is a short fixed phrase under which an unscored example is counted."""

    def __init__(self, message: str, hint: str = "", reason: str = "sandbox failed") -> None:
        super().__init__(message, hint)
        self.reason = reason
