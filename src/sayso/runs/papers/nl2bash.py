"""NL2Bash (Lin et al., 2018): tables 1 to 15, figures 1 to 4, the reading of appendix B."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from sayso.core.errors import MissingData
from sayso.core.types import Candidate, Example, Metric, Unscored
from sayso.metrics.agreement import pairwise, ratings
from sayso.metrics.judged import Verdict, Which, read_verdicts
from sayso.metrics.significance import interval
from sayso.runs.lines import read_objects
from sayso.runs.paper import paper_facts, paper_numbers
from sayso.runs.papers.builders import abstentions, from_counts, from_figures, from_scores
from sayso.runs.papers.items import Cell, Desk, Item, Shown, with_deviation
from sayso.runs.report import predictions_of
from sayso.runs.subject import DEFAULTS, Subject, load_examples
from sayso.targets import find_task
from sayso.targets.bash.corpus import accuracy, is_right, overlap, read_sample

TASK = "bash/command"
JUDGED = {
    "ST-CopyNet on test": "manual.evaluations.test.stc.csv",
    "Tellina on test": "manual.evaluations.test.tellina.csv",
    "seven systems on 100 of dev": "manual.evaluations.dev.samples.csv",
}
ALPHAS = "NL2Bash table 7: Krippendorff's alpha of three pairs of judges"
# Digests of the requests of table 11, as they stand in the release: no text of the corpus is kept here.
EXAMPLES = ("25305214", "0e1537f0", "55ca70f6", "da8b52e6", "2c061827")
LABELS: dict[Which, str] = {"command": "full command", "template": "template"}
# §6.3: what both systems get wrong.
BOTH_WRONG: dict[Which, float] = {"template": 0.44, "command": 0.59}
PAIRS = (
    "ours: of the released verdicts, over what both judged; C was asked where A and B differ, so pairs with C are of "
    "the hard ones. The paper does not name its pairs, so there is no deviation; its pairs 1 and 3 are what A and B "
    "agree in without alpha, on ST-CopyNet's test answers (.892, .812) and on dev (.903, .885)"
)


def judgements(desk: Desk) -> Path:
    folder = desk.workspace.data / "nl2bash" / "manual_judgements"
    if not folder.is_dir():
        raise MissingData(
            f"the verdicts of NL2Bash are not on this machine: there is no {folder}", "sayso data get nl2bash"
        )
    return folder


def table_7(desk: Desk) -> list[Shown]:
    folder = judgements(desk)
    paper = paper_facts()[ALPHAS]
    tables = []
    for part, name in JUDGED.items():
        verdicts = read_verdicts(folder / name)
        rows: dict[str, dict[str, Cell]] = {}
        for which, label in LABELS.items():
            printed = paper[label]
            theirs = ", ".join(map(str, printed)) if isinstance(printed, list) else str(printed)
            for pair in pairwise(ratings(verdicts, which)):
                cells: dict[str, Cell] = {"ours": round(pair.alpha, 3), "n": pair.n, "agree": round(pair.agreement, 3)}
                rows[f"{label}, {pair.first} and {pair.second}"] = {**cells, "paper, three pairs": theirs}
        tables.append(Shown(f"alpha between judges, {part}", rows, (PAIRS,)))
    return tables


def sampled(desk: Desk) -> tuple[list[Example], Mapping[str, Mapping[str, Sequence[Verdict]]]]:
    """The examples of dev that people judged for seven systems, and what they said, by the request's own text."""
    judgements(desk)
    sample = read_sample(desk.workspace.data)
    wanted = next(iter(sample.values()))
    known = {same_words(request): request for request in wanted}
    examples = load_examples(find_task(TASK), "dev", desk.workspace)
    found = [one for one in examples if same_words(one.request.text) in known]
    return found, sample


def same_words(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


def answers_of(desk: Desk, system: str, examples: Sequence[Example]) -> list[tuple[Candidate, ...]] | None:
    """The stored first answers; None where the system has none here."""
    found = predictions_of(Subject(find_task(TASK), "dev", system), examples, desk.workspace, desk.results, DEFAULTS)
    return None if not any(found) else [one.candidates if one else () for one in found]


def right(metric: Metric[Any], examples: Sequence[Example], answers: Sequence[Sequence[Candidate]]) -> dict[str, bool]:
    pairs = zip(examples, answers, strict=True)
    found = {example.id: metric.measure(example, answer) for example, answer in pairs}
    return {name: not isinstance(stat, Unscored) and bool(stat) for name, stat in found.items()}


def metrics_by_name(desk: Desk) -> dict[str, Metric[Any]]:
    return {metric.name: metric for metric in find_task(TASK).metrics(desk.workspace)}


def dev_answers(desk: Desk, systems: Sequence[str]) -> tuple[list[Example], dict[str, list[tuple[Candidate, ...]]]]:
    """All of dev and the stored answers of these systems to it."""
    examples = load_examples(find_task(TASK), "dev", desk.workspace)
    found = {system: answers_of(desk, system, examples) for system in systems}
    return examples, {system: answers for system, answers in found.items() if answers is not None}


def table_8(desk: Desk) -> list[Shown]:
    chosen, sample = sampled(desk)
    examples, answers = dev_answers(desk, list(sample))
    places = {example.id: at for at, example in enumerate(examples)}
    metrics = metrics_by_name(desk)
    numbers = {
        (one.system, one.score): one.value for one in paper_numbers() if (one.paper, one.table) == ("NL2Bash", "8")
    }
    judged: dict[str, dict[str, Cell]] = {}
    matched: dict[str, dict[str, Cell]] = {}
    for system in dict.fromkeys(name for name, _ in numbers):
        for which, label in LABELS.items():
            for k in (1, 3):
                name = f"judged_{label.split()[0]}@{k}"
                cells: dict[str, Cell] = {"ours": round(accuracy(sample[system], which, k), 3)}
                judged[f"{system}, {name}"] = {**cells, "n": len(sample[system]), "paper": numbers[system, name]}
        if system not in answers:
            matched[system] = {"match_full@1": None, "n": None}
            continue
        theirs = [answers[system][places[one.id]] for one in chosen]
        shares = {
            name: round(sum(right(metrics[name], chosen, theirs).values()) / max(1, len(chosen)), 3)
            for name in ("match_full@1", "match_full@3", "match_template@1", "match_template@3")
        }
        full = metrics["match_full@1"]
        ends = between(full, list(map(full.measure, chosen, theirs)))
        matched[system] = {**shares, "match_full@1, 95 %": ends, "n": len(chosen)}
    return [
        Shown(
            "as judged by people: the released rows, read again",
            with_deviation(judged),
            ("which rows are whose is told by their order alone",),
        ),
        read_by_machines(desk),
        Shown(
            "our systems of these names on the same requests, by canonical match",
            matched,
            ("no person judged our answers: a match is a lower bound of what people would accept",),
        ),
    ]


def between(metric: Metric[Any], stats: Sequence[Any]) -> str:
    """The interval of a share, as tables print it."""
    found = interval(metric, stats)
    return f"{found.low:.3f}–{found.high:.3f}"


def read_by_machines(desk: Desk) -> Shown:
    """First answers of those of our systems that machine readers judged, over all of dev: no verdict of a person."""
    metrics = metrics_by_name(desk)
    names = [name for name in metrics if name.startswith("judged_by_machine_")]
    examples, answers = dev_answers(desk, ("default", "st-copynet", "tellina"))
    rows: dict[str, dict[str, Cell]] = {}
    for system, theirs in answers.items():
        found = {name: list(map(metrics[name].measure, examples, theirs)) for name in names}
        known = {name: [stat for stat in stats if not isinstance(stat, Unscored)] for name, stats in found.items()}
        n = min(map(len, known.values()), default=0)
        shares = {
            name: round(fmean(stats), 3) if len(stats) == len(examples) else None for name, stats in known.items()
        }
        ends = {f"{name}, 95 %": between(metrics[name], found[name]) for name in names if shares[name] is not None}
        rows[system] = {**shares, **ends, "verdicts": f"{n} of {len(examples)}"}
    notes = (
        "two machine readers of one kind, blind to the system, a third where they differ; how far they agree with each "
        "other and with people: `python -m benchmarks.dev_verdicts --compare`",
        *abstentions(desk, TASK, "dev", rows),
    )
    return Shown("our systems on all of dev, first answers, as machine readers judged them", rows, notes)


def table_11(desk: Desk) -> list[Shown]:
    """The released first answers of seven systems, with the verdict, and our own system's, request by request."""
    _, sample = sampled(desk)
    examples, answers = dev_answers(desk, ("default",))
    by_words = {same_words(example.request.text): at for at, example in enumerate(examples)}
    tables = []
    for request in next(iter(sample.values())):
        if hashlib.sha256(same_words(request).encode()).hexdigest()[:8] not in EXAMPLES:
            continue
        rows: dict[str, dict[str, Cell]] = {}
        at = by_words.get(same_words(request))
        for reference in examples[at].references if at is not None else ():
            rows[f"reference {len(rows) + 1}"] = {"answer": reference, "judged": None}
        for system, verdicts in sample.items():
            first = verdicts[request][0]
            rows[system] = {"answer": first.prediction, "judged": said(first)}
        if at is not None and "default" in answers and answers["default"][at]:
            rows["default (ours)"] = {"answer": answers["default"][at][0].text, "judged": "no person judged it"}
        tables.append(Shown(request, rows))
    return tables


def said(verdict: Verdict) -> str:
    if verdict.correct_command:
        return "right"
    return "template right" if verdict.correct_template else "wrong"


def figure_2(desk: Desk) -> list[Shown]:
    chosen, sample = sampled(desk)
    pair = ("st-copynet", "tellina")
    rows: dict[str, dict[str, Cell]] = {}
    for which, theirs in BOTH_WRONG.items():
        verdicts = [
            {request: is_right(three, which, 1) for request, three in sample[system].items()} for system in pair
        ]
        rows[f"the released verdicts, {LABELS[which]}"] = shares(verdicts[0], verdicts[1], theirs)
    examples, answers = dev_answers(desk, pair)
    if set(answers) == set(pair):
        ids = {one.id for one in chosen}
        for name in ("match_template@1", "match_full@1"):
            metric = metrics_by_name(desk)[name]
            found = [right(metric, examples, answers[system]) for system in pair]
            some = [{one: ok for one, ok in column.items() if one in ids} for column in found]
            rows[f"ours by {name}, the same requests"] = shares(some[0], some[1])
            rows[f"ours by {name}, all of dev"] = shares(found[0], found[1])
    note = "by match every command that is no reference counts as wrong, where people accepted others"
    return [Shown("shares of requests that ST-CopyNet and Tellina get wrong", with_deviation(rows), (note,))]


def shares(one: Mapping[str, bool], two: Mapping[str, bool], paper: float | None = None) -> dict[str, Cell]:
    both, first, second = (round(share, 3) for share in overlap(one, two))
    cells: dict[str, Cell] = {"ours": both, "paper": paper, "n": len(one)}
    return {**cells, "only ST-CopyNet wrong": first, "only Tellina wrong": second}


def figure_3(desk: Desk) -> list[Shown]:
    task = find_task(TASK)
    examples = load_examples(task, "dev", desk.workspace)
    found = [table for one in task.breakdowns if (table := one(desk.workspace, examples, {}))]
    return [
        Shown(
            table.title, {row[0]: dict(zip(table.header[1:], row[1:], strict=True)) for row in table.rows}, table.notes
        )
        for table in found
    ]


def appendix_b(desk: Desk) -> list[Shown]:
    counts = desk.counted("nl2bash")
    pairs = counts.tables["table 12"]["pairs"]["ours"] or 0
    read = pairs_read(desk)
    wrong, n = Counter(read), len(read)
    rows: dict[str, dict[str, Cell]] = {
        name: {"ours": round(wrong[kind] / n, 3) if n else None, "paper": paper, "n": n or None}
        for name, kind, paper in WRONG_PAIRS
    }
    rows["constants that differ, looked for by program in all of train, dev and test"] = {
        "ours": round(counts.constants / pairs, 4) if pairs else None,
        "paper": None,
        "n": pairs,
    }
    notes = (
        "paper: two people read 100 pairs of train and found 15 wrong",
        "ours: one machine reader read 100 other pairs of train, drawn by seed, once; nobody read them a second time",
        "the last row: near misses alone (`sayso stats nl2bash --constants`)",
        counts.made,
    )
    return [Shown("what is wrong with pairs of the corpus", with_deviation(rows), notes)]


def pairs_read(desk: Desk) -> list[str]:
    """What is wrong with each pair that was read, "" where nothing is; none outside of a checkout."""
    path = desk.results.published / "labels" / "nl2bash_pairs.jsonl" if desk.results.published else None
    return [str(row["wrong"]) for _, row in read_objects(path)] if path and path.is_file() else []


WRONG_PAIRS = (
    ("pairs that are right", "", 0.85),
    ("constants that differ between NL and command", "constant", 0.04),
    ("directories left open", "directories", 0.03),
    ("flags or tokens misread, syntax", "flags", 0.08),
)
UNJUDGED = "our own systems' answers were not judged: verdicts exist where they say what a judged system said"

TWINS = ("copynet-token-brief", "seq2seq-subtoken-brief")
TRAINED_LESS = "-brief: trained for fewer updates than the system of that name above"

ITEMS: dict[str, Item] = {
    "table 1": Item("examples of pairs", why="examples of the corpus: `sayso data export bash/command --references`"),
    "table 2": Item("syntax in and out of scope: what our filter keeps", from_counts("nl2bash", "filter")),
    "table 3": Item("natural language", from_counts("nl2bash", "table 3")),
    "table 4": Item("commands", from_counts("nl2bash", "table 4")),
    "table 5": Item("from language to commands", from_counts("nl2bash", "table 5")),
    "table 6": Item("the split", from_counts("nl2bash", "table 6", "split")),
    "table 7": Item("agreement between judges", table_7),
    "table 8": Item("seven systems on 100 of dev, judged", table_8),
    "table 9": Item(
        "two systems on test, judged",
        from_scores(
            "NL2Bash",
            "9",
            notes=("released-*: the answers that were judged, scored by their verdicts", UNJUDGED),
            published=True,
        ),
    ),
    "table 10": Item("requests of each class of errors", why="examples of the corpus; classes are counted in figure 3"),
    "table 11": Item("answers of seven systems", table_11, corpus_text=True),
    "table 12": Item("size beside other corpora", from_counts("nl2bash", "table 12")),
    "table 13": Item("flags that train has", from_counts("nl2bash", "table 13")),
    "table 14": Item("descriptions with errors", why="examples of the corpus; what was counted is in appendix B"),
    "table 15": Item(
        "seven systems on dev, measured", from_scores("NL2Bash", "15", {TASK: ("default", *TWINS)}, (TRAINED_LESS,))
    ),
    "figure 1": Item("the 50 most frequent utilities", from_figures("nl2bash", "figure 1")),
    "figure 2": Item("errors that two systems share", figure_2),
    "figure 3": Item("errors by class", figure_3),
    "figure 4": Item("the 52 least frequent utilities", from_figures("nl2bash", "figure 4")),
    "appendix B": Item("85 % of the pairs are right", appendix_b),
}
