"""Table 2 counted: tokens, cells above, and what targets take from them. One pass over the rows of a split."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.targets.notebook.corpus.context_use import Above, defined, use_of
from sayso.targets.notebook.corpus.noise import speaks_of_above
from sayso.targets.notebook.syntax.calls import api_sequence
from sayso.targets.notebook.syntax.tokens import DEDENT, INDENT, LONGEST, NEWLINE, code_tokens

NL_TOKEN = re.compile(r"\w+|[^\w\s]")
LAYOUT = frozenset({NEWLINE, INDENT, DEDENT})


@dataclass
class Counts:
    """Sums over the examples of a split; `words` and `tokens` are the sets that unique ones are counted from."""

    examples: int = 0
    notebooks: int = 0
    repositories: set[str] = field(default_factory=set)
    cells: int = 0
    """Above the target, the request among them."""
    nl_tokens: int = 0
    code_tokens: int = 0
    words: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)
    variables: int = 0
    functions: int = 0
    contextual: int = 0
    several: int = 0
    calls: int = 0
    without_calls: int = 0
    cut: int = 0
    noisy: int = 0

    def count(self, row: Mapping[str, Any]) -> None:
        """One row of a packed split."""
        self.notebooks += 1
        self.repositories.add(row["repository"])
        above, seen = Above(), 0
        for one in sorted(row["examples"], key=lambda one: int(one["above"])):
            for place in range(seen, one["above"]):
                kind, text, _ = row["cells"][place]
                if kind == "code":
                    above.add(place, defined(text))
            seen = one["above"]
            self.count_example(one, row["cells"][seen - 1][1], above, bool(one.get("boilerplate")))

    def count_example(self, one: Mapping[str, Any], request: str, above: Above, given: bool) -> None:
        self.examples += 1
        self.cells += one["above"] + given
        words, tokens = NL_TOKEN.findall(request), code_tokens(one["reference"])
        self.nl_tokens += len(words)
        self.code_tokens += len(tokens)
        self.words.update(words)
        self.tokens.update(token for token in tokens if token not in LAYOUT)
        use = use_of(one["runnable"], request, above)
        self.variables += use.variables
        self.functions += use.functions
        self.contextual += use.contextual
        self.several += use.several
        calls = len(api_sequence(one["reference"]))
        self.calls += calls
        self.without_calls += not calls
        self.cut += one["tokens"] > LONGEST
        self.noisy += speaks_of_above(request, one["reference"])

    def add(self, other: Counts) -> None:
        """Two splits as one."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(self, name, mine | value if isinstance(value, set) else mine + value)

    def facts(self) -> dict[str, float]:
        """Rows of table 2 and what stands beside it; averages and shares in percent, to a tenth."""
        n = max(self.examples, 1)
        return {
            "examples": self.examples,
            "context cells, average": tenth(self.cells / n),
            "NL tokens, average": tenth(self.nl_tokens / n),
            "code tokens, average": tenth(self.code_tokens / n),
            "unique NL tokens": len(self.words),
            "unique code tokens": len(self.tokens),
            "% use variables above": tenth(100 * self.variables / n),
            "% use methods above": tenth(100 * self.functions / n),
            "% contextual": tenth(100 * self.contextual / n),
            "% multi-cell": tenth(100 * self.several / n),
            "API calls of a target, average": tenth(self.calls / n),
            "% without an API call": tenth(100 * self.without_calls / n),
            "% cut at 120 tokens": tenth(100 * self.cut / n),
            "% whose NL speaks of the cell above": tenth(100 * self.noisy / n),
            "notebooks": self.notebooks,
            "repositories": len(self.repositories),
        }


def tenth(value: float) -> float:
    return round(value, 1)


def counted(rows: Iterable[Mapping[str, Any]]) -> Counts:
    counts = Counts()
    for row in rows:
        counts.count(row)
    return counts
