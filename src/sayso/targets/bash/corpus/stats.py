"""The corpus tables of NL2Bash beside the paper's: on the published corpus and on the one that our filter makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sayso.core.progress import Progress, silent
from sayso.core.types import Membership, Split
from sayso.english.spelling import Speller
from sayso.targets.bash.corpus.clean import clean
from sayso.targets.bash.corpus.constants import Mismatch, mismatches
from sayso.targets.bash.corpus.counts import TOP, Counts
from sayso.targets.bash.corpus.filter import REASONS, Filtered, filter_commands
from sayso.targets.bash.corpus.nl2bash import NAME, SPLITS, Pair, fold_numbers, group_pairs, published_pairs, raw_pairs
from sayso.targets.bash.corpus.split import compare_splits, fold_evidence, split_pairs

Cell = Mapping[str, float | None]
STEPS = 3

# Appendix A2, table 13: flags, flags in train. The printed table lacks the tenth of its most frequent utilities.
PAPER_FLAGS = {
    "find": (103, 68), "xargs": (32, 15), "grep": (82, 42), "rm": (17, 7), "echo": (5, 2), "sort": (50, 19),
    "chmod": (14, 4), "wc": (13, 6), "cat": (19, 4), "sleep": (2, 0), "shred": (17, 4), "apropos": (30, 0),
    "info": (34, 2), "bg": (0, 0), "fg": (0, 0), "wget": (171, 2), "zless": (0, 0), "bunzip2": (14, 0),
    "clear": (0, 0),
}  # fmt: skip

PAPER: dict[str, dict[str, float]] = {
    "table 3": {
        "unique sentences": 8559,
        "unique words": 7790,
        "words per sentence, average": 11.7,
        "words per sentence, median": 11,
        "sentences per word, average": 14.0,
        "sentences per word, median": 1,
    },
    "table 4": {
        "unique commands": 7587,
        "unique templates": 4602,
        "unique tokens": 6234,
        "tokens per command, average": 7.7,
        "tokens per command, median": 7,
        "commands per token, average": 11.5,
        "commands per token, median": 1,
        "unique utilities": 102,
        "unique flags": 206,
        "reserved tokens": 15,
        "commands per utility, average": 155.0,
        "commands per utility, median": 38,
        "commands per flag, average": 101.7,
        "commands per flag, median": 7.5,
    },
    "table 5": {
        "commands per NL, average": 1.09,
        "commands per NL, median": 1,
        "commands per NL, most": 9,
        "NLs per command, average": 1.23,
        "NLs per command, median": 1,
        "NLs per command, most": 22,
    },
    "table 6": {
        "train pairs": 8090,
        "dev pairs": 609,
        "test pairs": 606,
        "train NLs": 7340,
        "dev NLs": 549,
        "test NLs": 547,
    },
    "table 12": {
        "pairs": 9305,
        "words": 7790,
        "tokens": 6234,
        "words per NL": 11.7,
        "tokens per command": 7.7,
    },
    "table 13": {
        row: number
        for utility, (flags, in_train) in PAPER_FLAGS.items()
        for row, number in ((f"{utility}, flags", flags), (f"{utility}, flags in train", in_train))
    },
    "figure 1": {
        "most frequent (find)": 6268,
        "second (xargs)": 1047,
        f"all but the {TOP} most frequent, together": 984,
    },
    "figure 4": {
        "utilities": 52,
        "most frequent of them (dig)": 38,
        "seen 5 times or less": 7,
    },
}


@dataclass(frozen=True)
class CorpusStats:
    """Tables as row -> {"ours", "paper", …}; figures as utility -> how often it is run."""

    corpus: str
    tables: Mapping[str, Mapping[str, Cell]]
    dropped: Mapping[str, int]
    figures: Mapping[str, Mapping[str, int]]
    constants: Sequence[Mismatch]
    grounds: Mapping[str, str]
    """What is meant by each reason in `dropped`."""


@dataclass(frozen=True)
class Corpora:
    """The published corpus with its split, and what our filter, cleaning and split make of the same raw pairs."""

    raw: Sequence[Pair]
    published: Mapping[Split, Sequence[Pair]]
    filtered: Filtered
    own: Mapping[Split, Sequence[Pair]]
    folds: Sequence[int]


def read_corpora(data: Path) -> Corpora:
    raw = raw_pairs(data)
    folds = fold_numbers(data)
    filtered = filter_commands(pair.command for pair in raw)
    speller = Speller()
    kept = [raw[at] for at in filtered.kept]
    cleaned = [Pair(pair.line, speller.correct(pair.nl), clean(pair.command)) for pair in kept]
    published = {split: published_pairs(data, split) for split in SPLITS}
    return Corpora(raw, published, filtered, split_pairs(cleaned, folds), folds)


def corpus_stats(data: Path, membership: Membership = "paper", progress: Progress = silent) -> CorpusStats:
    """Every table and figure; "ours" is what we count on the membership asked for, the other corpus stands beside."""
    progress("corpora counted", 0, STEPS)
    corpora = read_corpora(data)
    progress("corpora counted", 1, STEPS)
    published, own = Counts(corpora.published), Counts(corpora.own)
    chosen, other = (published, own) if membership == "paper" else (own, published)
    beside = "our filter" if membership == "paper" else "published"
    ours = all_tables(chosen)
    progress("corpora counted", 2, STEPS)
    theirs = all_tables(other)
    progress("corpora counted", STEPS, STEPS)
    tables = {name: beside_paper(rows, PAPER[name], beside, theirs[name]) for name, rows in ours.items()}
    ranked = dict(chosen.utilities)
    names = list(ranked)
    return CorpusStats(
        NAME,
        {"filter": filter_table(corpora), **tables, "split": split_table(corpora)},
        corpora.filtered.counts(),
        {
            "figure 1": {name: ranked[name] for name in names[:TOP]},
            "figure 4": {name: ranked[name] for name in names[TOP:]},
        },
        tuple(mismatches(chosen.pairs)),
        REASONS,
    )


def all_tables(counts: Counts) -> dict[str, dict[str, float]]:
    return {
        "table 3": counts.table_3,
        "table 4": counts.table_4,
        "table 5": counts.table_5,
        "table 6": counts.table_6,
        "table 12": counts.table_12,
        "table 13": counts.table_13(PAPER_FLAGS),
        "figure 1": counts.figure_1,
        "figure 4": counts.figure_4,
    }


def beside_paper(
    rows: Mapping[str, float], paper: Mapping[str, float], beside: str, other: Mapping[str, float]
) -> dict[str, Cell]:
    return {row: {"ours": value, "paper": paper.get(row), beside: other[row]} for row, value in rows.items()}


def filter_table(corpora: Corpora) -> dict[str, Cell]:
    """§3.2: what stays, and how far that is what was published."""
    total = len(corpora.raw)
    theirs = {pair.line for pairs in corpora.published.values() for pair in pairs}
    ours = {corpora.raw[at].line for at in corpora.filtered.kept}
    changed = {pair.line: pair for pairs in corpora.own.values() for pair in pairs}
    nls = sum(changed[line].nl != corpora.raw[line - 1].nl for line in ours)
    commands = sum(changed[line].command != corpora.raw[line - 1].command for line in ours)
    agreeing = len(ours & theirs) + total - len(ours | theirs)
    return {
        "raw pairs": {"ours": total, "paper": 12_609},
        "kept": {"ours": len(ours), "paper": len(theirs)},
        "dropped": {"ours": total - len(ours), "paper": total - len(theirs)},
        "kept by both": {"ours": len(ours & theirs), "paper": None},
        "kept by us alone": {"ours": len(ours - theirs), "paper": None},
        "kept by them alone": {"ours": len(theirs - ours), "paper": None},
        "agreement": {"ours": round(agreeing / total, 4), "paper": None},
        "NLs with a spelling corrected": {"ours": nls, "paper": None},
        "commands cleaned": {"ours": commands, "paper": None},
    }


def split_table(corpora: Corpora) -> dict[str, Cell]:
    """§3.4: our split beside the published one, on their corpus and on ours."""
    rows: dict[str, Cell] = {}
    everything = [pair for pairs in corpora.published.values() for pair in pairs]
    for name, parts in (("their pairs", split_pairs(everything, corpora.folds)), ("our pairs", corpora.own)):
        met = compare_splits(parts, corpora.published)
        both = {where: n for where, n in met.items() if "out" not in where}
        for split in SPLITS:
            rows[f"{name}, {split}"] = {"ours": len(parts[split]), "paper": len(corpora.published[split])}
        for split in SPLITS:
            groups = len(group_pairs(corpora.published[split]))
            rows[f"{name}, {split} NLs"] = {"ours": len(group_pairs(parts[split])), "paper": groups}
        same = sum(n for (mine, other), n in both.items() if mine == other)
        rows[f"{name}, share in the same part"] = {"ours": round(same / max(1, sum(both.values())), 4), "paper": None}
    found, total = fold_evidence(corpora.published, corpora.folds, window=60)
    rows["dev and test NLs at their fold number"] = {"ours": found, "paper": total}
    return rows
