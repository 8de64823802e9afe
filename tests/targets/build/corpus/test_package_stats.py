"""Section 4's tables on a corpus made by hand and on the real one; the claim on breaking builds; one package."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.targets.build.corpus.archive import write_source
from tests.targets.build.corpus.test_spec import FIGURE_1
from tests.targets.build.corpus.test_stored import row, write

from sayso.core.errors import BadFile, MissingData, UnknownName
from sayso.core.types import CorpusStats, HasNetworks, Workspace
from sayso.targets.build import offers
from sayso.targets.build.corpus.breaks import Breaks, claim_table, compare, difference, recorded_outcomes
from sayso.targets.build.corpus.graph import Graph
from sayso.targets.build.corpus.neighbours import neighbourhood, readable_neighbourhood
from sayso.targets.build.corpus.stats import PackageStats, corpus_stats, doubling, lines_of

NAMES = ["lantern", "glass", "oil", "wick", "alone"]
BUILD = [[1], [3], [], [], []]  # lantern is built with glass, glass with wick
RUN = [[2, 1], [], [3], [2], []]  # lantern runs with oil and glass; oil and wick need each other


def write_graph(data: Path, names: list[str] = NAMES, build: Any = BUILD, run: Any = RUN) -> None:
    zstandard = pytest.importorskip("zstandard")
    document = {"names": names, "bd": build, "rq": run, "section": ["x"] * len(names)}
    content = zstandard.ZstdCompressor().compress(json.dumps(document).encode())
    (data / "packages" / "graph.json.zst").write_bytes(content)


def write_outcomes(data: Path, rows: Iterable[tuple[str, str, int]], tested: list[str]) -> None:
    (data / "readme_eval").mkdir()
    dependents = [{"name": v, "edges": [t], "results": {"null": {t: {"rc": rc}}}} for v, t, rc in rows]
    parts = {"T": [{"name": name} for name in tested], "V": dependents, "support_T": []}
    (data / "readme_eval" / "eval.json").write_text(json.dumps(parts))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    write(tmp_path, [row("lantern"), row("candle"), row("wick", "wax"), row("tallow", "wax")])
    write_graph(tmp_path)
    write_outcomes(tmp_path, [("lantern", "glass", 2), ("glass", "wick", 0)], ["glass", "wick"])
    return tmp_path


def test_section_4_on_a_small_corpus(small: Path) -> None:
    stats: CorpusStats = offers.count_packages(Workspace(small, small), "paper", lambda *_: None)
    section = stats.tables["section 4"]
    assert section["packages"] == {"ours": 5, "ours, build edges": 5, "paper": 2121}
    assert section["leaves"] == {"ours": 1, "ours, build edges": 1, "paper": 1009}
    assert section["internal"] == {"ours": 3, "ours, build edges": 2, "paper": 664}
    assert section["isolated"]["ours"] == 1 and section["isolated"]["ours, build edges"] == 2
    assert section["needed by a leaf for its build"]["ours"] == 1 and section["such leaves of each"]["ours"] == 1
    assert section["non-blank lines of a build script"]["ours"] == 1
    needed = stats.tables["needed most for the build"]
    assert list(needed)[:2] == ["glass", "wick"] and needed["glass"] == {"dependents": 1, "share of all": 0.2}
    assert stats.tables["edges and cycles"]["largest component"] == {"build": 1, "run": 2, "build and run": 2}


def test_what_is_scored_on_is_dropped_before_anything_is_counted(small: Path) -> None:
    stats = corpus_stats(small)
    # lantern and wick are in README-EVAL, tallow shares the group of wick
    assert stats.dropped == {"T or V of README-EVAL": 2, "in a group with T or V": 1}
    assert stats.tables["records"]["packages"]["all"] == 1 and stats.grounds.keys() == stats.dropped.keys()


def test_without_the_graph_or_readme_eval_the_rest_is_counted(tmp_path: Path) -> None:
    write(tmp_path, [row("lantern")])
    stats = corpus_stats(tmp_path)
    assert stats.tables["records"]["packages"]["all"] == 1 and not stats.dropped
    assert "section 4" not in stats.tables and not stats.figures
    assert isinstance(stats, HasNetworks)


def test_breaks_by_kind_of_edge(small: Path) -> None:
    graph = Graph(NAMES, BUILD, RUN)
    outcomes = recorded_outcomes(small)
    assert outcomes == {("lantern", "glass"): True, ("glass", "wick"): False}
    found = compare({**outcomes, ("lantern", "oil"): False, ("nobody", "oil"): True}, graph)
    assert found["build"] == Breaks(1, 0) and found["build and run"] == Breaks(1, 1)
    assert found["run"] == Breaks(1, 0) and found["not in the graph"] == Breaks(1, 1)
    table = claim_table(outcomes, graph)
    assert table["all"]["edges"] == 2 and table["BuildRequires less Requires"]["share"] == -1
    assert table["needed at run time alone"]["share"] is None


def test_outcomes_that_cannot_be_read(tmp_path: Path) -> None:
    write_outcomes(tmp_path, [], [])
    (tmp_path / "readme_eval" / "eval.json").write_text('{"T": [], "V": [{"name": "x", "edges": 3}]}')
    with pytest.raises(BadFile, match="has no outcomes"):
        recorded_outcomes(tmp_path)


def test_intervals_against_published_values() -> None:
    # Newcombe (1998), case 1 of his table: 56/70 and 48/80; his score interval without correction is (.0524, .3339).
    value, low, high = difference(Breaks(70, 56), Breaks(80, 48)) or (0, 0, 0)
    assert (round(value, 4), round(low, 4), round(high, 4)) == (0.2, 0.0524, 0.3339)
    assert difference(Breaks(0, 0), Breaks(1, 1)) is None and Breaks(0, 0).interval == (0, 1)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_an_interval_holds_its_share(counts: tuple[int, int]) -> None:
    breaks = Breaks(*counts)
    low, high = breaks.interval
    assert breaks.share is not None and 0 <= low <= breaks.share + 1e-9 and breaks.share - 1e-9 <= high <= 1


@settings(max_examples=40)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30))
def test_bins_that_double_hold_everything_once(numbers: list[int]) -> None:
    bins = doubling(numbers)
    assert sum(bins.values()) == len(numbers) and list(bins.values())[-1]
    for name, count in bins.items():
        low, _, high = name.partition("–")
        assert count == sum(int(low) <= number <= int(high or low) for number in numbers)


def test_lines() -> None:
    assert lines_of("make\n\n  \n# words\nmake install\n") == 3


def test_a_neighbourhood_and_a_readable_one() -> None:
    graph = Graph(NAMES, BUILD, RUN)
    found = neighbourhood(graph, "glass")
    assert found.needs == {"wick": "build"} and found.needed_by == {"lantern": "build and run"}
    assert neighbourhood(graph, "nobody").needs == {} and readable_neighbourhood(graph).name == ""
    n = 16
    wide = Graph(
        [f"p{number}" for number in range(n)],
        [[*range(1, 8)], *([] for _ in range(7)), *([0] for _ in range(8))],
        [[6, 7], *([] for _ in range(14)), [0]],
    )
    chosen = readable_neighbourhood(wide)
    assert chosen.name == "p0" and len(chosen.needs) == 7 and len(chosen.needed_by) == 8
    assert readable_neighbourhood(wide, {"p3"}).name == ""


def test_everything_of_one_package(small: Path) -> None:
    record = offers.show_package(small, "lantern")
    assert (
        record["build requires"] == ["glass-dev (>= 2) <!nocheck> | wax"]
        and record["part"] == "README-EVAL: in no part"
    )
    assert record["needs (run)"] == ["oil"] and record["needs (build and run)"] == ["glass"]
    assert record["documents"] == {"README": "9 bytes: Run make."}
    assert record["in the graph"] == "needs 2, is needed by 0" and "needed by (build)" not in record
    json.dumps(record)


def test_a_package_that_only_the_graph_knows(small: Path) -> None:
    record = offers.show_package(small, "oil")
    assert record["record"] and record["needed by (run)"] == ["lantern", "wick"]
    assert offers.show_package(small, "candle")["in the graph"] == "no"


def test_a_wrong_name_is_answered_with_near_misses_alone(small: Path) -> None:
    with pytest.raises(UnknownName) as caught:
        offers.show_package(small, "lantrn")
    assert caught.value.near == ("lantern",) and "oil" not in caught.value.hint
    with pytest.raises(MissingData):
        offers.show_package(small / "nowhere", "lantern")


def test_recipes_on_disk_are_shown(small: Path, tmp_path: Path) -> None:
    spec = tmp_path / "bsf.spec"
    spec.write_text(FIGURE_1)
    assert offers.show_package(small, str(spec))["distribution"] == "rpm"
    (tmp_path / "APKBUILD").write_text("pkgname=wick\npkgver=1\n")
    record = offers.show_package(small, str(tmp_path / "APKBUILD"))
    assert record["distribution"] == "alpine" and record["needed by (build)"] == ["glass"]
    assert offers.show_package(small, str(write_source(tmp_path / "x")))["distribution"] == "debian"
    with pytest.raises(BadFile):
        offers.show_package(small, str(tmp_path / "none.spec"))


@pytest.fixture(scope="module")
def real(corpora: Path) -> PackageStats:
    return corpus_stats(corpora)


def test_the_figures_of_the_real_corpus(real: PackageStats) -> None:
    section = real.tables["section 4"]
    counts = {name: section[name]["ours"] for name in ("packages", "leaves", "internal", "isolated")}
    assert counts == {"packages": 34_289, "leaves": 14_685, "internal": 19_603, "isolated": 1}
    assert real.tables["edges and cycles"]["largest component"]["build and run"] == 5_657
    assert real.dropped["T or V of README-EVAL"] == 26
    assert real.tables["records"]["packages"]["all"] == 1_919 - sum(real.dropped.values())


def test_the_claim_of_the_real_corpus_cannot_be_told_from_chance(real: PackageStats) -> None:
    rows = real.tables["builds that break without what they need"]
    assert rows["all"]["edges"] == 56 and rows["all"]["broke"] == 55
    low, high = rows["BuildRequires less Requires"]["low"], rows["BuildRequires less Requires"]["high"]
    assert low is not None and high is not None and low < 0 < high
