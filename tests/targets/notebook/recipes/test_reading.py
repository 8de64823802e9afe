"""Which words of a request speak of which column."""

from __future__ import annotations

import pytest

from sayso.targets.notebook.recipes.known import Known
from sayso.targets.notebook.recipes.reading import STRONG, mentions, tokens_of

KNOWN = Known(
    {"sales": {"unit_price": "number", "qty": "number", "Order Date": "date", "region": "text"}}, {"rates": "dict"}
)


@pytest.mark.parametrize(
    ("request_text", "name", "words"),
    [
        ("mean unit price", "unit_price", (1, 2)),
        ("unit_prices per region", "region", (2, 2)),
        ("total for all regions", "region", (3, 3)),
        ("newest order date", "Order Date", (1, 2)),
        ("plot the sales", "sales", (2, 2)),
        ("apply rates", "rates", (1, 1)),
    ],
)
def test_a_name_is_found_by_its_words(request_text: str, name: str, words: tuple[int, int]) -> None:
    found = [one for one in mentions(tokens_of(request_text), KNOWN) if one.name == name]
    assert [(one.first, one.last) for one in found] == [words] and found[0].sure == 1.0


@pytest.mark.parametrize(("said", "name"), [("quantity", "qty"), ("price", "unit_price"), ("reg", "region")])
def test_part_of_a_name_or_a_short_form_is_less_sure(said: str, name: str) -> None:
    found = [one for one in mentions(tokens_of(f"mean {said} overall"), KNOWN) if one.name == name]
    assert len(found) == 1 and 0.4 < found[0].sure < STRONG + 0.01


def test_nothing_speaks_of_a_column_by_chance() -> None:
    assert mentions(tokens_of("how many rows are there"), KNOWN) == []


def test_numbers_quotes_and_files_are_no_words() -> None:
    kinds = [(one.kind, one.value) for one in tokens_of('save 25% of "Bad Ems" and three more to out.csv')]
    assert ("number", "25") in kinds and ("text", "Bad Ems") in kinds
    assert ("number", "3") in kinds and ("file", "out.csv") in kinds
