"""A request as words, said in the words that the parsers know; deeds and wishes that no call can serve."""

from __future__ import annotations

from sayso.targets.api.request.deeds import Deed, find_deed
from sayso.targets.api.request.rewording import named_domains, reword

__all__ = ["Deed", "find_deed", "named_domains", "reword"]
