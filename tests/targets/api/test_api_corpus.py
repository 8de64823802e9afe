"""Distinct rows with their counts, ids made from the file, a dev part where the release has none, exact scores."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MissingData
from sayso.core.types import Candidate, Example, Request, Split, Workspace
from sayso.targets.api.corpus.okapi import is_held_out, load_okapi, load_scan
from sayso.targets.api.metrics import okapi_metrics, scan_metrics
from sayso.targets.api.tasks import TASKS

PARTS: tuple[Split, ...] = ("train", "dev", "test")
NOWHERE = Workspace(Path("nowhere"), Path("nowhere"))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(text.encode()))


def okapi_file(data: Path) -> Path:
    return data / "okapi" / "Length_Split" / "email_domain" / "nl_api.train.tsv.xz"


def test_repeated_rows_are_one_example_that_knows_how_often(tmp_path: Path) -> None:
    write(okapi_file(tmp_path), "my mail\tGET message\nhow many\tGET message COUNT\nmy mail\tGET message\n")
    found = list(load_okapi("length", "email", Workspace(tmp_path, tmp_path), "train"))
    assert [(one.id, one.references, one.meta["rows"]) for one in found] == [
        ("okapi:length:email:train:1", ("GET message",), "2"),
        ("okapi:length:email:train:2", ("GET message COUNT",), "1"),
    ]


def test_scan_holds_a_tenth_of_train_out(tmp_path: Path) -> None:
    lines = [f"IN: walk {number} OUT: {'I_WALK ' * (number % 4 + 1)}".strip() for number in range(400)]
    write(tmp_path / "scan" / "tasks_train_mcd1.txt.xz", "\n".join(lines) + "\n")
    workspace = Workspace(tmp_path, tmp_path)
    train, dev = (list(load_scan("mcd1", workspace, part)) for part in ("train", "dev"))
    assert len(train) + len(dev) == 400 and 15 < len(dev) < 75
    assert all(is_held_out(one.request.text) for one in dev)
    assert not {one.id for one in train} & {one.id for one in dev}


def test_missing_and_broken_files_are_named(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path)
    with pytest.raises(MissingData, match="okapi corpus is not on this machine"):
        list(load_okapi("length", "email", workspace, "train"))
    write(okapi_file(tmp_path), "no tab here\n")
    with pytest.raises(BadFile, match=r"xz:1: a row is a question, a tab and a call"):
        list(load_okapi("length", "email", workspace, "train"))
    okapi_file(tmp_path).write_bytes(b"not xz")
    with pytest.raises(BadFile, match="damaged"):
        list(load_okapi("length", "email", workspace, "train"))


def test_scores_forget_order_and_case_but_not_values() -> None:
    reference = "GET message FILTER message.from eq Bo Hall SEARCH tax COUNT"
    example = Example("x", Request("?"), (reference,), {"rows": "3"})
    metrics = {one.name: one for one in okapi_metrics(NOWHERE)}

    def scores(text: str) -> dict[str, object]:
        return {name: one.measure(example, [Candidate(text, 1.0)]) for name, one in metrics.items()}

    shuffled = scores("GET message COUNT SEARCH tax FILTER message.from eq bo hall")
    assert shuffled == {"exact": 1, "exact_cased": 0, "exact_raw": [3, 3], "clause_f1": 1.0, "executed": 1}
    missing = scores("GET message FILTER message.from eq Bo Hall COUNT")
    assert missing["exact"] == 0 and missing["exact_raw"] == [0, 3]
    assert missing["clause_f1"] == pytest.approx(2 * 3 / 7)
    assert scores("GET message FILTER")["clause_f1"] == 0.0
    assert metrics["exact_raw"].reduce([[3, 3], [0, 1]]).value == 0.75


def test_scan_is_equal_word_by_word() -> None:
    (exact,) = scan_metrics(NOWHERE)
    example = Example("x", Request("walk twice"), ("I_WALK I_WALK",), {})
    assert exact.measure(example, [Candidate("I_WALK  I_WALK", 0.0)]) == 1
    assert exact.measure(example, [Candidate("I_WALK", 0.0)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "sizes"),
    [
        ("length-document", (2245, 100, 913)),
        ("length-email", (2473, 100, 963)),
        ("length-calendar", (1309, 100, 998)),
        ("program-document", (2763, 1346, 1589)),
        ("program-email", (5024, 2420, 2646)),
        ("program-calendar", (2979, 1409, 1569)),
    ],
)
def test_the_release_has_these_distinct_rows(corpora: Path, task: str, sizes: tuple[int, int, int]) -> None:
    assert tuple(len(list(TASKS[f"api/{task}"].load(Workspace(corpora, corpora), part))) for part in PARTS) == sizes


@pytest.mark.slow
def test_scan_parts_are_whole(corpora: Path) -> None:
    for name, train, test in (("length", 16_990, 3_920), ("mcd1", 8_365, 1_045), ("mcd3", 8_365, 1_045)):
        task = TASKS[f"api/scan-{name}"]
        assert (
            len(list(task.load(Workspace(corpora, corpora), "train")))
            + len(list(task.load(Workspace(corpora, corpora), "dev")))
            == train
        )
        assert len(list(task.load(Workspace(corpora, corpora), "test"))) == test
