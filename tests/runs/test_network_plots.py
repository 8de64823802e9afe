"""A neighbourhood is drawn the same each time, whole or cut, and also where there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sayso.runs.network_plots import MOST, draw_network, heights

pytest.importorskip("matplotlib")


@dataclass(frozen=True)
class Drawn:
    name: str
    needs: dict[str, str] = field(default_factory=dict)
    needed_by: dict[str, str] = field(default_factory=dict)


def test_names_and_kinds_are_in_the_figure_and_it_is_the_same_again(tmp_path: Path) -> None:
    network = Drawn("lantern", {"glass": "build"}, {f"user-{n}": "run" for n in range(MOST + 3)})
    written = draw_network(network, tmp_path / "one")
    assert [path.name for path in written] == ["one.png", "one.svg"]
    again = draw_network(network, tmp_path / "two")
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in again]
    other = draw_network(Drawn("lantern", {"glass": "run"}, network.needed_by), tmp_path / "three")
    assert other[1].read_bytes() != written[1].read_bytes()


def test_one_without_neighbours(tmp_path: Path) -> None:
    assert all(path.stat().st_size for path in draw_network(Drawn("alone"), tmp_path / "alone"))


def test_names_are_spread_from_top_to_bottom() -> None:
    assert heights([]) == [] and heights(["a"]) == [0.0]
    found = heights(["a", "b", "c"])
    assert found == sorted(found, reverse=True) and found[1] == pytest.approx(0)
