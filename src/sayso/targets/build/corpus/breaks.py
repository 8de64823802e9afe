"""Section 4's claim, tested: is what is needed for the build alone likelier to break its dependents than the rest?

An edge breaks where the dependent's own build fails once what it needs is built by the null script. The outcomes that
come with README-EVAL are few, and were chosen to be such edges; `compare` takes those of any other builds as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from sayso.core.errors import BadFile
from sayso.core.given import parse_json, read_plain
from sayso.targets.build.corpus.graph import Graph
from sayso.targets.build.corpus.splits import EVALUATION, HINT

BUILD_ONLY, BUILD_AND_RUN, RUN_ONLY, UNKNOWN = "build", "build and run", "run", "not in the graph"
Z = 1.959964

Outcomes = Mapping[tuple[str, str], bool]
"""(dependent, what it needs) -> whether its build failed without it."""


@dataclass(frozen=True)
class Breaks:
    """Edges of one kind, how many of them broke, and the share with Wilson's interval of 95 %."""

    n: int
    broke: int

    @property
    def share(self) -> float | None:
        return self.broke / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Of no edges nothing is known: (0, 1)."""
        if not self.n:
            return 0.0, 1.0
        p, n = self.broke / self.n, self.n
        middle, half = p + Z * Z / (2 * n), Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + Z * Z / n)), min(1.0, (middle + half) / (1 + Z * Z / n))


def recorded_outcomes(data: Path) -> dict[tuple[str, str], bool]:
    """The executed edges of README-EVAL, as they were recorded; a cross-check, and read for this alone."""
    path = data / EVALUATION
    try:
        document = parse_json(read_plain(path))
        tested = {row["name"] for row in document["T"]}
        return {
            (row["name"], needed): row["results"]["null"][needed]["rc"] != 0
            for row in document["V"]
            for needed in row["edges"]
            if needed in tested
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} has no outcomes: {str(error)[:200]}", HINT) from error


def compare(outcomes: Outcomes, graph: Graph) -> dict[str, Breaks]:
    """Outcomes of any builds by how the dependent needs what was taken away from it."""
    kinds = {kind: [0, 0] for kind in (BUILD_ONLY, BUILD_AND_RUN, RUN_ONLY, UNKNOWN)}
    for (source, needed), broke in outcomes.items():
        counts = kinds[graph.kind(source, needed) or UNKNOWN]
        counts[0] += 1
        counts[1] += broke
    return {kind: Breaks(n, broke) for kind, (n, broke) in kinds.items()}


def difference(one: Breaks, other: Breaks) -> tuple[float, float, float] | None:
    """(share of one - share of other, low, high): Newcombe's interval from both of Wilson's; None without edges."""
    if one.share is None or other.share is None:
        return None
    (low, high), (other_low, other_high) = one.interval, other.interval
    found = one.share - other.share
    down = sqrt((one.share - low) ** 2 + (other_high - other.share) ** 2)
    up = sqrt((high - one.share) ** 2 + (other.share - other_low) ** 2)
    return found, found - down, found + up


def together(found: Iterable[Breaks]) -> Breaks:
    rows = list(found)
    return Breaks(sum(one.n for one in rows), sum(one.broke for one in rows))


def claim_table(outcomes: Outcomes, graph: Graph) -> dict[str, dict[str, float | None]]:
    """A row a kind of edge and the difference. The paper's Requires means both times, its BuildRequires build alone."""
    found = compare(outcomes, graph)
    rows: dict[str, dict[str, float | None]] = {}
    named = {
        "needed for the build alone (BuildRequires)": found[BUILD_ONLY],
        "needed for build and run (Requires)": found[BUILD_AND_RUN],
        "needed at run time alone": found[RUN_ONLY],
        "not in the graph": found[UNKNOWN],
        "all": together(found.values()),
    }
    for name, one in named.items():
        low, high = one.interval
        share = one.share if one.share is None else round(one.share, 3)
        rows[name] = {"edges": one.n, "broke": one.broke, "share": share, "low": round(low, 3), "high": round(high, 3)}
    if (between := difference(found[BUILD_ONLY], found[BUILD_AND_RUN])) is not None:
        value, low, high = (round(number, 3) for number in between)
        rows["BuildRequires less Requires"] = {"share": value, "low": low, "high": high}
    return rows
