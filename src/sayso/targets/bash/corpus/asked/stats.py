"""The tables of the asked corpus: counted on the published pairs, beside what was dropped when they were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from statistics import fmean

from sayso.core.counted import Cell, CountedCorpus, shares
from sayso.core.progress import Progress, silent
from sayso.english.near_words import near_each_other
from sayso.targets.bash.corpus.asked.pairs import FOLDER, AskedPair, load_asked, load_made, load_ran
from sayso.targets.bash.corpus.asked.said import constants_said
from sayso.targets.bash.corpus.asked.sifting import GROUNDS, MOST_ALIKE, template_with_programs
from sayso.targets.bash.language import Parsed
from sayso.targets.bash.syntax.tree import commands

TOP = 40
MOST_STEPS = 5


@dataclass
class Counted:
    """What the commands of all pairs show when they are parsed, each once."""

    tools: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    with_unknown: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    risks: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    """Templates with the shape of awk's and sed's programs, of which at most eight may stay."""
    canonical: set[str] = field(default_factory=set)
    said: int = 0
    constants: int = 0
    all_said: int = 0

    def add(self, pair: AskedPair) -> None:
        parsed = Parsed(pair.command)
        unknown = {pair.command[one.start : one.end] for one in parsed.findings if not one.known}
        self.tools.update({tool for tool, _ in parsed.tools})
        self.unknown.update(unknown)
        self.with_unknown += bool(unknown)
        number = sum(1 for _ in commands(parsed.tree)) if parsed.script else 0
        self.steps[str(number) if number < MOST_STEPS else f"{MOST_STEPS} or more"] += 1
        self.risks[parsed.risk.level] += 1
        self.templates[parsed.template] += 1
        self.shapes[template_with_programs(parsed)] += 1
        self.canonical.add(parsed.canonical)
        said, found = constants_said(pair.request, parsed.parts)
        self.said, self.constants, self.all_said = (
            self.said + said,
            self.constants + found,
            self.all_said + (said == found),
        )


def asked_stats(folder: Path = FOLDER, progress: Progress = silent) -> CountedCorpus:
    """Every table; the pairs are parsed again, so that no count is older than they are."""
    pairs, made, ran = load_asked(folder), load_made(folder), load_ran(folder)
    counted = Counted()
    for at, pair in enumerate(pairs, 1):
        counted.add(pair)
        if at % 500 == 0 or at == len(pairs):
            progress("pairs counted", at, len(pairs))
    tools = dict(counted.tools.most_common(TOP))
    who, tried = Counter(pair.who for pair in pairs), results(pairs, ran)
    tables = {
        "pairs": overview(pairs, counted, made),
        "kind": shares(Counter(pair.kind for pair in pairs)),
        "register": shares(Counter(pair.register for pair in pairs)),
        f"person, the {TOP} commonest of {len(who)}": shares(dict(who.most_common(TOP)), len(pairs)),
        f"tool, the {TOP} commonest of {len(counted.tools)}, by commands that run it": shares(tools, len(pairs)),
        "simple commands in a command": shares(dict(sorted(counted.steps.items()))),
        "risk": shares(counted.risks),
        "risk of pairs that safety bars: more is destroyed than is asked for": shares(
            made.get("barred", {}), len(pairs)
        ),
        "pairs to a template, programs apart": shares(Counter(f"{n}" for n in sorted(counted.shapes.values()))),
        "pairs to a template": shares(grouped(counted.templates.values())),
        "near a held-out part, dropped": shares(made.get("near", {})),
        f"what came of running {sum(tried.values())} of them in the sandbox": shares(tried),
    }
    figures = {"tools": tools, "persons": dict(who.most_common(TOP))}
    kept = {title: rows for title, rows in tables.items() if rows}
    return CountedCorpus(folder.name, kept, made["dropped"], GROUNDS, figures)


def overview(pairs: Sequence[AskedPair], counted: Counted, made: Mapping[str, int]) -> dict[str, Cell]:
    total = len(pairs) or 1
    constants = counted.constants or 1
    near = near_each_other([pair.request for pair in pairs])
    rows: dict[str, tuple[float, float | None]] = {
        "read": (made["read"], None),
        "writers": (len({pair.id.partition(":")[0] for pair in pairs}), None),
        "published": (len(pairs), round(len(pairs) / max(1, made["read"]), 4)),
        "words in a request": (round(fmean([len(pair.request.split()) for pair in pairs] or [0]), 1), None),
        "requests near another, four fifths of the words in common": (near, round(near / total, 4)),
        "requests of held-out parts that none may be near": (made.get("held out", 0), None),
        "persons": (len({pair.who for pair in pairs}), None),
        "commands that differ in canonical form": (len(counted.canonical), round(len(counted.canonical) / total, 4)),
        "templates": (len(counted.templates), None),
        "tools": (len(counted.tools), None),
        "tools that are not known here": (len(counted.unknown), None),
        "pairs with such a tool": (counted.with_unknown, round(counted.with_unknown / total, 4)),
        "constants that look like a name": (counted.constants, None),
        "of these said or implied in the request": (counted.said, round(counted.said / constants, 4)),
        "pairs with every such constant said": (counted.all_said, round(counted.all_said / total, 4)),
    }
    return {row: {"n": n, "share": share} for row, (n, share) in rows.items()}


def grouped(sizes: Iterable[int]) -> dict[str, int]:
    """Up to eight each by itself, then by the doubled number: "9 to 16"."""
    found: Counter[str] = Counter()
    for size in sorted(sizes):
        most = MOST_ALIKE
        while size > most:
            most *= 2
        found[f"{size}" if most == MOST_ALIKE else f"{most // 2 + 1} to {most}"] += 1
    return dict(found)


def results(pairs: Sequence[AskedPair], ran: Mapping[str, str]) -> dict[str, int]:
    """Result -> how many, the commonest first. Counted are the first by digest up to one that was not run: a fair draw,
    which what was run of an earlier, smaller corpus is not."""
    drawn = takewhile(lambda pair: pair.id in ran, sorted(pairs, key=lambda pair: pair.digest))
    return dict(Counter(ran[pair.id] for pair in drawn).most_common())
