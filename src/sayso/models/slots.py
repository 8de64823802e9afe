"""A set of clauses as ids: one label a slot in a fixed order, and two source places where it takes a value.

Order-free by construction: two ways of listing the same clauses are the same ids. Plain Python, no torch.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """Something that may be said at most once: a resource, a filter on one property, an order, a count."""

    name: str
    labels: tuple[int, ...]
    """The output ids that this slot chooses from; "absent" is one of them where the slot may be left out."""
    spans: tuple[int, ...] = ()
    """Those labels that come with a value copied from the source."""
