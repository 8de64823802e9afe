"""How a build ended: a few numbers, and what had to be contained, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

NETWORK = "tried the network"
OUTSIDE = "wrote outside its prefix"
REFUSED = "tried to write outside its prefix"
PROCESSES = "left processes behind"
DISK = "filled the disk"
ENDLESS = "never ended"
MEMORY = "ran out of memory"
OUTPUT = "printed too much"


@dataclass(frozen=True)
class Built:
    """`digest` names the job and the base system. `log` is the path of all that the build printed."""

    digest: str
    exit_code: int
    stopped: str = ""
    """The limit that ended it: cpu, wall, memory or output."""
    cpu_seconds: float = 0.0
    """Of the script and all that it started; unpacking is not counted."""
    steps: int = 1
    failed_steps: int = 0
    installed: int = 0
    """Files that it left outside the folder in which it was built."""
    said: tuple[str, ...] = ()
    """What it did that was contained."""
    log: str = ""

    @property
    def succeeded(self) -> bool:
        return self.exit_code == 0 and not self.stopped

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "said": list(self.said)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Built:
        """Raises ValueError, KeyError or TypeError where the record is no outcome of this format."""
        known = {field.name for field in fields(cls)}
        values = {name: record[name] for name in known}
        return cls(**{**values, "said": tuple(values["said"])})
