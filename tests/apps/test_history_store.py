"""History: nothing is written unless the user said so; what is kept is theirs alone, and answers come from it first."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sayso.apps import history_store as history
from sayso.apps.answering import Answerer
from sayso.core.errors import BadFile
from sayso.core.types import Candidate, Request, System, Workspace
from sayso.targets.bash.tasks import BASH

LOGS = "show the newest logs"


class Knows:
    """A translator that gives everybody the same answer, or none."""

    def __init__(self, *candidates: Candidate) -> None:
        self.candidates = list(candidates)

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.candidates[:k] for _ in requests]


@pytest.fixture
def answerer(tmp_path: Path) -> Answerer:
    """Answers `ls -t`, whatever is asked."""
    found = Answerer(Workspace(tmp_path, tmp_path))
    found.systems["bash"] = System(Knows(Candidate("ls -t", 0.9, ("x",))), 0.5, lambda request, k: ["list files"])
    return found


def own(request: str) -> list[Candidate]:
    return history.own_commands(BASH, BASH.read(Request(request)))


def everything() -> list[str]:
    home = Path(os.environ["HOME"])
    return sorted(str(one.relative_to(home)) for one in home.rglob("*") if one.is_file())


def test_nothing_is_written_while_it_is_off() -> None:
    assert not history.is_on()
    assert history.record("show the logs", "ls /var/log", how="run") is None
    assert own(LOGS) == []
    assert history.entries() == [] and everything() == []


def test_turned_off_again_it_keeps_and_answers_no_more() -> None:
    history.turn(True)
    history.record("show the newest logs", "ls -t /var/log")
    history.turn(False)
    before = history.history_file().read_bytes()
    assert history.record("other", "pwd") is None
    assert history.history_file().read_bytes() == before
    assert own(LOGS) == []


def test_what_is_kept_only_its_owner_reads() -> None:
    before = os.umask(0)
    try:
        history.turn(True)
        entry = history.record("show logs", "ls /var/log/é", "ls /var/log", "run")
    finally:
        os.umask(before)
    assert entry and history.entries() == [entry] and entry.proposed == "ls /var/log"
    for path in (history.history_file(), history.switch_file()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_same_again_is_one_entry_and_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_KEPT", 3)
    history.turn(True)
    for command in ("a", "b", "a", "c", "d"):
        history.record("request", command)
    assert [one.command for one in history.entries()] == ["a", "c", "d"]


@pytest.mark.parametrize(
    "command",
    [
        "mysql --password=hunter2",
        "curl -H 'Authorization: Bearer abc' x",
        "export API_KEY=1234",
        "git clone https://me:secret@host/x",
        "DB_PASSWORD=x ./run",
        "docker login --password hunter2",
        "PGPASSWORD=hunter2 psql",
        "export AWS_SECRET_ACCESS_KEY=abc",
        "MYSQL_PWD=hunter2 mysql",
        "mysql -u root -phunter2",
        "sshpass -p hunter2 ssh h",
        "curl -u me:hunter2 https://h",
        "git remote set-url origin ghp_0123456789abcdefghij",
    ],
)
def test_what_looks_like_a_secret_is_not_kept(command: str) -> None:
    history.turn(True)
    assert history.record("do it", command) is None and history.entries() == []


@pytest.mark.parametrize(
    "command",
    [
        "find . -name '*password*'",
        'docker run -v "$PWD:/app" -u 1000:1000 x',
        "sort --key=2 f",
        "mkdir -p a",
        "mysql -u root -p",
        "ssh -p 22 me@h",
    ],
)
def test_words_that_only_look_like_one_are_kept(command: str) -> None:
    history.turn(True)
    assert history.record("do it", command)


def test_a_request_with_an_odd_line_end_stays_one_entry() -> None:
    history.turn(True)
    history.record("show\u2028the logs", "ls\u2029x")
    assert [one.request for one in history.entries()] == ["show\u2028the logs"]


def test_a_closed_state_folder_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(self: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", closed)
        assert own(LOGS) == []


def test_deleting_one_and_all() -> None:
    history.turn(True)
    kept = [history.record("r", command) for command in ("a", "b", "c")]
    assert kept[1] and history.delete(kept[1].id) == 1
    assert [one.command for one in history.entries()] == ["a", "c"]
    assert history.delete("nothing") == 0
    assert history.delete() == 2 and not history.history_file().exists() and history.delete() == 0


def test_two_terminals_at_once_lose_nothing() -> None:
    history.turn(True)
    threads = [threading.Thread(target=history.record, args=("r", f"echo {n}")) for n in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(history.entries()) == 12


def test_a_broken_line_names_its_place_and_does_not_stop_an_answer() -> None:
    history.turn(True)
    history.record("a", "b")
    with history.history_file().open("a") as file:
        file.write("{broken\n")
    with pytest.raises(BadFile, match=r"history.jsonl:2 is no entry"):
        history.entries()
    assert own(LOGS) == []
    assert history.delete() == 2


def test_the_same_request_is_answered_from_it_first(answerer: Answerer) -> None:
    history.turn(True)
    history.record("show the newest logs", "ls -t /var/log | head -n 5", "ls -t", "run")
    answer = answerer.answer("bash", Request(LOGS), 3)
    assert [one["text"] for one in answer["candidates"]] == ["ls -t /var/log | head -n 5", "ls -t"]
    assert answer["candidates"][0]["why"] == ["from your history"] and answer["candidates"][0]["score"] == 1.0
    assert list(answer["candidates"][0]) == ["text", "score", "risk", "risky", "why"]


def test_a_request_nearly_the_same_too_and_it_says_which(answerer: Answerer) -> None:
    history.turn(True)
    history.record("show me the newest logs please", "ls -t /var/log")
    found = answerer.answer("bash", Request(LOGS), 3)["candidates"][0]
    assert found["text"] == "ls -t /var/log" and "from your history" in found["why"][0]


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("show files that are empty", "show files that are not empty"),
        ("list files older than 3 days", "list files newer than 3 days"),
        ("print lines before the word foo", "print lines after the word foo"),
        ("list the files with a bad name", "list the files without a bad name"),
    ],
)
def test_the_opposite_is_not_nearly_the_same(known: str, other: str) -> None:
    history.turn(True)
    history.record(known, "ls -t /var/log")
    assert history.recalled(other) == []
    assert history.recalled(known.replace("list", "show").replace("print", "show me the"))


@pytest.mark.parametrize(
    "other", ["show the newest logs in /tmp", "delete all docker images", "show the newest 7 logs"]
)
def test_another_request_or_other_constants_are_not(other: str) -> None:
    history.turn(True)
    history.record("show the newest logs", "ls -t /var/log")
    assert own(other) == []


def test_what_destroys_is_not_put_before_a_question_that_only_resembles_it(answerer: Answerer) -> None:
    history.turn(True)
    history.record("the old logs in the log folder", "rm /var/log/*.old")
    asked = Request("list old logs in the log folder")
    assert own(asked.text) and answerer.answer("bash", asked, 3)["candidates"][0]["text"] == "ls -t"


def test_where_nothing_good_was_known_history_still_answers_and_alone(answerer: Answerer) -> None:
    history.turn(True)
    answerer.systems["bash"] = replace(answerer.systems["bash"], abstain_below=0.95)
    assert answerer.answer("bash", Request("do the usual"), 3)["abstained"]
    history.record("do the usual", "make all")
    answer = answerer.answer("bash", Request("do the usual"), 3)
    assert not answer["abstained"] and "nearest" not in answer
    assert [one["text"] for one in answer["candidates"]] == ["make all"]


def test_no_question_is_asked_back_where_the_user_has_said_what_they_want(answerer: Answerer) -> None:
    history.turn(True)
    close = Knows(Candidate("ls -t", 0.6), Candidate("ls -S", 0.59))
    answerer.systems["bash"] = System(close)
    assert "question" in answerer.answer("bash", Request("list it"), 3)
    history.record("list it", "ls -t")
    assert "question" not in answerer.answer("bash", Request("list it"), 3)


def test_a_long_history_is_read_once_and_again_when_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    history.turn(True)
    history.write([history.Entry(f"{n:08x}", "", f"tidy project{n} with tool{n}", f"tool{n}") for n in range(3_000)])
    with monkeypatch.context() as patched:
        patched.setattr(history, "_alike", None)  # none of them is looked at closely
        assert history.recalled("show the newest logs") == []
    history.record("show the newest logs", "ls -t /var/log")
    assert [one.command for one, _ in history.recalled("show me the newest logs")] == ["ls -t /var/log"]


def test_no_more_than_k(answerer: Answerer) -> None:
    history.turn(True)
    for n in range(5):
        history.record("show the newest logs", f"ls -t | head -n {n}")
    answer = answerer.answer("bash", Request(LOGS), 2)
    assert [one["text"] for one in answer["candidates"]] == ["ls -t | head -n 4", "ls -t | head -n 3"]
