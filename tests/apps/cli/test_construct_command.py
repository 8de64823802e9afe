"""`sayso construct`: calls go to the judge page and come back as pairs, figures and rules are printed for any pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.cli.main import main
from sayso.apps.judge.desk import Desk
from sayso.apps.judge.export import export
from sayso.apps.judge.items import Json, read_items
from sayso.apps.judge.store import Store


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def spoken(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_calls_are_phrased_on_the_judge_page_then_said_otherwise_then_approved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, written = tmp_path / "calls.jsonl", tmp_path / "written.jsonl"
    told = spoken(capsys, "construct", "calls", "email", "-n", "3", "--out", str(shown))
    assert (told["rows"], told["templates"]) == (3, 221)
    items = read_items(shown, "phrase")
    assert [item.text for item in items] == [row["call"] for row in rows(shown)] and items[0].canonical

    with Store(tmp_path / "first") as store:
        desk = Desk(store, items)
        desk.save("ada", items[0].id, 1, {"texts": ["mail from Vera", "what did Vera write"]}, True)
        desk.save("ada", items[1].id, 1, {"texts": ["anything new", "Mail from  Vera"]}, True)
        export(desk.board, written)
    pairs = tmp_path / "pairs.jsonl"
    told = spoken(capsys, "construct", "pairs", str(written), "--out", str(pairs))
    assert told["rows"] == 4 and told["dropped"] == {}
    assert {row["call"] for row in rows(pairs)} == {items[0].text, items[1].text}
    assert {row["domain"] for row in rows(pairs)} == {"email"}

    again = tmp_path / "again.jsonl"
    spoken(capsys, "construct", "items", str(pairs), "--out", str(again))
    assert [item.canonical for item in read_items(again, "phrase")] == [row["text"] for row in rows(pairs)]

    approve = tmp_path / "approve.jsonl"
    spoken(capsys, "construct", "items", str(pairs), "--as", "verdicts", "--out", str(approve))
    verdicts = read_items(approve, "verdicts")
    with Store(tmp_path / "second") as store:
        desk = Desk(store, verdicts)
        for item, right in zip(verdicts[:2], (True, False), strict=True):
            for judge in ("ada", "ben", "cy"):
                body: Json = {"verdicts": [{"text": item.options[0].text, "command": right, "template": right}]}
                desk.save(judge, item.id, 1, body, False)
        export(desk.board, written)
    told = spoken(capsys, "construct", "pairs", str(written), "--out", str(pairs))
    assert told["rows"] == 1 and told["dropped"] == {"judged wrong": 1}
    assert rows(pairs)[0]["text"] == "mail from Vera"


def test_calls_in_another_language_and_to_a_pipe(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["construct", "calls", "calendar", "-n", "5", "--language", "german"]) == 0
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert len(lines) == 5 and all(one["kind"] == "phrase" for one in lines)
    assert all(one["id"].startswith("construct:german:calendar:") for one in lines)
    assert all(one["canonical"].startswith(("Zeige ", "Wie viele ")) for one in lines)


def test_more_calls_than_there_are_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert (
        main(["construct", "calls", "email", "-n", "9999", "--parameters", "2", "--out", str(tmp_path / "x.jsonl")])
        == 0
    )
    assert "there are no more than" in capsys.readouterr().err


def test_quality_of_pairs_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        json.dumps({"text": "Show emails from Ada.", "call": "GET message FILTER message.from eq Ada"})
        + "\n"
        + json.dumps({"text": "was da something", "call": "GET message FILTER message.from eq Ada"})
        + "\n"
    )
    told = spoken(capsys, "construct", "quality", str(path))
    (form, sentence) = told["figures"]
    assert (form["wording"], sentence["wording"], sentence["n"]) == ("form", "sentence", 2)
    # One request is the sentence itself, the other shares no word with it.
    assert sentence["1-gram Jaccard"] == sentence["2-gram Jaccard"] == 0.5
    assert sentence["2-gram Jaccard between questions of one call"] == 0
    assert told["paper"]["edit distance"] == 60.5
    assert main(["construct", "quality", str(path)]) == 0
    assert "email, sentence (n 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "line", "told"),
    [
        (["calls", "mail"], "", 'unknown domain "mail"'),
        (["calls", "email", "--language", "germn"], "", "german"),
        (["quality", "FILE"], '{"text": "x"}', 'FILE:1: a row has "text" and "call"'),
        (["quality", "FILE"], '{"text": "x", "call": "GET nothing"}', "FILE:1: no domain has the resource nothing"),
        (["pairs", "FILE"], "no json", "FILE:1: not JSON"),
        (["items", "FILE"], '{"text": "x", "call": "PUT x"}', "FILE:1: a call starts with GET"),
        (["learn", "english"], "", "unknown language"),
    ],
)
def test_what_cannot_be_used_gets_one_line(
    words: list[str], line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(line + "\n")
    assert main(["construct", *(str(path) if word == "FILE" else word for word in words)]) == 2
    assert told.replace("FILE", str(path)) in capsys.readouterr().err


def test_mistakes_of_a_sample_of_the_release(
    corpora: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAYSO_DATA", str(corpora))
    told = spoken(capsys, "construct", "mistakes", "--sample", "40", "--list")
    assert [each["rows"] for each in told["domains"].values()] == [40, 40, 40]
    found = sum(each["found"] for each in told["domains"].values())
    assert 0 < found < 20, "the paper says 3 %"
    assert len({one["question"] for one in told["mistakes"]}) <= len(told["mistakes"])
    assert told == spoken(capsys, "construct", "mistakes", "--sample", "40", "--list")
