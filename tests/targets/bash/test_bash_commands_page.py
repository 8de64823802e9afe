"""docs/papers/bash-commands.md says what the code does."""

from __future__ import annotations

from pathlib import Path

from sayso.targets.bash.review.page import examples, page

ROOT = Path(__file__).parents[3]


def test_the_page_is_what_the_code_makes() -> None:
    written = (ROOT / "docs/papers/bash-commands.md").read_text(encoding="utf-8")
    assert written == page(), "stale: run `make docs`"


def test_there_are_enough_examples_and_none_twice() -> None:
    assert len(set(examples())) == len(examples()) >= 60


def test_every_kind_of_command_and_every_risk_is_there() -> None:
    text = page()
    for kind in (
        "(|",
        "(&&",
        "(||",
        "(;",
        "(!",
        "(subshell",
        "(group",
        "(for",
        "(while",
        "(if",
        "(test",
        "(function",
        "<(",
    ):
        assert kind.replace("|", "\\|") in text, kind
    for level in ("reads", "writes", "destroys", "unknown"):
        assert f"| {level}" in text
