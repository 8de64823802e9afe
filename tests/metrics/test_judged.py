"""Verdicts: the file and back, pooling of votes, the metric, and the accuracies that NL2Bash prints."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile, BadInstruction
from sayso.core.types import Candidate, Example, Request, Unscored
from sayso.metrics.judged import (
    Judged,
    Pooled,
    Verdict,
    Vote,
    Which,
    agreed,
    armed,
    defused,
    majority,
    pool,
    read_verdicts,
    write_verdicts,
)

MakeExample = Callable[..., Example]
MakeAnswers = Callable[..., list[Candidate]]


def squeeze(text: str) -> str:
    if "(" in text:
        raise BadInstruction("a bracket", text)
    return " ".join(text.split())


def row(prediction: str, command: str, template: str = "yy", description: str = "List files") -> Verdict:
    """row("ls", "yyn"): three judges' votes on the command; the majority is the verdict."""
    votes = tuple(
        Vote(judge, LETTERS[said_template], LETTERS[said_command])
        for judge, said_template, said_command in zip("ABC", template.ljust(3, "-"), command.ljust(3, "-"), strict=True)
    )
    return Verdict(
        description,
        prediction,
        majority(vote.template for vote in votes),
        majority(vote.command for vote in votes),
        tuple(vote for vote in votes if (vote.template, vote.command) != (None, None)),
    )


LETTERS = {"y": True, "n": False, "-": None}


def known(*verdicts: Verdict) -> Pooled:
    return pool(verdicts, str.lower, squeeze, "lower+squeeze")


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ([True, True, False], True),
        ([True, False, False], False),
        ([True, False], None),
        ([], None),
        ([None, False], False),
    ],
)
def test_majority(votes: list[bool | None], verdict: bool | None) -> None:
    assert majority(votes) is verdict


def test_top_k(example: MakeExample, answers: MakeAnswers) -> None:
    verdicts = known(row("ls -l", "nn"), row("ls", "yyn"))
    asked = example(request="list FILES")
    assert Judged("j@1", 1, verdicts, "command").measure(asked, answers("ls -l", "ls")) == 0
    assert Judged("j@2", 2, verdicts, "command").measure(asked, answers("ls  -l", "ls")) == 1
    assert Judged("j@1", 1, verdicts, "template").measure(asked, answers("ls -l", "ls")) == 1
    assert Judged("j@1", 1, verdicts, "command").measure(asked, []) == 0


def test_without_verdicts_it_is_unscored(example: MakeExample, answers: MakeAnswers) -> None:
    metric = Judged("j@2", 2, known(row("ls", "yy"), row("open", "yn")), "command")
    assert metric.measure(example(), answers("dir", "pwd")) == Unscored("no verdict")
    # One right and one unknown would be right for sure, but one wrong and one unknown would not be wrong for sure.
    assert metric.measure(example(), answers("ls", "pwd")) == Unscored("no verdict on some candidates")
    assert metric.measure(example(request="something else"), answers("ls")) == Unscored("no verdict")
    # Two judges who disagree have not decided yet.
    assert metric.measure(example(), answers("open")) == Unscored("no verdict")


def test_saying_nothing_is_wrong_only_where_people_judged(example: MakeExample, answers: MakeAnswers) -> None:
    metric = Judged("j@1", 1, known(row("ls", "yy")), "command")
    assert metric.measure(example(request="LIST files"), []) == 0
    assert metric.measure(example(request="a request that nobody looked at"), []) == Unscored("no verdict")


def test_a_prediction_that_does_not_parse_is_known_by_its_text(example: MakeExample, answers: MakeAnswers) -> None:
    metric = Judged("j@1", 1, known(row("(ls ", "nn")), "command")
    assert metric.measure(example(), answers(" (ls")) == 0
    assert metric.measure(example(), answers("( ls")) == Unscored("no verdict")


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        # Two against one and two against none: 3 to 2 in all.
        ((row("ls", "ynn"), row("ls", "yy")), True),
        # Three against three is no majority.
        ((row("ls", "ynn"), row("ls", "yyn")), False),
        # A row without votes counts as one vote: 2 to 2.
        ((row("ls", "ynn"), Verdict("List files", "ls", True, True)), False),
        ((row("ls", "yn"), row("ls", "yy")), True),
        ((row("ls", "yn"), row("ls", "ny")), None),
    ],
)
def test_rows_that_disagree_pool_their_votes(rows: tuple[Verdict, ...], verdict: bool | None) -> None:
    assert agreed(rows, "command") is verdict
    assert known(*rows).find("list files", "ls", "command") is verdict


def test_the_signature_changes_with_the_verdicts() -> None:
    one, other = known(row("ls", "yy")), known(row("ls", "nn"))
    assert Judged("j", 1, one, "command").signature != Judged("j", 1, other, "command").signature
    assert Judged("j", 1, one, "command").signature == Judged("j", 1, known(row("ls", "yy")), "command").signature
    assert Judged("j", 1, one, "command").signature.startswith("judged|which:command|k:1|key:lower+squeeze|verdicts:1@")


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
opinion = st.sampled_from([True, False, None])
votes = st.lists(st.sampled_from(["A", "B", "kim"]), unique=True).flatmap(
    lambda judges: st.tuples(*(st.builds(Vote, st.just(judge), opinion, opinion) for judge in judges))
)
some_verdict = st.builds(
    Verdict,
    text,
    text,
    opinion,
    opinion,
    votes.map(lambda said: tuple(vote for vote in said if (vote.template, vote.command) != (None, None))),
    template=text,
    system=text,
    error=text,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(verdicts=st.lists(some_verdict, max_size=4))
def test_what_is_written_is_read_back(tmp_path: Path, verdicts: list[Verdict]) -> None:
    path = tmp_path / "verdicts.csv"
    write_verdicts(path, verdicts)
    found = read_verdicts(path)
    # Judges stand in the order of the columns, which is that of their first vote in the file.
    assert [by_judge(verdict) for verdict in found] == [by_judge(verdict) for verdict in verdicts]


dangerous = st.text(st.sampled_from("=+-@\t\r\n'＝＠ab\""), max_size=5)


@given(cell=dangerous | text)
def test_a_defused_cell_comes_back_and_begins_no_formula(cell: str) -> None:
    assert armed(defused(cell)) == cell
    assert not defused(cell).startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(cells=st.tuples(dangerous, dangerous, dangerous))
def test_commands_that_look_like_formulas_are_read_back(tmp_path: Path, cells: tuple[str, str, str]) -> None:
    path = tmp_path / "verdicts.csv"
    wanted = Verdict(cells[0], cells[1], True, True, template=cells[2])
    write_verdicts(path, [wanted])
    assert read_verdicts(path) == [wanted]
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)


def by_judge(verdict: Verdict) -> tuple[object, ...]:
    fields = (verdict.description, verdict.prediction, verdict.correct_template, verdict.correct_command)
    rest = (verdict.template, verdict.system, verdict.error)
    return (*fields, *rest, sorted(verdict.votes, key=lambda vote: vote.judge))


def test_the_columns_are_those_of_the_release(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    write_verdicts(path, [row("ls", "yyn", "yy")])
    header, line = path.read_text().splitlines()
    assert header.replace('"', "") == (
        "description,prediction,template,correct template,correct command,"
        "correct template A,correct command A,correct template B,correct command B,correct template C,correct command C"
    )
    assert line == '"List files","ls","","y","y","y","y","y","y","","n"'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "has no column description, prediction, correct template, correct command"),
        ("description,prediction\na,b\n", "has no column correct template, correct command"),
        ("description,prediction,correct template,correct command\na,b,y,maybe\n", ':2: "maybe" under correct command'),
        ("\xff", "is not a CSV file in UTF-8"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadFile) as caught:
        read_verdicts(path)
    assert message in caught.value.message
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        read_verdicts(tmp_path / "none.csv")


FILES = ("author", "dev.samples.csv", "test.stc.csv", "test.tellina.csv")


@pytest.fixture(scope="module")
def released(corpora: Path) -> dict[str, list[Verdict]]:
    folder = corpora / "nl2bash/manual_judgements"
    return {name: read_verdicts(folder / f"manual.evaluations.{name}") for name in FILES}


def test_every_released_file_is_read(released: dict[str, list[Verdict]], corpora: Path) -> None:
    assert [len(rows) for rows in released.values()] == [110, 2100, 1641, 1641]
    analysed = read_verdicts(corpora / "nl2bash/manual_judgements/error.analysis.csv")
    assert len(analysed) == 200
    assert {verdict.system for verdict in analysed} == {"tellina", "partial.token-copynet"}
    assert sum(verdict.error != "" for verdict in analysed) == 138


def test_released_verdicts_are_the_majority_of_their_votes(released: dict[str, list[Verdict]]) -> None:
    for verdict in (verdict for rows in released.values() for verdict in rows if verdict.votes):
        assert verdict.correct_template is majority(vote.template for vote in verdict.votes)
        assert verdict.correct_command is majority(vote.command for vote in verdict.votes)


def test_released_files_survive_a_round_trip(released: dict[str, list[Verdict]], tmp_path: Path) -> None:
    for rows in released.values():
        write_verdicts(tmp_path / "copy.csv", rows)
        assert read_verdicts(tmp_path / "copy.csv") == rows


@pytest.mark.parametrize(
    ("system", "which", "k", "accuracy"),
    # NL2Bash table 9 prints .36 .45 .49 .61 and .27 .32 .53 .62; the released rows give these.
    [
        ("stc", "command", 1, 0.366),
        ("stc", "command", 3, 0.448),
        ("stc", "template", 1, 0.484),
        ("stc", "template", 3, 0.596),
        ("tellina", "command", 1, 0.274),
        ("tellina", "command", 3, 0.318),
        ("tellina", "template", 1, 0.528),
        ("tellina", "template", 3, 0.618),
    ],
)
def test_accuracies_of_the_release(
    released: dict[str, list[Verdict]], system: str, which: Which, k: int, accuracy: float
) -> None:
    everything = pool((verdict for rows in released.values() for verdict in rows), str.strip, str.strip, "text")
    assert len(everything.table) == 4902
    predictions = defaultdict(list)
    for verdict in released[f"test.{system}.csv"]:
        predictions[verdict.description].append(Candidate(verdict.prediction, 0.0))
    metric = Judged(f"judged_{which}@{k}", k, everything, which)
    stats = [metric.measure(Example("x", Request(asked), ()), ranked) for asked, ranked in predictions.items()]
    score = metric.reduce(stats)
    assert (score.n, score.unscored) == (547, {})
    assert round(score.value, 3) == accuracy
