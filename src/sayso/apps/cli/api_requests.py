"""A call as requests that run: against which clock, in which zone, and how each is shown. Nothing is ever sent."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

    from sayso.targets.api.requests import Clock

SHAPES = ("curl", "url", "httpie", "python", "json", "call")
"""What `--as` takes: the first is the default, and the last is the call in its own notation."""
LOCAL = Path("/etc/localtime")


def clock_of(now: str, zone: str) -> Clock:
    """The clock that words of time are told by: this machine's, or what --now and --tz say."""
    from sayso.targets.api.requests import Clock

    there = zone_of(zone)
    if not now:
        return Clock(datetime.now(UTC), there)
    try:
        at = datetime.fromisoformat(now)
    except ValueError as error:
        raise UserError(
            f"--now {now!r} is no time", "write it as 2024-05-03T10:00 or 2024-05-03T10:00+02:00"
        ) from error
    if at.tzinfo and not zone:
        there = at.tzinfo
    return Clock(at if at.tzinfo else at.replace(tzinfo=there), there)


def zone_of(name: str) -> tzinfo:
    """A zone by name, or this machine's."""
    from zoneinfo import ZoneInfo

    wanted = name or os.environ.get("TZ", "").removeprefix(":")
    try:
        if wanted:
            return ZoneInfo(wanted)
        with LOCAL.open("rb") as file:
            return ZoneInfo.from_file(file, key="local time")
    except (OSError, ValueError, KeyError) as error:
        if name:
            raise UserError(f"--tz {name!r} is no time zone", "name one as Europe/Berlin or UTC") from error
    return UTC


def requests_of(call: str, clock: Clock) -> dict[str, object]:
    """The call in every shape, or under `said` why there is none."""
    from sayso.targets.api.requests import every_shape

    return every_shape(call, clock)
