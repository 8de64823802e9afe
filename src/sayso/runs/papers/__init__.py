"""Every table and figure of the four papers by name, ours beside theirs (`sayso table`)."""

from __future__ import annotations

from collections.abc import Mapping

from sayso.core.errors import UnknownName
from sayso.runs.papers import juice, nl2bash, okapi, readme_eval
from sayso.runs.papers.items import Desk, Item, Shown, item_json, text_table

PAPERS: Mapping[str, Mapping[str, Item]] = {
    "nl2bash": nl2bash.ITEMS,
    "okapi": okapi.ITEMS,
    "juice": juice.ITEMS,
    "readme-eval": readme_eval.ITEMS,
}


def find_item(paper: str, words: str) -> tuple[str, Item]:
    """ "9" is table 9, "figure 2" and "appendix b" are what they say."""
    if paper not in PAPERS:
        raise UnknownName("paper", paper, PAPERS)
    items = PAPERS[paper]
    wanted = " ".join(words.lower().split())
    wanted = f"table {wanted}" if wanted.isdigit() else wanted
    by_name = {name.lower(): name for name in items}
    if wanted not in by_name:
        raise UnknownName(f"table or figure of {paper}", wanted, items)
    return by_name[wanted], items[by_name[wanted]]


__all__ = ["PAPERS", "Desk", "Item", "Shown", "find_item", "item_json", "text_table"]
