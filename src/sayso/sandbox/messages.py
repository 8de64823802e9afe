"""What a sandbox asks its launcher and what comes back, as bytes on a socket.

Both ends are the same interpreter running this file, so marshal fits: it carries bytes and odd names as they are.
"""

from __future__ import annotations

import marshal
import socket
import struct
from dataclasses import astuple, dataclass, fields
from typing import Literal

from sayso.core.errors import RunFailed, SandboxFailed, SaysoError
from sayso.core.types import Change, FileSpec, Limits, Outcome

_LENGTH = struct.Struct("=Q")


@dataclass(frozen=True)
class Ask:
    """One run. `keep` is the digest under which to keep what it leaves, empty to keep nothing; with `failed` also where
    the script fails, and without the paths in `leave_out`. With `live`, what it prints is told as it comes."""

    script: bytes
    files: tuple[FileSpec, ...]
    limits: Limits
    layers: tuple[str, ...]
    keep: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    live: bool = False
    failed: bool = False
    leave_out: tuple[str, ...] = ()


def encode_ask(ask: Ask) -> bytes:
    return marshal.dumps(astuple(ask))


def decode_ask(message: bytes) -> Ask:
    script, files, limits, *rest = marshal.loads(message)
    return Ask(script, tuple(FileSpec(*file) for file in files), Limits(*limits), *rest)


def encode_output(stream: str, piece: bytes) -> bytes:
    """A whole message, since it is sent piece by piece as the other end takes it."""
    message = marshal.dumps(("output", stream, piece))
    return _LENGTH.pack(len(message)) + message


def decode_output(message: bytes) -> tuple[Literal["stdout", "stderr"], bytes] | None:
    """The stream and the piece; None where the message is the answer."""
    kind, *rest = marshal.loads(message)
    return (rest[0], rest[1]) if kind == "output" else None


def encode_outcome(outcome: Outcome) -> bytes:
    return marshal.dumps(("outcome", astuple(outcome)))


def encode_error(error: SaysoError) -> bytes:
    kind = "sandbox" if isinstance(error, SandboxFailed) else "run"
    return marshal.dumps((kind, error.message, error.hint, getattr(error, "reason", "")))


def decode_answer(message: bytes) -> Outcome:
    """The outcome, or the error that the launcher met."""
    kind, *rest = marshal.loads(message)
    if kind == "sandbox":
        raise SandboxFailed(rest[0], rest[1], reason=rest[2])
    if kind == "run":
        raise RunFailed(rest[0], rest[1])
    values = dict(zip((field.name for field in fields(Outcome)), rest[0], strict=True))
    values["changes"] = tuple(
        Change(path, how, before and FileSpec(*before), after and FileSpec(*after))
        for path, how, before, after in values["changes"]
    )
    return Outcome(**values)


def send(to: socket.socket, message: bytes) -> None:
    to.sendall(_LENGTH.pack(len(message)) + message)


def receive(source: socket.socket) -> bytes:
    """One whole message; raises EOFError where the other end is gone."""
    return _exactly(source, _LENGTH.unpack(_exactly(source, _LENGTH.size))[0])


def _exactly(source: socket.socket, length: int) -> bytes:
    text = bytearray()
    while len(text) < length:
        piece = source.recv(min(length - len(text), 1 << 20))
        if not piece:
            raise EOFError("the other end of the socket is gone")
        text += piece
    return bytes(text)
