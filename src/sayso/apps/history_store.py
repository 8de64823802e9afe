"""Commands that the user took, kept on this machine only and only once they said so (`sayso history on`).

One JSON object a line in the state folder, readable by its owner only, written whole or not at all. A request that was
answered before is answered from here first. Nothing leaves the machine.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from sayso.answer.weigh import is_refused
from sayso.apps import settings
from sayso.core.errors import BadFile
from sayso.core.files import cannot_write, write_atomically
from sayso.core.given import parse_json, read_plain
from sayso.core.types import Asked, Candidate, Target
from sayso.english.constants import word_set

MOST_KEPT = 5_000
"""Entries; the oldest make room."""
LARGEST = 64 << 20
"""Bytes of the whole history."""
LONGEST = 5_000
NEAR = 0.75
"""How much of their words (Dice, stems) two requests share that may be answered alike; they differ in SLIGHT ones."""
# Stems by which two requests may differ and still ask for the same: "not", "older", "count" and all others do not.
SLIGHT = word_set(
    "a all an are at current display do every find for get give here in is it list of on out print see show tell that "
    "to what which with"
)
# What looks like a secret is never kept, whatever the user does with the command.
NAMED = r"(?:pass(?:word|wd|phrase)?|secret|token|(?:api|access|private|auth)[_-]?key|authorization|_pwd)"
SECRET = re.compile(
    rf"(?i){NAMED}[\w-]*['\"]?\s*[=:]\s*\S|--{NAMED}[\w-]*\s+\S|://[^/\s:]+:[^@\s]+@"
    # curl -u name:secret; sshpass -p secret, mysql -psecret; keys as well-known services write them
    r"|\s(?:-u|--user)[ =]?[^\s:]+:(?!\d+\b)\S|\bsshpass\s.*-p|\bmysql\w*\s(?:.*\s)?-p[^\s-]"
    r"|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|AKIA)\w{12}|-----BEGIN "
)
MARKED = "from your history"


@dataclass(frozen=True)
class Entry:
    """`proposed` is what had been suggested, where the user changed it; `how` is run, copied or kept; `target` is the
    language of the command."""

    id: str
    when: str
    request: str
    command: str
    proposed: str = ""
    how: str = "kept"
    target: str = "bash"


def history_file() -> Path:
    return Path(settings.user_folder("state")) / "history.jsonl"


def switch_file() -> Path:
    return Path(settings.user_folder("state")) / "history.on"


def is_on() -> bool:
    """Where the folder may not be read, nobody turned it on there."""
    return os.path.exists(switch_file())  # noqa: PTH110, Path.exists raises where a folder is closed


def turn(on: bool) -> None:
    """Off keeps what is there, but neither adds to it nor answers from it."""
    if on:
        with write_atomically(switch_file(), 0o600) as file:
            file.write(b"commands that you take are kept in history.jsonl; `sayso history off` ends it\n")
    else:
        switch_file().unlink(missing_ok=True)


def entries() -> list[Entry]:
    """Oldest first; a line that cannot be read names its place."""
    path = history_file()
    try:
        lines = read_plain(path, LARGEST).decode().split("\n")  # U+2028 may stand inside a request
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}", "`sayso history delete --all` begins anew") from error
    return [_entry(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line]


def _entry(line: str, place: str) -> Entry:
    try:
        row = parse_json(line)
        return Entry(**{name: str(value) for name, value in row.items() if name in Entry.__dataclass_fields__})
    except (ValueError, TypeError, AttributeError) as error:
        raise BadFile(
            f"{place} is no entry of the history", "remove that line, or `sayso history delete --all`"
        ) from error


def record(request: str, command: str, proposed: str = "", how: str = "kept", target: str = "bash") -> Entry | None:
    """Keep a command that was taken; None where history is off, or where it seems to hold a secret."""
    if not is_on() or not request.strip() or not command.strip() or len(request) + len(command) > LONGEST:
        return None
    if SECRET.search(command) or SECRET.search(request):
        return None
    edited = proposed if proposed != command else ""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    new = Entry(secrets.token_hex(4), now, request, command, edited, how, target)
    with locked():
        same = request, command, target
        others = [one for one in entries() if (one.request, one.command, one.target) != same]
        write([*others, new][-MOST_KEPT:])
    return new


def delete(chosen: str = "") -> int:
    """How many were deleted: the one whose id begins so, or all."""
    if not chosen and not history_file().exists():
        return 0
    with locked():
        before = entries() if chosen else []
        left = [one for one in before if not one.id.startswith(chosen)]
        if not chosen:
            count = sum(1 for line in read_plain(history_file(), LARGEST).splitlines() if line)
            history_file().unlink(missing_ok=True)
            return count
        if len(left) != len(before):
            write(left)
        return len(before) - len(left)


def write(found: list[Entry]) -> None:
    with write_atomically(history_file(), 0o600) as file:
        file.writelines(as_line(one) for one in found)


def as_line(entry: Entry) -> bytes:
    return json.dumps(asdict(entry), ensure_ascii=False).encode() + b"\n"


@contextmanager
def locked() -> Iterator[None]:
    """Two terminals at once lose nothing."""
    path = history_file().with_suffix(".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def recalled(request: str, target: str = "bash") -> list[tuple[Entry, float]]:
    """Entries of the same request (1.0) or of one nearly the same with the same constants, best and newest first."""
    if not is_on():
        return []
    try:
        status = history_file().stat()
        read = _read_once(status.st_mtime_ns, status.st_size, status.st_ino)
    except (BadFile, OSError):  # `sayso history list` says so; a request is answered all the same
        return []
    known = [one for one in read if one.target == target]
    wanted, rough = _key(request), _rough(request)
    # Stems are worth looking for only where the words begin alike: thousands of them would take a second.
    near = [one for one in reversed(known) if 3 * len(rough & (other := _rough(one.request))) >= len(rough | other)]
    found = [(entry, likeness) for entry in near if (likeness := _alike(wanted, _key(entry.request)))]
    return sorted(found, key=lambda one: -one[1])


@lru_cache(maxsize=1)
def _read_once(changed: int, size: int, number: int) -> list[Entry]:
    """The entries of the file as it is; the background process reads it again once it has changed."""
    return entries()


def _rough(request: str) -> frozenset[str]:
    return frozenset(word[:3] for word in request.lower().split())


Key = tuple[frozenset[str], tuple[str, ...]]


@lru_cache(maxsize=2 * MOST_KEPT)
def _key(request: str) -> Key:
    """Stems of the words that carry the meaning, and the constants as they were written."""
    from sayso.english.stems import normalised_tokens
    from sayso.english.tokens import CONSTANT_KINDS, tokenise

    constants = tuple(token.value for token in tokenise(request) if token.kind in CONSTANT_KINDS)
    return frozenset(normalised_tokens(request)), constants


def _alike(wanted: Key, known: Key) -> float:
    """1.0 for the same, less for nearly the same, 0.0 where another command may be wanted."""
    if wanted == known:
        return 1.0
    if wanted[1] != known[1] or not wanted[0] or not known[0] or not (wanted[0] ^ known[0]) <= SLIGHT:
        return 0.0
    share = 2 * len(wanted[0] & known[0]) / (len(wanted[0]) + len(known[0]))
    return min(share, 0.99) if share >= NEAR else 0.0


def own_commands(target: Target, asked: Asked) -> list[Candidate]:
    """What the user took for this request, or for one nearly the same: a source of answers."""
    found: dict[str, Candidate] = {}
    for entry, likeness in recalled(asked.request.text, target.name):
        # A command that the user wrote for this very request is theirs, however it takes the request over.
        theirs = likeness == 1 and entry.proposed
        if not theirs and any(map(is_refused, target.bars(asked, target.draft([entry.command])))):
            continue
        why = MARKED if likeness == 1 else f'{MARKED}: "{entry.request}"'
        found.setdefault(entry.command, Candidate(entry.command, likeness, (why,)))
    return list(found.values())
