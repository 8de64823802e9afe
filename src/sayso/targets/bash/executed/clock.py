"""The clock of a judged run: whenever it starts, it is noon of one Monday, and files are as old as the fixture says.

No program can be given another clock, but every program asks the time zone for the date. So files are moved to where
the real clock stands, the zone leads back to that Monday, and seconds since 1970 are led back after the run.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace

from sayso.core.types import Change, FileSpec, Outcome
from sayso.targets.bash.executed.facts import NOON as NOON
from sayso.targets.bash.executed.fixture import Fixture

ZONE = "/opt/.zone"
LONGEST_RUN = 300
"""Seconds that a run may take and still count as that noon."""
OLDEST = 800 * 86400
EPOCH = re.compile(rb"(?<![\d.])1\d{9}(?:\.\d+)?(?![\d])")
WALL = re.compile(rb"\b12:0[0-4](:\d\d(?:[.,]\d+)?)?(?!\d)")


@dataclass(frozen=True)
class Clock:
    """A run that starts at `start`, in seconds since 1970."""

    start: int

    @property
    def shift(self) -> int:
        return self.start - NOON

    def moved(self, fixture: Fixture) -> Fixture:
        """The fixture as it has to be put in now, with its zone."""
        files = {path: replace(spec, mtime=spec.mtime + self.shift) for path, spec in fixture.files.items()}
        files[ZONE] = FileSpec(ZONE, zone(-self.shift), mtime=float(self.start))
        accessed = {path: time + self.shift for path, time in fixture.accessed.items()}
        return replace(fixture, files=files, accessed=accessed)

    def settled(self, outcome: Outcome) -> Outcome:
        """What a run showed, as if it had started at noon."""
        changes = tuple(
            Change(change.path, change.how, self._spec(change.before), self._spec(change.after))
            for change in outcome.changes
        )
        return replace(outcome, stdout=self.text(outcome.stdout), stderr=self.text(outcome.stderr), changes=changes)

    def text(self, printed: bytes) -> bytes:
        printed = EPOCH.sub(self._epoch, printed.replace(offset(-self.shift), b"+0000"))
        return WALL.sub(lambda match: b"12:00:00" if match[1] else b"12:00", printed)

    def _epoch(self, match: re.Match[bytes]) -> bytes:
        seconds = int(match[0].split(b".")[0])
        return b"%d" % self.time(seconds) if -OLDEST < seconds - self.start <= LONGEST_RUN else match[0]

    def time(self, seconds: float) -> int:
        """The time on the judge's clock; what happens during the run happens at noon."""
        since = int(seconds) - self.start
        return NOON if 0 <= since <= LONGEST_RUN else NOON + since

    def _spec(self, spec: FileSpec | None) -> FileSpec | None:
        if spec is None:
            return None
        is_text = spec.kind == "file" and spec.size < 0 and b"\0" not in spec.content
        content = self.text(spec.content) if is_text else spec.content
        return replace(spec, mtime=float(self.time(spec.mtime)), content=content)


def zone(east: int) -> bytes:
    """A time zone file (RFC 8536) so many seconds east of Greenwich, a few years if need be."""
    block = b"TZif2" + b"\0" * 15 + struct.pack(">6l", 0, 0, 0, 0, 1, 5) + struct.pack(">lBB", east, 0, 0) + b"NOON\0"
    return block + block + b"\n\n"


def offset(east: int) -> bytes:
    """How programs print that zone: 3720 -> +0102"""
    minutes = abs(east) // 60
    return b"%s%02d%02d" % (b"-" if east < 0 else b"+", minutes // 60, minutes % 60)
