"""`sayso stats packages`, `sayso data show packages` and `sayso data get packages`, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.targets.build.corpus.test_package_stats import write_graph, write_outcomes
from tests.targets.build.corpus.test_stored import row, write

from sayso.apps.cli.data import MOST_SHOWN, shown
from sayso.apps.cli.main import main


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nine packages that need one, which needs eight: a neighbourhood that can be drawn."""
    write(tmp_path, [row("lantern"), row("candle")])
    names = ["lantern", *(f"need-{n}" for n in range(8)), *(f"dependent-{n}" for n in range(9))]
    build = [[1, 2, 3, 4, 5, 6, 7], *([] for _ in range(8)), *([0] for _ in range(9))]
    run = [[7, 8], *([] for _ in range(16)), [0]]
    write_graph(tmp_path, names, build, run)
    write_outcomes(tmp_path, [("candle", "wick", 2)], ["wick"])
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path))
    return tmp_path


def test_stats_print_ours_beside_the_papers(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "packages"]) == 0
    out = capsys.readouterr().out
    assert "section 4" in out and "2,121" in out and "T or V of README-EVAL" in out


def test_stats_are_one_json_object_and_figures(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert main(["stats", "packages", "--json", "--plots", str(tmp_path / "plots")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["corpus"] == "packages" and found["dropped"]["T or V of README-EVAL"] == 1
    assert found["tables"]["section 4"]["leaves"] == {"ours": 9, "ours, build edges": 9, "paper": 1009}
    drawn = {Path(name).name for name in found["files"]}
    assert {"packages.neighbourhood.png", "packages.by-dependents-build-edges.svg"} <= drawn
    picture = (tmp_path / "plots" / "packages.neighbourhood.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000


def test_one_package_at_a_glance(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "show", "packages", "lantern"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert "summary: a lantern" in out and "in the graph: needs 8, is needed by 9" in out
    assert "needs (build and run): need-6" in out
    place = out.index("needed by (build):")
    assert out[place + 1].startswith("    dependent-0, dependent-1, ")
    assert main(["data", "show", "packages", "lantern", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["needs (run)"] == ["need-7"]


def test_a_wrong_name_exits_with_2_and_a_near_miss(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "show", "packages", "lantrn"]) == 2
    assert "did you mean lantern" in capsys.readouterr().err


def test_what_cannot_be_fetched_in_part(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "get", "nl2bash", "some"]) == 2
    assert "cannot be fetched in part" in capsys.readouterr().err
    assert main(["data", "get", "packages", "../x"]) == 2
    assert "cannot be the name of a package" in capsys.readouterr().err


def test_facts_are_shown_on_few_lines() -> None:
    assert shown([]) == ["none"] and shown("a\nb") == ["a", "b"] and shown(3) == ["3"]
    assert shown(["a", "b"]) == ["a, b"] and shown({"x": 1, "y": {"z": "1\n2"}}) == [
        "x: 1",
        "y:",
        "    z:",
        "        1",
        "        2",
    ]
    many = shown([f"name-{n}" for n in range(MOST_SHOWN + 2)])
    assert many[-1].endswith("… and 2 more (--json has all)") and all(len(line) <= 100 for line in many)
    assert shown(["x" * 70, "y"]) == ["x" * 70, "y"]
