"""Cards of API parsers: figures are those of the ledger, the last of each split, and the bundle still opens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.experiments.api_parser_card import BESIDE, CARD, main, of_task, told, wilson
from sayso.neural.bundle import Bundle, load_bundle, write_bundle


def line(split: str, value: float, partial: bool = False, task: str = "api/length-email") -> str:
    score = {"name": "exact", "value": value, "low": value - 0.02, "high": value + 0.02, "n": 963}
    raw = {"name": "exact_raw", "value": 0.1, "low": 0.1, "high": 0.1, "n": 963}
    row = {"kind": "eval", "task": task, "system": "default", "split": split, "settings": {"partial": partial}}
    return json.dumps({**row, "bundle": "abcdef0123456789", "scores": [score, raw]})


def test_the_last_figures_of_each_split_are_told_with_n_and_interval(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    rows = [line("test", 0.84), line("dev", 0.9), line("test", 0.85), line("test", 0.5, partial=True)]
    ledger.write_text("\n".join([*rows, line("test", 0.3, task="api/length-document")]))
    said = of_task("length-email", ledger)
    assert "- exact match, order-free, case ignored: 85.0 % (83.0–87.0), n 963" in said
    assert "- exact match, order-free, case ignored: 90.0 % (88.0–92.0), n 963" in said
    assert len([one for one in said if one.startswith("- ")]) == 2
    assert any("--split test" in one and "run 2 times" in one and "abcdef01" in one for one in said)


def test_where_all_are_right_the_interval_has_a_width() -> None:
    score = {"name": "exact", "value": 1.0, "low": 1.0, "high": 1.0, "n": 1045}
    assert told(score, "scan-mcd1") == "- exact match: 100.0 % (99.6–100.0), n 1,045"


def test_an_interval_by_hand() -> None:
    # Wilson, 8 of 10: (.8 + .192) / 1.384 = .7167, half 1.96 * sqrt(.016 + .0096) / 1.384 = .2266
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=2e-3)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_figures_of_a_task_stand_beside_its_bundle_and_leave_its_signature(tmp_path: Path) -> None:
    (tmp_path / "ledger.jsonl").write_text(line("test", 0.85) + "\n")
    was = some_bundle(tmp_path / "bundle").signature
    assert main(["length-email", "--bundle", str(tmp_path / "bundle"), "--results", str(tmp_path)]) == 0
    assert load_bundle(tmp_path / "bundle").signature == was
    text = (tmp_path / "bundle" / BESIDE).read_text()
    assert text.startswith("# api-x, measured\n") and "85.0 % (83.0–87.0), n 963" in text
    assert text.endswith("docs/papers/okapi-parser.md.\n")


def test_a_card_is_written_twice_with_one_list_of_figures(tmp_path: Path) -> None:
    some_bundle(tmp_path / "bundle")
    for _ in range(2):
        assert main(["union-email", "--bundle", str(tmp_path / "bundle"), "--also", "more: 1 of 2"]) == 0
    bundle = load_bundle(tmp_path / "bundle")
    text = bundle.read(CARD).decode()
    assert text.startswith("# Kept\n\nBody.\n\n## Measured\n") and text.count("## Measured") == 1
    assert "- more: 1 of 2\n" in text and bundle.read("grammar.json") == b"{}"


def some_bundle(folder: Path) -> Bundle:
    files = {CARD: b"# Kept\n\nBody.\n", "grammar.json": b"{}"}
    return write_bundle(folder, name="api-x", target="api", kind="other", settings={}, files=files, licence="none")
