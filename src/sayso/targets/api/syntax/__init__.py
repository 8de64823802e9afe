"""A call as clauses, what each domain offers, times, and a call said in stiff English."""

from __future__ import annotations

from sayso.targets.api.syntax.calls import Call, canonical_call, is_typed_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS

__all__ = ["DOMAINS", "Call", "canonical_call", "is_typed_call", "parse_call"]
