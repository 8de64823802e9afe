"""A call as clauses, what each domain offers, times, and a call said in stiff English."""

from __future__ import annotations

from sayso.targets.api.syntax.calls import Call, is_typed_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS, domain_of

__all__ = ["DOMAINS", "Call", "domain_of", "is_typed_call", "parse_call"]
