"""What the tables of NL2Bash §3.3–3.4 and appendix A count, over any corpus of pairs.

As in the paper, averages are over pairs: a sentence that stands in two pairs counts twice, and so does a token that a
command has twice. Words are the NL's tokens in lower case without stop words and asides in brackets, constants as they
are; that reading gives the counts of the footnote to table 4 ("in" 5,430 times) and of table 3 within two percent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median

from sayso.core.errors import BadInstruction
from sayso.core.types import Split
from sayso.english.stems import STOP_WORDS
from sayso.english.tokens import tokenise
from sayso.targets.bash.corpus.filter import tables
from sayso.targets.bash.corpus.nl2bash import Pair, group_pairs
from sayso.targets.bash.forms.structure import Part, structure
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.language import template

ASIDE = re.compile(r"\([^()]*\)")
TOP = 50


@dataclass(frozen=True)
class Counts:
    """The numbers of one corpus; each property belongs to one table or figure, row -> number."""

    parts: Mapping[Split, Sequence[Pair]]

    @cached_property
    def pairs(self) -> list[Pair]:
        return [pair for pairs in self.parts.values() for pair in pairs]

    @cached_property
    def words(self) -> list[list[str]]:
        return [words_of(pair.nl) for pair in self.pairs]

    @cached_property
    def structures(self) -> list[list[Part]]:
        return [structure(pair.command) for pair in self.pairs]

    @cached_property
    def utilities(self) -> Counter[str]:
        """How often each utility that the corpus covers is run, the most frequent first."""
        covered = tables().utilities - {"sudo"}
        counts = Counter(
            p.text for parts in self.structures for p in parts if p.kind == "utility" and p.text in covered
        )
        return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))

    @cached_property
    def flags(self) -> Counter[str]:
        """Flags by name, whatever utility they belong to, that its man page has."""
        covered = tables().utilities
        return Counter(
            p.text for parts in self.structures for p in parts if p.kind == "flag" and p.known and p.owner in covered
        )

    @cached_property
    def table_3(self) -> dict[str, float]:
        words = Counter(word for sentence in self.words for word in sentence)
        return {
            "unique sentences": len({pair.nl for pair in self.pairs}),
            "unique words": len(words),
            **spread("words per sentence", [len(sentence) for sentence in self.words]),
            **spread("sentences per word", words.values()),
        }

    @cached_property
    def table_4(self) -> dict[str, float]:
        commands = {pair.command for pair in self.pairs}
        tokens = [[part.text for part in parts] for parts in self.structures]
        counts = Counter(token for command in tokens for token in command)
        reserved = {part.text for parts in self.structures for part in parts if part.kind == "reserved"}
        return {
            "unique commands": len(commands),
            "unique templates": len(set(map(template_or_text, commands))),
            "unique tokens": len(counts),
            **spread("tokens per command", [len(command) for command in tokens]),
            **spread("commands per token", counts.values()),
            "unique utilities": len(self.utilities),
            "unique flags": len(self.flags),
            "reserved tokens": len(reserved),
            **spread("commands per utility", self.utilities.values()),
            **spread("commands per flag", self.flags.values()),
        }

    @cached_property
    def table_5(self) -> dict[str, float]:
        per_nl = Counter(pair.nl for pair in self.pairs).values()
        per_command = Counter(pair.command for pair in self.pairs).values()
        return {
            **spread("commands per NL", per_nl, digits=2),
            "commands per NL, most": max(per_nl, default=0),
            **spread("NLs per command", per_command, digits=2),
            "NLs per command, most": max(per_command, default=0),
        }

    @cached_property
    def table_6(self) -> dict[str, float]:
        rows: dict[str, float] = {f"{split} pairs": len(pairs) for split, pairs in self.parts.items()}
        return rows | {f"{split} NLs": len(group_pairs(pairs)) for split, pairs in self.parts.items()}

    @cached_property
    def table_12(self) -> dict[str, float]:
        three, four = self.table_3, self.table_4
        return {
            "pairs": len(self.pairs),
            "words": three["unique words"],
            "tokens": four["unique tokens"],
            "words per NL": three["words per sentence, average"],
            "tokens per command": four["tokens per command, average"],
        }

    def table_13(self, utilities: Iterable[str]) -> dict[str, float]:
        """Flags that a utility has by our knowledge of it, long and short names counted each, and those in train."""
        train = {pair.line for pair in self.parts["train"]}
        used = {
            (part.owner, part.text)
            for pair, parts in zip(self.pairs, self.structures, strict=True)
            if pair.line in train
            for part in parts
            if part.kind == "flag" and part.known
        }
        rows: dict[str, float] = {}
        for name in utilities:
            known = find_utility(name)
            rows[f"{name}, flags"] = len(known.index) if known else 0
            rows[f"{name}, flags in train"] = sum(owner == name for owner, _ in used)
        return rows

    @cached_property
    def figure_1(self) -> dict[str, float]:
        """The most frequent utilities; the rest is figure 4."""
        most = list(self.utilities.values())
        first, second, *_ = [*most, 0, 0]
        return {
            "most frequent (find)": first,
            "second (xargs)": second,
            f"all but the {TOP} most frequent, together": sum(most[TOP:]),
        }

    @cached_property
    def figure_4(self) -> dict[str, float]:
        least = list(self.utilities.values())[TOP:]
        return {
            "utilities": len(least),
            "most frequent of them (dig)": max(least, default=0),
            "seen 5 times or less": sum(count <= 5 for count in least),
        }


def spread(name: str, values: Iterable[float], digits: int = 1) -> dict[str, float]:
    found = list(values) or [0]
    middle = median(found)
    return {
        f"{name}, average": round(fmean(found), digits),
        f"{name}, median": int(middle) if middle == int(middle) else middle,
    }


def words_of(nl: str) -> list[str]:
    """'List the files (all) in "My Docs"' -> list, files, in, "My Docs" """
    tokens = [token for token in tokenise(ASIDE.sub(" ", nl)) if token.kind != "mark"]
    words = [token.text.lower() if token.kind == "word" else token.text for token in tokens]
    return [word for word in words if word not in STOP_WORDS]


def template_or_text(command: str) -> str:
    try:
        return template(command)
    except BadInstruction:
        return command
