"""How one call is run. There is no service to run it on yet, so this says so and never touches the network."""

from __future__ import annotations

from sayso.core.errors import MissingPart
from sayso.core.types import Outcome, Request, Sandbox


def run(call: str, request: Request, sandbox: Sandbox) -> Outcome:
    """Raises MissingPart."""
    raise MissingPart(
        "an API call cannot be run: this build has no service for it", "`sayso explain` says what it asks"
    )
