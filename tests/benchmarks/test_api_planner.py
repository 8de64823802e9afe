"""The planner's table in the guide is what the command counts."""

from __future__ import annotations

from pathlib import Path

from benchmarks.api_planner import counted, main

from sayso.targets.api.syntax.schema import DOMAINS

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "api.md"


def test_the_guide_has_the_counts_of_the_release(corpora: Path) -> None:
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in GUIDE.read_text().splitlines()]
    table = {row[0]: row[1:] for row in rows if len(row) == 4}
    for domain, calls, rewritten in zip(DOMAINS, table["calls"], table["rewritten"], strict=True):
        found = counted(corpora, domain)
        assert f"{found['calls']:,}" == calls and f"{found['rewritten'] / found['calls']:.1%}" == rewritten.replace(
            " ", ""
        )


def test_without_a_corpus_it_is_one_line(tmp_path: Path) -> None:
    assert main(["--data", str(tmp_path)]) == 2
