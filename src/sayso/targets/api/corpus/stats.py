"""The tables and figures of Okapi beside the paper's, over distinct rows of the release.

"Parameters" counts the resource and the clauses, which is the reading that gives table 4. The paper contradicts itself
(22,508 and 22,628 questions, 1,961 and 1,964 templates); both are printed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

from sayso.core.progress import Progress, silent
from sayso.core.types import Split, Workspace
from sayso.targets.api.corpus.divergence import atom_divergence, compound_divergence, outline
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS, load_scan, okapi_rows
from sayso.targets.api.corpus.scan_counts import same_outline, scan_commands, scan_divergence, scan_sizes
from sayso.targets.api.language import template
from sayso.targets.api.syntax.calls import Call, canonical_call, parse_call
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.syntax.stiff_english import canonical_utterance, edit_distance

Cell = Mapping[str, float | None]
PARTS: tuple[Split, ...] = ("train", "dev", "test")
MOST_PAIRS = 200
"""Questions of one template are compared in at most this many pairs: some templates have a thousand questions."""

PAPER_PARAMETERS = {
    "document": (751, 1697, 1963, 1104, 336, 34),
    "email": (412, 2301, 7793, 106, 0, 0),
    "calendar": (186, 1144, 4621, 60, 0, 0),
}
PAPER_LENGTH = {
    "document": {"train": {2: 751, 3: 1697}, "dev": {4: 64, 5: 36}, "test": {4: 372, 5: 170, 6: 336, 7: 34}},
    "email": {"train": {2: 412, 3: 2301}, "dev": {4: 100}, "test": {4: 866, 5: 106}},
    "calendar": {"train": {2: 186, 3: 1144}, "dev": {4: 100}, "test": {4: 940, 5: 60}},
}
PAPER_TEMPLATES = {"document": (750, 375, 375), "email": (96, 49, 49), "calendar": (135, 69, 66)}
PAPER_PROGRAM = {"document": (2934, 1362, 1589), "email": (5300, 2514, 2791), "calendar": (3007, 1414, 1228)}
PAPER_DIVERGENCE = {"document": (0.06, 0.35), "email": (0.05, 0.13), "calendar": (0.04, 0.13)}


@dataclass(frozen=True)
class OkapiStats:
    """Tables as row -> {"ours", "paper"}; figures as label -> count."""

    corpus: str
    tables: Mapping[str, Mapping[str, Cell]]
    dropped: Mapping[str, int]
    figures: Mapping[str, Mapping[str, int]]
    constants: Sequence[object] = ()
    grounds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rows:
    """The distinct rows of one part, and how many there were as released."""

    questions: Sequence[str]
    calls: Sequence[Call]
    released: int


def read_rows(data: Path, split: str, domain: str, part: Split) -> Rows:
    released = okapi_rows(data, split, domain, part)
    distinct = list(dict.fromkeys(released))
    return Rows([question for question, _ in distinct], [parse_call(call) for _, call in distinct], len(released))


def corpus_stats(data: Path, membership: str = "paper", progress: Progress = silent) -> OkapiStats:
    """Ten seconds of CPU, most of it in comparing words. There is one membership: the release brings its splits."""
    progress("parts counted", 0, 2)
    parts = {
        (split, domain, part): read_rows(data, split, domain, part)
        for split in OKAPI_SPLITS
        for domain in DOMAINS
        for part in PARTS
    }
    progress("parts counted", 1, 2)
    everything = {domain: distinct(parts, domain) for domain in DOMAINS}
    tables: dict[str, dict[str, Cell]] = {
        "rows": row_table(parts),
        "table 2": table_2(everything),
        "table 3": table_3(everything),
        "table 4": table_4(parts),
        "table 5": table_5(parts),
        "table 6": {
            f"{domain}, {part}": {"ours": len(parts["program", domain, part].calls), "paper": paper}
            for domain in DOMAINS
            for part, paper in zip(PARTS, PAPER_PROGRAM[domain], strict=True)
        },
        "table 8": table_8(parts),
        "section 3.2": section_3_2(everything),
    }
    if scan := scan_commands(data):
        tables["table 2"] |= scan_sizes(scan, {"ours": round(alike(same_outline(scan["train"])), 3), "paper": 0.39})
        tables["table 8"] |= scan_divergence(scan)
    progress("parts counted", 2, 2)
    repeated = {
        f"{split} {domain} {part}, repeated": rows.released - len(rows.calls)
        for (split, domain, part), rows in parts.items()
    }
    grounds = dict.fromkeys(repeated, "the same question with the same call stands there already")
    return OkapiStats("okapi", tables, repeated, {**figures(parts, everything), **scan_figure(data)}, grounds=grounds)


def distinct(parts: Mapping[tuple[str, str, Split], Rows], domain: str) -> list[tuple[str, Call]]:
    """(question, call) of a domain over both splits, each once."""
    pairs = (
        pair
        for (_, owner, _), rows in parts.items()
        if owner == domain
        for pair in zip(rows.questions, rows.calls, strict=True)
    )
    return list(dict.fromkeys(pairs))


def row_table(parts: Mapping[tuple[str, str, Split], Rows]) -> dict[str, Cell]:
    return {
        f"{split} {domain} {part}": {"raw": rows.released, "unique": len(rows.calls)}
        for (split, domain, part), rows in parts.items()
    }


def table_2(everything: Mapping[str, Sequence[tuple[str, Call]]]) -> dict[str, Cell]:
    pairs = [pair for rows in everything.values() for pair in rows]
    templates = {template(str(call)) for _, call in pairs}
    return {
        "questions": {"ours": len(pairs), "paper": 22_628},
        "questions, in the abstract": {"ours": len(pairs), "paper": 22_508},
        "calls": {"ours": len({canonical_call(call) for _, call in pairs}), "paper": 9_019},
        "domains": {"ours": len(everything), "paper": 3},
        "templates": {"ours": len(templates), "paper": 1_961},
        "templates, summed over table 5": {"ours": len(templates), "paper": 1_964},
        "2-gram Jaccard": {"ours": round(same_template_similarity(pairs), 3), "paper": 0.14},
    }


def same_template_similarity(pairs: Iterable[tuple[str, Call]]) -> float:
    """The mean over pairs of questions that share a template (§3.2); large templates are sampled."""
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for question, call in pairs:
        asked[template(str(call))].append(question)
    random, total, n = Random(0), 0.0, 0
    for questions in asked.values():
        both = list(combinations([grams(question, 2) for question in questions[:400]], 2))
        for one, other in both if len(both) <= MOST_PAIRS else random.sample(both, MOST_PAIRS):
            total, n = total + jaccard(one, other), n + 1
    return total / max(n, 1)


def alike(pairs: Iterable[tuple[str, str]]) -> float:
    """The mean 2-gram Jaccard similarity of pairs."""
    found = [jaccard(grams(one, 2), grams(other, 2)) for one, other in pairs]
    return sum(found) / max(len(found), 1)


def table_3(everything: Mapping[str, Sequence[tuple[str, Call]]]) -> dict[str, Cell]:
    rows: dict[str, Cell] = {}
    for domain, pairs in everything.items():
        counts = Counter(parameters(call) for _, call in pairs)
        for size in range(1, 8):
            paper = PAPER_PARAMETERS[domain][size - 2] if size > 1 else None
            rows[f"{domain}, {size} parameters"] = {"ours": counts[size], "paper": paper}
    return rows


def table_4(parts: Mapping[tuple[str, str, Split], Rows]) -> dict[str, Cell]:
    rows: dict[str, Cell] = {}
    for domain in DOMAINS:
        for part in PARTS:
            counts = Counter(parameters(call) for call in parts["length", domain, part].calls)
            paper = PAPER_LENGTH[domain][part]
            for size in sorted(counts.keys() | paper.keys()):
                rows[f"{domain}, {part}, {size} parameters"] = {"ours": counts[size], "paper": paper.get(size)}
    return rows


def table_5(parts: Mapping[tuple[str, str, Split], Rows]) -> dict[str, Cell]:
    rows: dict[str, Cell] = {}
    for domain in DOMAINS:
        templates = {part: [template(str(call)) for call in parts["program", domain, part].calls] for part in PARTS}
        for part, paper in zip(PARTS, PAPER_TEMPLATES[domain], strict=True):
            rows[f"{domain}, {part}"] = {"ours": len(set(templates[part])), "paper": paper}
        seen = set(templates["train"])
        known = sum(one in seen for one in templates["test"]) / len(templates["test"])
        rows[f"{domain}, test rows with a template of train"] = {"ours": round(known, 4), "paper": 0.0}
    return rows


def table_8(parts: Mapping[tuple[str, str, Split], Rows]) -> dict[str, Cell]:
    rows: dict[str, Cell] = {}
    for domain in DOMAINS:
        train, test = (parts["length", domain, part].calls for part in ("train", "test"))
        atom, compound = PAPER_DIVERGENCE[domain]
        rows[f"{domain}, atom"] = {"ours": round(atom_divergence(train, test), 3), "paper": atom}
        rows[f"{domain}, compound"] = {"ours": round(compound_divergence(train, test), 3), "paper": compound}
    return rows


def section_3_2(everything: Mapping[str, Sequence[tuple[str, Call]]]) -> dict[str, Cell]:
    """How far questions are from the canonical utterance of their call; ours is our own wording of it."""
    pairs = [pair for rows in everything.values() for pair in rows]
    said = [(question.lower(), canonical_utterance(call).lower()) for question, call in pairs]
    sample = Random(0).sample(said, min(len(said), 2000))

    def mean(numbers: Iterable[float]) -> float:
        found = list(numbers)
        return round(sum(found) / max(len(found), 1), 3)

    return {
        "1-gram Jaccard": {"ours": mean(jaccard(grams(a, 1), grams(b, 1)) for a, b in said), "paper": 0.19},
        "2-gram Jaccard": {"ours": mean(jaccard(grams(a, 2), grams(b, 2)) for a, b in said), "paper": 0.06},
        "edit distance": {"ours": mean(edit_distance(a, b) for a, b in sample), "paper": 60.5},
        "characters of a canonical utterance": {"ours": mean(len(b) for _, b in said), "paper": 96},
        "characters of a question": {"ours": mean(len(a) for a, _ in said), "paper": 83.2},
    }


def figures(
    parts: Mapping[tuple[str, str, Split], Rows], everything: Mapping[str, Sequence[tuple[str, Call]]]
) -> dict[str, dict[str, int]]:
    """Figure 3, clauses by property; figures 4 to 6, words of a call in each part of Length."""
    drawn: dict[str, dict[str, int]] = {}
    for domain, pairs in everything.items():
        used = Counter(" ".join(outline(clause)) for _, call in pairs for clause in call.clauses)
        drawn[f"figure 3 {domain}"] = dict(used.most_common())
    for number, domain in enumerate(DOMAINS, 4):
        for part in PARTS:
            lengths = Counter(len(str(call).split()) for call in parts["length", domain, part].calls)
            drawn[f"figure {number} {domain} {part}"] = {str(size): lengths[size] for size in sorted(lengths)}
    return drawn


def scan_figure(data: Path) -> dict[str, dict[str, int]]:
    """Figure 7: actions of a SCAN answer; nothing where SCAN is not on this machine."""
    if not (data / "scan").is_dir():
        return {}
    drawn = {}
    for part in ("train", "test"):
        examples = load_scan("length", Workspace(data, data), part)
        lengths = Counter(len(example.references[0].split()) for example in examples)
        drawn[f"figure 7 {part}"] = {str(size): lengths[size] for size in sorted(lengths)}
    return drawn


def parameters(call: Call) -> int:
    return 1 + len(call.clauses)


def grams(text: str, n: int) -> frozenset[tuple[str, ...]]:
    words = text.lower().rstrip(".?!").split()
    return frozenset(pairwise(words)) if n == 2 else frozenset((word,) for word in words)


def jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
