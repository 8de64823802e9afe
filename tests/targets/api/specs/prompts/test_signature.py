"""An operation as the trunk reads it, and its values as the trunk says them: one line, and back to the same values."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from sayso.targets.api.specs.model import Operation, Slot
from sayso.targets.api.specs.prompts.answers import NO_VALUES, NOT_ASKED, answer_of, read_answer
from sayso.targets.api.specs.prompts.signature import MOST, labelled, signature_of

TEXT = some.text(max_size=12)
WHOLES = some.integers(-(10**14), 10**14)
REALS = some.floats(allow_nan=False, allow_infinity=False, min_value=-1e14, max_value=1e14)
VALUES = {"string": TEXT, "integer": WHOLES, "number": WHOLES | REALS, "boolean": some.booleans()}
NAMES = some.text(some.characters(codec="utf-8"), max_size=6)


@some.composite
def called(draw: some.DrawFn) -> tuple[Operation, dict[str, Any]]:
    slots, values = [], {}
    for name in draw(some.lists(NAMES, max_size=5, unique=True)):
        kind, many, inside = draw(some.sampled_from(sorted(VALUES))), draw(some.booleans()), draw(some.booleans())
        path = f"body.{name}" if inside else name
        slots.append(Slot(path, name, "body" if inside else "query", kind, many))
        if draw(some.booleans()):
            values[path] = draw(some.lists(VALUES[kind], max_size=3) if many else VALUES[kind])
    return Operation("op", "get", "/", slots=tuple(slots)), values


@given(called())
def test_values_come_back(made: tuple[Operation, dict[str, Any]]) -> None:
    operation, values = made
    known = {one.slot.path for one in labelled(operation)}
    values = {path: value for path, value in values.items() if path in known}
    line = answer_of(operation, values)
    assert "\n" not in line or "\n" in str(values)
    assert read_answer(operation, line) == values
    assert len({one.label for one in labelled(operation)}) == len(known)


@given(called(), some.text(max_size=40))
def test_any_line_is_read_or_refused(made: tuple[Operation, dict[str, Any]], line: str) -> None:
    operation, _ = made
    found = read_answer(operation, line)
    assert found is None or set(found) <= {slot.path for slot in operation.slots}


def stock(*more: Slot) -> Operation:
    slots = (
        Slot("sku", "sku", "path", required=True, text="Stock keeping unit. Ask in the office"),
        Slot("body.quantity", "quantity", "body", "integer", required=True),
        Slot("body.tags", "tags", "body", many=True),
        Slot("body.cause", "cause", "body", enum=("count", "theft"), default="count"),
        Slot("body.until", "until", "body", format="date"),
    )
    return Operation("receiveGoods", "post", "/goods", "Book goods that arrived", slots=(*slots, *more))


def test_signature_says_what_an_operation_takes() -> None:
    assert signature_of(stock()).splitlines() == [
        "receiveGoods: Book goods that arrived",
        "sku!: Stock keeping unit",
        "quantity! int",
        "tags []",
        "cause count|theft = count",
        "until date",
    ]


def test_a_signature_that_is_too_long_keeps_what_is_needed_and_what_the_request_names() -> None:
    more = [Slot(f"body.field{at}", f"field{at}", "body", text="nothing that matters " * 4) for at in range(60)]
    more.append(Slot("body.colour", "colour", "body", text="of the box"))
    many = Slot("body.town", "town", "body", required=True, enum=tuple(f"town {at}" for at in range(300)))
    found = signature_of(stock(*more, many), "a dozen in the colour red from town 207")
    assert len(found) <= MOST
    assert "sku!" in found and "quantity! int" in found and "colour" in found
    assert "town 207" in found and "town 206" not in found
    assert "field59" not in found


def test_lines_that_nothing_writes_are_refused() -> None:
    operation = stock()
    assert read_answer(operation, "sku=AC-5; quantity=12") == {"sku": "AC-5", "body.quantity": 12}
    assert read_answer(operation, 'sku="a; quantity=9"; tags=[new, "a, b"]') == {
        "sku": "a; quantity=9",
        "body.tags": ["new", "a, b"],
    }
    assert read_answer(operation, NO_VALUES) == {}
    for line in (
        *(NOT_ASKED, "", "sku", "sku=", "sku=1;quantity=2", "quantity=many", "quantity=1; quantity=2", "price=3"),
        *("tags=new", "tags=[new", "tags=[new,]", 'sku="', "sku=a; ", "quantity=1e9", "sku=a quantity=2;"),
    ):
        assert read_answer(operation, line) is None, line
