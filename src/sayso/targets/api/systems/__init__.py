"""The order-free parser of calls (spans to copy, one choice a slot; numpy alone), the induced grammar, what ships."""

from __future__ import annotations

from sayso.targets.api.systems.asking import Asked, ask
from sayso.targets.api.systems.shipped import domain_parser

__all__ = ["Asked", "ask", "domain_parser"]
