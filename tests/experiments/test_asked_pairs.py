"""Making the asked corpus of what writers wrote, and running its commands, both by one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sayso.core.types import Sandbox
from sayso.experiments import asked_pairs
from sayso.targets.bash.corpus.asked.nearness import Held
from sayso.targets.bash.corpus.asked.pairs import load_asked, load_ran
from sayso.targets.bash.lessons.ran import Ran

LINES = (
    "one\tbaker\tterse\tsort loaves.txt\tsort loaves.txt\n"
    "steps\tbaker\tplain\tempty the oven folder\trm -r oven/*\n"
    "known\tbaker\tplain\twhat lies on the shelf\tls shelf\n"
    "one\tbaker\tplain\tonly four columns\n"
)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(asked_pairs, "held_parts", lambda data: [Held("made-up dev", "What lies on the shelf?")])
    (tmp_path / "w03.tsv").write_text(LINES, encoding="utf-8")
    return tmp_path


def test_files_become_a_corpus_and_its_counts(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(written / "w03.tsv"), "--data", str(written), "--out", str(written / "out")]
    assert asked_pairs.main(words) == 0
    printed = capsys.readouterr().out
    assert "shelf" not in printed
    made = json.loads(printed)
    assert (made["read"], made["published"], made["near"]) == (4, 2, {"made-up dev": 1})
    assert {pair.command for pair in load_asked(written / "out")} == {"sort loaves.txt", "rm -r oven/*"}


def test_later_pairs_are_checked_beside_the_published_ones_and_counts_go_on(written: Path) -> None:
    asked_pairs.make([written / "w03.tsv"], written, written / "out")
    (written / "w04.tsv").write_text(
        "one\tbaker\tterse\tsort the loaves.txt\tsort loaves.txt\none\tbaker\tplain\tcount crumbs\twc -l crumbs\n"
    )
    made = asked_pairs.make([written / "w04.tsv"], written, written / "out", adds=True)
    assert (made["read"], made["files"], made["published"], made["near"]) == (6, 2, 3, {"made-up dev": 1})
    assert made["dropped"] == {"not five columns": 1, "the same pair twice": 1, "request of a held-out part": 1}
    assert {pair.id[:3] for pair in load_asked(written / "out")} == {"w03", "w04"}


def test_what_was_run_is_not_run_again(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried: list[str] = []

    def trial(request: str, command: str, sandbox: Sandbox) -> Ran:
        tried.append(command)
        return Ran(command, "ran")

    asked_pairs.make([written / "w03.tsv"], written, written / "out")
    sandbox: Sandbox = None  # type: ignore[assignment]  # the trial needs none
    assert asked_pairs.run(written / "out", 1, sandbox, trial) == {"ran": 1}
    assert asked_pairs.run(written / "out", 9, sandbox, trial) == {"ran": 2}
    assert sorted(tried) == ["rm -r oven/*", "sort loaves.txt"]
    assert len(load_ran(written / "out")) == 2


def test_files_without_what_they_must_not_be_near_are_refused(written: Path) -> None:
    with pytest.raises(SystemExit):
        asked_pairs.main([str(written / "w03.tsv")])
