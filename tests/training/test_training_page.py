"""docs/concepts/training.md names every setting and command it explains, and stays short."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from sayso.training.settings import Decoding, Encoding, Training

PAGE = (Path(__file__).parents[2] / "docs" / "concepts" / "training.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", [Encoding, Training, Decoding])
def test_every_setting_is_named(part: type) -> None:
    missing = [one.name for one in fields(part) if f"`{one.name}`" not in PAGE]
    assert not missing


@pytest.mark.parametrize("command", ["sayso recipes", "sayso train", "sayso encode", "sayso collect", "sayso.training"])
def test_every_command_is_named(command: str) -> None:
    assert command in PAGE


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 110
