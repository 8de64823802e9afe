"""JSON as the standard has it, numbers that are numbers, and files that are plain and end."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.core.given import finite, open_plain, parse_json, read_plain

numbers = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(values)
def test_what_json_can_say_is_read_as_python_reads_it(value: Any) -> None:
    assert parse_json(json.dumps(value)) == parse_json(json.dumps(value), unique=True) == value


@pytest.mark.parametrize(
    "text",
    ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "-1e999", "9" * 20, "[" * 100_000, '{"a": ' * 100_000, "{", ""],
)
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_json(text)
    assert len(str(caught.value)) < 200


def test_a_key_that_stands_twice_is_refused_where_that_matters() -> None:
    assert parse_json('{"a": 1, "a": 2}') == {"a": 2}
    with pytest.raises(ValueError, match='"a" stands twice'):
        parse_json('[{"a": 1, "a": 2}]', unique=True)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "x", ""])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        finite(text)


def test_pipes_folders_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name, kind in (("pipe", "a pipe"), (".", "a folder"), ("null", "a device")):
        with pytest.raises(OSError, match=f"it is {kind}, not a plain file"):
            open_plain(tmp_path / name)


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_plain(tmp_path / "a", 5) == b"12345"
    with pytest.raises(BadFile, match="more than 4 bytes"):
        read_plain(tmp_path / "a", 4)
