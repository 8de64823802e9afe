"""`sayso stats nl2bash`: the shape that the contract promises, the paper's counts, the figures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.cli.main import main
from sayso.targets.bash.corpus.counts import Counts, words_of
from sayso.targets.bash.corpus.filter import REASONS
from sayso.targets.bash.corpus.nl2bash import Pair
from sayso.targets.bash.corpus.stats import PAPER


@pytest.fixture
def small(small_nl2bash: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of six pairs of our own, four of them "published"."""
    monkeypatch.setenv("SAYSO_DATA", str(small_nl2bash))
    return small_nl2bash


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["stats", "nl2bash", "--json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_json_has_the_promised_shape(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys)
    assert found["corpus"] == "nl2bash"
    assert {"filter", "split", *PAPER} == set(found["tables"])
    for name, rows in PAPER.items():
        assert list(rows) == list(found["tables"][name])
        for row, cell in found["tables"][name].items():
            assert {"ours", "paper", "our filter"} == set(cell)
            assert cell["paper"] == rows[row]
    assert found["dropped"] == {"list of commands": 1, "interpreter": 1}
    assert found["tables"]["filter"]["kept"]["ours"] == 4
    assert found["tables"]["filter"]["agreement"]["ours"] == 1.0
    assert found["constants"] == 1 and "mismatches" not in found


def test_ours_depends_on_the_split_asked_for(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs, ours = answer(capsys), answer(capsys, "--split", "ours")
    assert theirs["tables"]["table 6"]["train pairs"]["ours"] == 2
    for row, cell in theirs["tables"]["table 6"].items():
        other = ours["tables"]["table 6"][row]
        assert (cell["ours"], cell["our filter"]) == (other["published"], other["ours"])
    # By key: find, list all file, print; fold 10 is dev, so the two "list all files" are dev here.
    assert ours["tables"]["table 6"]["dev pairs"]["ours"] == 2
    assert ours["tables"]["filter"]["commands cleaned"]["ours"] == 1  # sudo


def test_constants_are_listed_when_asked_for(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--constants")
    assert found["mismatches"] == [{"id": "nl2bash:4", "how": "case", "nl": "/Tmp", "command": "/tmp"}]
    assert main(["stats", "nl2bash", "--constants"]) == 0
    assert "'/Tmp'" in capsys.readouterr().out


def test_text_puts_ours_beside_theirs(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "nl2bash"]) == 0
    shown = capsys.readouterr().out
    assert "train pairs" in shown and "8,090" in shown
    assert REASONS["interpreter"] in shown
    assert "1 constants differ between NL and command" in shown
    assert main(["stats", "nl2bash", "--markdown"]) == 0
    assert "| train pairs | 2 | 8,090 |" in capsys.readouterr().out


def test_a_page_gets_its_tables_between_the_marks(
    small: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n<!-- stats -->\nstale rows\n<!-- /stats -->\n\nthe end\n")
    for _ in range(2):
        assert main(["stats", "nl2bash", "--page", str(page)]) == 0
        shown = page.read_text()
        assert shown.startswith("# Title\n\n<!-- stats -->\n\n### filter") and shown.endswith("-->\n\nthe end\n")
        assert "stale rows" not in shown and shown.count("### table 6") == 1
    page.write_text("# Title\n")
    assert main(["stats", "nl2bash", "--page", str(page)]) == 2
    assert "write these two lines" in capsys.readouterr().err
    assert page.read_text() == "# Title\n"


@pytest.mark.slow
def test_plots_are_the_same_bytes_each_time(small: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    first = [Path(path) for path in answer(capsys, "--plots", str(tmp_path / "a"))["files"]]
    second = [Path(path) for path in answer(capsys, "--plots", str(tmp_path / "b"))["files"]]
    assert [path.name for path in first] == [
        f"nl2bash.figure-{figure}.{ending}" for figure in (1, 4) for ending in ("png", "svg")
    ]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_an_unknown_corpus_and_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path))
    assert main(["stats", "nl2bsh"]) == 2
    assert "did you mean nl2bash" in capsys.readouterr().err
    assert main(["stats", "nl2bash"]) == 2
    assert "sayso data get nl2bash" in capsys.readouterr().err


def test_counts_by_hand() -> None:
    rows = [
        ("list all the files", "ls -la"),
        ("list all files", "ls -a"),
        ("Print the lines of a.txt (sorted)", "sort a.txt | uniq"),
        ("find /Tmp", "sudo find /tmp"),
    ]
    pairs = [Pair(line, nl, command) for line, (nl, command) in enumerate(rows, 1)]
    counts = Counts({"train": pairs[:2], "dev": pairs[2:3], "test": pairs[3:]})
    three, four, five = counts.table_3, counts.table_4, counts.table_5
    # list all files · list all files · print lines of a.txt · find /Tmp
    assert (three["unique sentences"], three["unique words"]) == (4, 9)
    assert (three["words per sentence, average"], three["words per sentence, median"]) == (3.0, 3)
    # ls -l -a · ls -a · sort a.txt | uniq · sudo find /tmp
    assert (four["unique commands"], four["unique tokens"], four["tokens per command, average"]) == (4, 10, 3.0)
    assert dict(counts.utilities) == {"ls": 2, "find": 1, "sort": 1, "uniq": 1}
    assert dict(counts.flags) == {"-a": 2, "-l": 1}
    assert (five["commands per NL, average"], five["NLs per command, most"]) == (1.0, 1)
    assert counts.table_6["train NLs"] == 1
    assert counts.table_13(["ls", "nosuch"])["ls, flags in train"] == 2
    assert counts.table_13(["nosuch"]) == {"nosuch, flags": 0, "nosuch, flags in train": 0}


def test_an_empty_corpus_counts_nothing() -> None:
    counts = Counts({"train": [], "dev": [], "test": []})
    assert counts.table_4["unique commands"] == 0 and counts.table_5["NLs per command, most"] == 0
    assert counts.figure_1["most frequent (find)"] == 0 and counts.figure_4["utilities"] == 0


def test_words_are_lower_case_without_stop_words_and_asides() -> None:
    assert words_of('List the Files (all of them) in "My Docs".') == ["list", "files", "in", '"My Docs"']


@pytest.mark.slow
def test_the_published_corpus_has_the_counts_of_the_paper(corpora: Path, tmp_path: Path) -> None:
    """As the README's command, run for real; a page is written in the same run, since all of it takes many seconds."""
    page = tmp_path / "page.md"
    page.write_text("<!-- stats -->\n<!-- /stats -->\n")
    asked = [str(Path(sys.executable).with_name("sayso")), "stats", "nl2bash", "--json", "--page", str(page)]
    environment = {**os.environ, "SAYSO_DATA": str(corpora)}
    done = subprocess.run(asked, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    found = json.loads(done.stdout)
    tables = found["tables"]
    assert f"| train pairs | {tables['table 6']['train pairs']['ours']:,} | 8,090 |" in page.read_text()
    exact = {
        "table 3": ["unique sentences", "words per sentence, median", "sentences per word, median"],
        "table 4": ["unique commands", "unique utilities", "tokens per command, median", "commands per token, median"],
        "table 5": list(PAPER["table 5"]),
        "table 6": list(PAPER["table 6"]),
        "table 12": ["pairs"],
        "figure 4": ["utilities"],
    }
    for name, rows in exact.items():
        for row in rows:
            assert tables[name][row]["ours"] == tables[name][row]["paper"], (name, row)
    near = {"table 3": 0.03, "table 4": 0.08, "table 12": 0.05, "figure 1": 0.06}
    for name, share in near.items():
        for row, cell in tables[name].items():
            if row != "reserved tokens":
                assert cell["ours"] == pytest.approx(cell["paper"], rel=share), (name, row)
    assert sum(found["dropped"].values()) + tables["filter"]["kept"]["ours"] == 12_607
    assert tables["filter"]["agreement"]["ours"] >= 0.985
    assert 30 <= found["constants"] <= 80
