"""Whose tools a machine has, and what becomes of candidates that ask for flags they lack."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sayso.answer.answer import Proposal, answer
from sayso.apps.answering import calls_of, named_in
from sayso.apps.cli import local_tools
from sayso.apps.cli.local_tools import as_here
from sayso.apps.cli.output import answer_lines
from sayso.core.types import Candidate, Request, System
from sayso.targets.bash.evidence import tools_lack
from sayso.targets.bash.review.machine_lacks import differing, lacking
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.tasks import BASH

BSD_GREP = "grep (BSD grep, GNU compatible) 2.6.0-FreeBSD"
BSD_FIND = "find: illegal option -- -\nusage: find [-H | -L | -P] [-EXdsx] [-f path] path ... [expression]"


def tool(folder: Path, name: str, says: str, code: int = 0) -> Path:
    """A program that answers --version, and nothing else, with this text."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho asked >> {folder}/asked\ncat <<'END'\n{says}\nEND\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first folder of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize(
    ("says", "code", "name"),
    [
        ("find (GNU findutils) 4.9.0", 0, "gnu"),
        ("ls (uutils coreutils) 0.0.30", 0, "gnu"),
        ("ps from procps-ng 4.0.2", 0, "gnu"),
        ("find: unrecognized: --version\nBusyBox v1.36.1 (2023) multi-call binary.", 1, "busybox"),
        (BSD_GREP, 0, "bsd"),
        (BSD_FIND, 64, "bsd"),
        ("bsdtar 3.7.2 - libarchive 3.7.2", 0, "bsd"),
        ("something else", 0, ""),
    ],
)
def test_a_tool_is_known_by_what_it_says(tools: Path, says: str, code: int, name: str) -> None:
    assert local_tools.whose(str(tool(tools, "find", says, code))) == name


def test_this_machines_busybox_is_known_by_its_name_and_by_its_words(tools: Path, need: Callable[..., None]) -> None:
    need("busybox", "apt install busybox")
    busybox = shutil.which("busybox") or ""
    (tools / "find").symlink_to(busybox)
    assert local_tools.look_up(["find"], {}) == {"find": "busybox"}
    shutil.copy(busybox, tools / "sed")
    assert local_tools.whose(str(tools / "sed")) == "busybox"


class Says:
    """A translator that says the same to everybody."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(text, 0.9 - 0.1 * n) for n, text in enumerate(self.texts)][:k] for _ in requests]


def answered(whose: dict[str, str], k: int, *texts: str) -> tuple[Proposal, ...]:
    """What is shown of these commands where these tools are not GNU's."""
    here = partial(tools_lack, whose) if whose else None
    return answer(BASH, System(Says(*texts)), Request("hm"), k, here=here).candidates


def test_candidates_that_this_machine_cannot_run_are_marked_and_ranked_down() -> None:
    found = answered({"find": "busybox"}, 2, "find . -printf '%f\\n'", "find . -name '*.c'", "ls")
    assert [one.text for one in found] == ["find . -name '*.c'", "ls"]
    (alone,) = answered({"find": "busybox"}, 1, "find . -printf '%f\\n'")
    assert alone.score == pytest.approx(0.27)
    assert alone.why == ("find here is busybox's; -printf: BSD and busybox have none: use -exec stat",)


def test_no_command_that_destroys_takes_the_place_of_one_that_read() -> None:
    found = answered({"find": "busybox"}, 3, "find . -printf '%f\\n'", "rm -r old", "ls")
    assert [one.text.split()[0] for one in found] == ["ls", "find", "rm"]


def test_gnu_tools_change_nothing(tools: Path) -> None:
    tool(tools, "find", "find (GNU findutils) 4.9.0")
    known: local_tools.Tools = {}
    assert not local_tools.is_news({"candidates": [{"text": "find . -printf x"}]}, known)
    assert local_tools.others(known) == {}
    assert [one.text for one in answered({}, 3, "find . -printf x", "ls")] == ["find . -printf x", "ls"]


def test_a_tool_of_another_make_is_news_once(tools: Path) -> None:
    tool(tools, "find", "BusyBox v1.36.1")
    shown, known = {"candidates": [{"text": "find . -printf x"}, {"text": "ls"}]}, local_tools.known()
    assert local_tools.is_news(shown, known)
    assert local_tools.others(known) == {"find": "busybox"}
    assert not local_tools.is_news(shown, local_tools.known())


def test_a_tool_is_asked_once_and_again_when_it_has_changed(tools: Path) -> None:
    path = tool(tools, "sed", "sed (GNU sed) 4.9")
    for _ in range(3):
        assert local_tools.look_up(["sed"], local_tools.known()) == {"sed": "gnu"}
    assert (tools / "asked").read_text().count("asked") == 1
    path.unlink()
    tool(tools, "sed", "sed: illegal option -- -", 1)
    assert local_tools.others(local_tools.known()) == {}
    assert local_tools.look_up(["sed"], local_tools.known()) == {"sed": "bsd"}
    assert local_tools.others(local_tools.known()) == {"sed": "bsd"}
    path.unlink()
    tool(tools, "sed", "sed (GNU sed) 4.9")
    assert local_tools.others(local_tools.known()) == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"sed": 3, "find": ["x"]}', '{"sed": ["a", 1, 2, "mine"]}'])
def test_a_broken_cache_says_nothing(text: str) -> None:
    path = Path(local_tools.cache_file())
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert local_tools.known() == {}


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(tools: Path, user_folders: Path) -> None:
    (user_folders / "cache" / "sayso").write_text("a file where the folder should be")
    tool(tools, "sed", "sed (GNU sed) 4.9")
    assert local_tools.look_up(["sed"], {}) == {"sed": "gnu"}


def test_warm_it_costs_a_few_milliseconds() -> None:
    texts = ("find . -type f | xargs grep x | sort | uniq -c | head", "ls -l | wc -l", "du -sh * | sort -h")
    shown = {"candidates": [{"text": text} for text in texts]}
    local_tools.is_news(shown, local_tools.known())
    times = []
    for _ in range(9):
        start = time.process_time()
        local_tools.is_news(shown, local_tools.known())
        times.append(time.process_time() - start)
    assert sorted(times)[4] < 0.005


def test_a_real_answer_is_ranked_for_a_busybox_machine(
    answers: Path, tools: Path, tmp_path: Path, need: Callable[..., None]
) -> None:
    need("busybox", "apt install busybox")
    (tools / "find").symlink_to(shutil.which("busybox") or "")
    run = [str(answers / "sayso"), "--json", "names"]
    shown = subprocess.run(run, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    first, second = json.loads(shown)["candidates"]
    assert (first["text"], first["why"]) == ("find . -name '*'", [])
    assert second["why"][0].startswith("find here is busybox's; -printf: ")


@pytest.mark.parametrize(
    ("command", "dialects", "lacks", "differs"),
    [
        ("sed -i s/a/b/ f", {"sed": "bsd"}, ["-i"], []),
        ("find . -name x -maxdepth 1", {"find": "bsd"}, [], ["-maxdepth"]),
        ("sed -i s/a/b/ f", {"sed": "busybox"}, [], []),
        ("ls | xargs -d '\\n' rm", {"xargs": "bsd"}, ["-d"], []),
        ("find . -exec stat -c %s {} +", {"stat": "bsd", "find": "bsd"}, ["-c"], []),
        ("find . -printf x", {"grep": "bsd"}, [], []),
    ],
)
def test_flags_of_other_dialects(command: str, dialects: dict[str, str], lacks: list[str], differs: list[str]) -> None:
    def flags(found: list[Any]) -> list[str]:
        return [command[one.start : one.end].split()[0] for one in found]

    script = parse(command)
    assert (flags(lacking(script, dialects)), flags(differing(script, dialects))) == (lacks, differs)


def test_what_is_not_installed_is_said_with_its_package_and_what_is_here_is_not_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mytool", "ls"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    reasons = [
        ["unknown utility mytool; did you mean mytop?"],
        ["unknown utility fuser"],
        ["unknown utility nonesuch"],
        [],
    ]
    texts = ["mytool x", "fuser -k 3000/tcp", "nonesuch x", "ls | ffmpeg -i a b"]
    rows = [{"text": text, "why": why} for text, why in zip(texts, reasons, strict=True)]
    answer = {"candidates": rows, "calls": calls_of(rows)}
    local_tools.say_absent(answer)
    assert [row["why"] for row in rows] == [
        [],
        ["fuser is not installed here: the package psmisc has it"],
        ["unknown utility nonesuch"],
        ["ffmpeg is not installed here: the package ffmpeg has it"],
    ]
    assert "calls" not in answer
    found = {text: [one.message for one in as_here(text, BASH.check(text))] for text in texts}
    assert found["mytool x"] == [] and found["nonesuch x"] == ["unknown utility nonesuch"]
    assert found["fuser -k 3000/tcp"] == ["fuser is not installed here: the package psmisc has it"]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("trim song.mp3 with sox", ["sox is not installed here: the package sox has it"]),
        ("list the files with ls", []),  # it is here
        ("use ffmpeg to cut a.mp4", ["ffmpeg is not installed here: the package ffmpeg has it"]),
        ("find files with age over a week", []),  # a word of English, cue or not
        ("convert a.png to jpg", []),  # a word of English, and nothing says that it is a tool
        ("use frobnicator on a.png", []),  # nobody knows where it comes from
    ],
)
def test_a_tool_that_the_request_says_to_use_and_that_is_not_here_is_told_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: str, told: list[str]
) -> None:
    (tmp_path / "ls").write_text("#!/bin/sh\n")
    (tmp_path / "ls").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    rows = [{"text": "ffmpeg -i a b", "why": []}]
    answer = {"candidates": rows, "calls": calls_of(rows), "named": named_in(request_), "abstained": True}
    local_tools.say_absent(answer)
    assert answer.get("absent", []) == told and "named" not in answer
    assert answer_lines(answer, False)[1:] == [f"# {one}" for one in told]


def test_a_candidate_that_is_shown_says_itself_that_its_tool_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    rows = [{"text": "ffmpeg -i a b", "why": []}]
    named = named_in("use ffmpeg to cut a.mp4")
    answer = {"candidates": rows, "calls": calls_of(rows), "named": named, "abstained": False}
    local_tools.say_absent(answer)
    assert "absent" not in answer and rows[0]["why"] == ["ffmpeg is not installed here: the package ffmpeg has it"]


@pytest.mark.parametrize(
    "text",
    ["f() { cd x; }; f", "[ -f a ] && echo x; : ; . ./env", "cd a && ./run.sh", "if [[ a == b ]]; then true; fi", "("],
)
def test_what_the_shell_does_itself_is_no_program(text: str) -> None:
    assert calls_of([{"text": text}]) == [{}]


def test_programs_inside_others_are_called_too() -> None:
    (called,) = calls_of([{"text": "find . -exec convert {} {}.png \\; | xargs tree; env A=1 rg foo"}])
    assert called == {
        **{"find": "", "convert": "imagemagick", "xargs": "", "tree": "tree"},
        **{"env": "", "rg": "ripgrep"},
    }
