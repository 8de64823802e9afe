"""What a path names is a whole word of the request: a record that is deleted is never told by a part of one."""

from __future__ import annotations

import pytest
from tests.targets.api.specs.shop import api_at, written

from sayso.targets.api.specs.reader import Reader, reader_of
from sayso.targets.api.specs.said.whole import bare, is_torn

GLUED = [
    "a&b=c", "x=1&y=2", "../../admin?x=1", "..%2f..%2fetc", "a|b|c", "$(id)", "${HOME}", "<script>alert(1)</script>",
    "a;b;c", "'or'1'='1", "O'Neill&Sons", "C#-17", "a*b", "~root", "foo{bar}", "a,b,c", "back\\slash", "key=value",
    "a+b", "q?r", "%00",
]  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    own = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    paths = {
        "/animals/{id}": {
            "get": {"operationId": "getAnimal", "summary": "Get one animal", "parameters": [own]},
            "delete": {"operationId": "deleteAnimal", "summary": "Delete an animal", "parameters": [own]},
        }
    }
    root = {"openapi": "3.0.3", "info": {"title": "Zoo"}, "paths": paths}
    return reader_of(api_at(written(tmp_path_factory.mktemp("zoo"), root)))


@pytest.mark.parametrize("value", GLUED)
def test_a_part_of_a_word_is_no_record_to_delete(reader: Reader, value: str) -> None:
    """`delete animal a&b=c` deleted c."""
    for request in (f"delete animal {value}", f"delete the animal {value}, please", f'delete animal "{value}"'):
        found = reader.read(request)[0].filled.arguments.get("id")
        assert found in (None, value), request


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("delete animal (a-17).", "a-17"),
        ("delete animal `a-17`", "a-17"),
        ("delete animal id=17", "17"),
        ("delete a-17's record, the animal", "a-17"),
        ("delete animal 17, please", "17"),
    ],
)
def test_what_prose_puts_around_a_value_is_none_of_it(reader: Reader, request_: str, expected: str) -> None:
    assert reader.read(request_)[0].filled.arguments == {"id": expected}


def test_a_stretch_is_torn_where_a_word_goes_on() -> None:
    text = "delete a&b=c now"
    assert is_torn(text, 7, 8) and is_torn(text, 11, 12) and not is_torn(text, 7, 12)
    assert not is_torn("get (x).", 5, 6) and not is_torn("id=7", 3, 4, ("id",)) and is_torn("id=7", 3, 4, ("name",))
    assert bare("(a-17),") == "a-17" and bare("f(x)") == "f(x)" and bare("...") == ""
