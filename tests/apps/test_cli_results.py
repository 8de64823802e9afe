"""`sayso results` from the outside, in a checkout: runs do not dirty it, publishing is on purpose, test is counted."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.apps.test_cli_runs import SYSTEMS, TARGET, load, metrics

from sayso.apps import settings
from sayso.apps.cli.main import main
from sayso.core.types import Task
from sayso.runs import provenance
from sayso.targets import TARGETS, TASKS

Call = Callable[..., tuple[int, str, str]]
COMMIT = "1" * 40


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """We stand in a clean checkout, the toy task is known, and the running code is committed."""
    monkeypatch.setitem(TARGETS, "toy", TARGET)
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, SYSTEMS))
    monkeypatch.delenv("SAYSO_RESULTS", raising=False)
    monkeypatch.setattr(provenance, "commit", lambda: (COMMIT, False))
    folder = tmp_path / "checkout"
    (folder / "src/sayso/core").mkdir(parents=True)
    for name in ("src/sayso/core/types.py", "pyproject.toml", "results/ledger.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    monkeypatch.chdir(folder)
    git("init", "-q")
    commit()
    return folder


def git(*words: str) -> str:
    named = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(named, check=True, capture_output=True, text=True).stdout


def commit() -> None:
    git("add", "-A")
    git("commit", "-qm", "all")


def changed() -> list[str]:
    return [line[3:] for line in git("status", "--porcelain", "--untracked-files=all").splitlines()]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--no-sandbox"] if words[0] in ("eval", "score", "report") else words)
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def answer(call: Call, *words: str) -> Any:
    code, out, err = call(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_eval_score_and_report_leave_a_checkout_clean(checkout: Path, call: Call, tmp_path: Path) -> None:
    stored = str(tmp_path / "p.jsonl")
    assert call("eval", "toy/shout", "--predictions-out", stored)[0] == 0
    assert call("score", "toy/shout", "--predictions", stored)[0] == 0
    assert "toy/shout dev" in call("report", "toy/shout")[1]
    assert changed() == []
    own = settings.results_folder()
    assert own.is_relative_to(settings.user_folder("data"))
    assert len((own / "ledger.jsonl").read_text().splitlines()) == 2


def test_a_run_on_test_is_published_at_once_and_counted_on_every_machine(
    checkout: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = ("eval", "toy/shout", "--split", "test", "--fresh")
    assert [answer(call, *command)["test_runs"] for _ in range(2)] == [1, 2]
    assert changed() == ["results/ledger.jsonl"]
    # Another user has only what was committed; a folder that they name is theirs and hides nothing.
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "theirs"))
    assert answer(call, *command)["test_runs"] == 3
    monkeypatch.delenv("SAYSO_RESULTS")
    assert answer(call, "eval", "toy/shout", "--split", "test")["test_runs"] == 3


def test_publish_lists_first_and_copies_what_is_chosen(checkout: Path, call: Call) -> None:
    for system in ("default", "mute"):
        call("eval", "toy/shout", "--system", system)
    listed = answer(call, "results", "list")
    assert [(one["system"], one["new"], one["committed"]) for one in listed["pending"]] == [
        ("default", True, True),
        ("mute", True, True),
    ]
    assert listed["folders"]["published"] == str(checkout / "results")
    assert answer(call, "results", "publish") == listed and changed() == []
    chosen = listed["pending"][1]
    done = answer(call, "results", "publish", chosen["id"][:8])
    assert done["lines"] == [chosen["id"]] and done["predictions"] == ["predictions/toy/shout/mute.dev.jsonl.zst"]
    assert changed() == [
        "results/ledger.jsonl",
        "results/predictions/toy/shout/mute.dev.json",
        "results/predictions/toy/shout/mute.dev.jsonl.zst",
    ]
    assert [one["system"] for one in answer(call, "results", "list")["pending"]] == ["default"]
    code, out, err = call("results", "publish", "--all")
    assert code == 0 and "ledger lines: 1, files of predictions: 1" in out and "commit them: git add results" in err
    code, out, err = call("results", "list")
    assert (code, out) == (0, "") and "is in" in err


def test_what_was_published_is_reported_by_who_has_only_that(
    checkout: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call("eval", "toy/shout", "--system", "mute")
    here = call("report", "toy/shout")[1]
    answer(call, "results", "publish", "--all")
    assert call("report", "toy/shout")[1] == here
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "theirs"))
    assert call("report", "toy/shout")[1] == here
    # What others stored is scored here without a run, and without touching it.
    commit()
    _, out, err = call("eval", "toy/shout", "--system", "mute")
    assert "0.250" in out and f"scored the predictions in {checkout}" in err
    assert changed() == []


def test_uncommitted_code_is_refused_until_it_is_told(
    checkout: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("eval", "toy/shout")
    monkeypatch.setattr(provenance, "commit", lambda: (COMMIT, True))
    call("eval", "toy/shout", "--system", "mute")
    clean, dirty = [one["id"] for one in answer(call, "results", "list")["pending"]]
    code, out, err = call("results", "publish", "--all")
    assert (code, out) == (2, "") and f"sayso: 1 line comes from uncommitted code: {dirty}" in err and "--dirty" in err
    assert changed() == []
    assert answer(call, "results", "publish", clean)["lines"] == [clean]
    (checkout / "src/sayso/core/types.py").write_text("changed\n")
    code, out, err = call("results", "publish", dirty)
    assert (code, out) == (2, "") and "src/sayso/core/types.py" in err and "commit first, or add --dirty" in err
    assert answer(call, "results", "publish", dirty, "--dirty")["lines"] == [dirty]


def test_runs_on_test_that_were_made_elsewhere_come_with_whatever_is_published(
    checkout: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(provenance, "commit", lambda: ("", False))
    call("eval", "toy/shout", "--split", "test")
    call("eval", "toy/shout", "--split", "dev")
    monkeypatch.chdir(checkout)
    assert answer(call, "eval", "toy/shout", "--split", "test")["test_runs"] == 1
    done = answer(call, "results", "publish", "--all", "--systems", "nobody")
    assert (len(done["lines"]), done["predictions"]) == (1, [])
    left = [(one["kind"], one["split"], one["new"]) for one in answer(call, "results", "list")["pending"]]
    assert left == [("eval", "test", False), ("eval", "dev", True), ("score", "test", True)]


def test_lines_can_be_narrowed_down(checkout: Path, call: Call) -> None:
    for words in ((), ("--fresh",), ("--system", "mute"), ("--split", "train")):
        call("eval", "toy/shout", *words)

    def found(*words: str) -> list[tuple[str, str]]:
        return [(one["system"], one["split"]) for one in answer(call, "results", "list", *words)["pending"]]

    assert len(found()) == len(found("--task", "toy/shout")) == 4 and found("--task", "bash/command") == []
    assert found("--newest") == [("default", "dev"), ("mute", "dev"), ("default", "train")]
    assert found("--systems", "default", "--split", "dev", "--newest") == [("default", "dev")]
    # Nobody reports on train: its line may be published, its predictions are not.
    train = answer(call, "results", "list", "--split", "train")["pending"][0]
    assert train["predictions"] is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("results",), "list|publish"),
        (("results", "pubish"), "did you mean publish"),
        (("results", "publish", "abc", "--all"), "an ID and --all both say what to publish"),
        (("results", "publish", "abc"), 'unknown unpublished line "abc"'),
        (("results", "list", "--split", "deb"), "did you mean dev"),
        (("results", "list", "--task", "toy/shuot"), "did you mean toy/shout"),
    ],
)
def test_bad_input_gets_one_line(checkout: Path, call: Call, words: tuple[str, ...], says: str) -> None:
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert says in err and err.startswith("sayso: ") and "hint: " in err and "Traceback" not in err


def test_without_a_checkout_there_is_nothing_to_publish_to(
    checkout: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call("eval", "toy/shout")
    monkeypatch.setenv("SAYSO_RESULTS", str(checkout / "results"))
    code, _, err = call("results", "publish", "--all")
    assert code == 2 and "the checkout's own folder" in err and "unset SAYSO_RESULTS" in err
    monkeypatch.delenv("SAYSO_RESULTS")
    monkeypatch.chdir(tmp_path)
    assert len(answer(call, "results", "list")["pending"]) == 1
    code, _, err = call("results", "publish", "--all")
    assert code == 2 and "you stand in no checkout" in err and "cd into one" in err
