"""`sayso cell`: the next cell with its risk and what it lacks; put in, every other byte stays; nothing runs unasked."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.cli.main import main
from sayso.apps.daemon import server, wire
from sayso.core.errors import MissingPart, SandboxFailed
from sayso.core.types import Candidate, Outcome, Request, System, Workspace
from sayso.targets import TARGETS, TASKS

ANSWERS = ["print(np.mean(xs))", "import shutil\nshutil.rmtree('old')", "!ls"]


class Scripted:
    """Answers always the same, and keeps what it was asked."""

    def __init__(self, answers: Sequence[str] = ANSWERS) -> None:
        self.answers = answers
        self.asked: list[Request] = []

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.asked += requests
        return [[Candidate(text, 0.9 - place / 10) for place, text in enumerate(self.answers)][:k] for _ in requests]


@pytest.fixture(autouse=True)
def in_this_process() -> None:
    """Without the background process; the last tests ask one."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "sayso" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text("idle_minutes = 0\n")


Model = Callable[[Callable[[Workspace], System]], None]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    """model(make): `make` is the `default` of notebook cells."""

    def put(make: Callable[[Workspace], System]) -> None:
        task = TASKS["notebook/everyday"]
        monkeypatch.setitem(TASKS, task.name, replace(task, systems={**task.systems, "default": make}))

    return put


@pytest.fixture
def scripted(model: Model) -> Scripted:
    translator = Scripted()
    model(lambda workspace: System(translator))
    return translator


@pytest.fixture
def path(tmp_path: Path) -> Path:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["Make numbers\n"]},
        {"cell_type": "code", "metadata": {}, "source": ["xs = [1, 2]"], "outputs": [], "execution_count": 1},
        {"cell_type": "markdown", "metadata": {}, "source": ["Show their mean"]},
    ]
    found = tmp_path / "a.ipynb"
    found.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n")
    return found


def answer(words: Sequence[object], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["cell", *map(str, words), "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_shape_of_an_answer(path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer([path], capsys)
    assert found["request"] == "Show their mean" and found["at"] == 3 and found["target"] == "notebook"
    assert found["missing_imports"] == ["import numpy as np"] and not found["abstained"] and found["note"] == ""
    assert [(one["text"], one["risk"]) for one in found["candidates"]] == list(
        zip(ANSWERS, ["reads", "destroys", "reads"], strict=True)
    )
    assert set(found["candidates"][1]) >= {"text", "score", "risk", "risky", "why"} and "seconds" in found
    assert [piece.text for piece in scripted.asked[0].context] == ["Make numbers\n", "xs = [1, 2]"]
    found = answer([path, "--at", 2, "sum", "them"], capsys)
    assert (found["request"], found["at"]) == ("sum them", 2)


def test_lines_say_risk_and_lacks_as_comments(
    path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    assert main(["cell", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("print(np.mean(xs))\n# reads\n# lacks: import numpy as np\n\nimport shutil\n")
    assert "# destroys (shutil.rmtree)" in out and path.read_bytes() == before


def test_one_cell_is_one_that_parses(path: Path, model: Model, capsys: pytest.CaptureFixture[str]) -> None:
    model(lambda workspace: System(Scripted(["save xs to out.csv", "print(xs)"])))
    assert main(["cell", "-k", "1", str(path)]) == 0
    assert capsys.readouterr().out == "print(xs)\n# reads\n"


def test_inserted_with_its_imports_and_nothing_else_changes(
    path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = path.read_text()
    path.chmod(0o640)
    link = tmp_path / "link.ipynb"
    link.symlink_to(path)
    found = answer([link, "--insert", "--imports", "--at", 2, "mean"], capsys)
    assert found["inserted"] and link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o640
    after = path.read_text()
    new = json.loads(after)["cells"][2]
    assert "".join(new["source"]) == "import numpy as np\n\nprint(np.mean(xs))" and "id" not in new
    start = next(place for place, (old, one) in enumerate(zip(before, after, strict=False)) if old != one)
    assert after[:start] == before[:start] and after.endswith(before[start:])
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.ipynb", "link.ipynb"]
    assert main(["cell", str(path), "--insert", "--pick", "2", "--at", "4", "clean"]) == 0
    assert "put into" in capsys.readouterr().err and "rmtree" in json.loads(path.read_text())["cells"][4]["source"][1]


def test_a_script_is_answered_too(tmp_path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"import numpy as np\r\nxs = [1]\r\n")
    found = answer([path, "--insert", "mean of xs"], capsys)
    assert found["missing_imports"] == [] and found["at"] == 1
    assert path.read_bytes() == b"import numpy as np\r\nxs = [1]\r\n\r\n# %%\r\nprint(np.mean(xs))\r\n"


def test_without_a_model_recipes_answer_and_that_is_said(
    tmp_path: Path, model: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking(workspace: Workspace) -> System:
        raise MissingPart("no weights", "pip install them")

    model(lacking)
    (tmp_path / "goals.csv").write_text("team,goals\nA,3\n")
    script = tmp_path / "goals.py"
    script.write_text("# %%\nimport pandas as pd\ngames = pd.read_csv('goals.csv')\n")
    assert main(["cell", str(script), "mean goals per team"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith('games.groupby("team")["goals"].mean()\n# reads')
    assert told.err.count("\n") == 1 and "pip install sayso-notebook" in told.err
    assert main(["cell", str(script), "--insert", "zzyzx qwrt plugh"]) == 0
    told = capsys.readouterr()
    assert told.out == "# I don't know.\n" and "is as it was" in told.err


def outcome(monkeypatch: pytest.MonkeyPatch, code: int, out: bytes = b"", err: bytes = b"") -> list[Request]:
    """What the target's kernel says; gives the requests that it ran below."""
    asked: list[Request] = []

    def run(text: str, request: Request, sandbox: object) -> Outcome:
        asked.append(request)
        return Outcome(code, out, err)

    monkeypatch.setitem(TARGETS, "notebook", replace(TARGETS["notebook"], run=run))
    monkeypatch.setattr("sayso.sandbox.open_sandbox", lambda cache: None)
    return asked


def test_checked_and_written_only_where_it_ran(
    path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    outcome(monkeypatch, 1, err=b"cell 2 failed: NameError: name 'np' is not defined\n")
    found = answer([path, "--check", "--insert"], capsys, code=1)
    assert found["check"]["status"] == "failed" and "NameError" in found["check"]["said"][0]
    assert not found["inserted"] and path.read_bytes() == before
    asked = outcome(monkeypatch, 0, out=b"1.5\n")
    assert main(["cell", str(path), "--check", "--insert"]) == 0
    assert "# it ran in the sandbox\n# > 1.5" in capsys.readouterr().out and path.read_bytes() != before
    assert [piece.kind for piece in asked[0].context] == ["text", "code"]


def test_without_a_sandbox_nothing_runs_and_that_is_said(
    path: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(cache: Path) -> None:
        raise SandboxFailed("no sandbox works here", "install bubblewrap")

    monkeypatch.setattr("sayso.sandbox.open_sandbox", none)
    found = answer([path, "--check"], capsys)
    assert found["check"] == {"status": "not run", "said": ["no sandbox works here (install bubblewrap)"], "text": ""}


def test_of_several_the_first_that_runs_comes_first_and_is_written(
    path: Path, model: Model, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that fail come last, with the reason; what destroys is not tried in their place."""
    cells = ["oops(xs)", "import shutil\nshutil.rmtree('data')", "import math\nmath.fsum(xs)", "sum(xs)"]
    model(lambda workspace: System(Scripted(cells)))
    ran: list[str] = []

    def run(text: str, request: Request, sandbox: object) -> Outcome:
        ran.append(text)
        return Outcome(int("oops" in text), b"", b"cell 2 failed: NameError: oops\n" if "oops" in text else b"")

    monkeypatch.setitem(TARGETS, "notebook", replace(TARGETS["notebook"], run=run))
    monkeypatch.setattr("sayso.sandbox.open_sandbox", lambda cache: None)
    found = answer([path, "--check", "--insert", "-k", "4", "the sum"], capsys)
    assert ran == [cells[0], cells[2]] and found["check"]["status"] == "ran" and found["inserted"]
    assert [one["text"] for one in found["candidates"]] == [cells[2], cells[1], cells[3], cells[0]]
    assert found["candidates"][-1]["why"][-2:] == ["it failed in the sandbox", "cell 2 failed: NameError: oops"]
    assert b"fsum" in path.read_bytes() and b"oops" not in path.read_bytes()
    ran.clear()
    assert answer([path, "--check", "--pick", "1", "-k", "4", "the sum"], capsys, code=1)["check"]["status"] == "failed"
    assert ran == [cells[0]]


@pytest.mark.sandbox
def test_checked_for_real_with_the_file_beside_it(
    tmp_path: Path, model: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ipykernel")
    translator = Scripted()
    translator.translate = lambda requests, k=1: [[Candidate("print(open('p.txt').read(), x)", 1.0)]]  # type: ignore[method-assign]
    model(lambda workspace: System(translator))
    (tmp_path / "p.txt").write_text("seen")
    (tmp_path / "a.py").write_text("x = 1\n")
    found = answer([tmp_path / "a.py", "--check", "show it"], capsys)
    if found["check"]["status"] == "not run":
        pytest.skip(found["check"]["said"][0])
    assert found["check"] == {"status": "ran", "said": [], "text": "seen 1\n"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["none.ipynb"], "there is no none.ipynb"),
        (["."], "it is a folder, not a plain file"),
        (["a.ipynb", "--at", "9", "x"], "a.ipynb has 3 cells: there is no place 9"),
        (["a.ipynb", "--at", "-1", "x"], "must be a whole number of 0 or more"),
        (["a.ipynb", "--at", "2"], "nothing says what cell 3 of a.ipynb should do"),
        (["a.ipynb", "--insert", "--pick", "4"], "there are 3 candidates: none is number 4"),
        (["a.ipynb", " "], "the request is empty"),
        (["b.ipynb", "x"], "b.ipynb: not JSON"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str],
    line: str,
    path: Path,
    scripted: Scripted,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(path.parent)
    Path("b.ipynb").write_text("{")
    assert main(["cell", *words]) == 2
    assert line in capsys.readouterr().err.splitlines()[0]


def test_what_another_program_wrote_meanwhile_is_not_lost(
    path: Path, model: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    class Slow(Scripted):
        def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
            path.write_text(path.read_text() + " ")
            return super().translate(requests, k)

    model(lambda workspace: System(Slow()))
    assert main(["cell", str(path), "--insert"]) == 3
    assert "was changed by another program" in capsys.readouterr().err and path.read_text().endswith("\n ")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Mapping[str, Any]]]:
    """A background process in a thread, for a target that it answers; gives its questions."""
    Path(os.environ["XDG_CONFIG_HOME"], "sayso", "config.toml").write_text("idle_minutes = 5\n")
    monkeypatch.setitem(TARGETS, "notebook", replace(TARGETS["notebook"], answered_by="notebook/everyday"))
    questions: list[Mapping[str, Any]] = []

    def answering(question: Mapping[str, Any]) -> dict[str, Any]:
        questions.append(question)
        if question["text"] == "lack":
            raise MissingPart("no weights", "pip install them")
        one = {"text": "np.ones(1)", "score": 1.0, "risk": "reads", "risky": [], "why": []}
        return {"target": "notebook", "request": question["text"], "candidates": [one], "abstained": False}

    held = server.lock()
    assert held is not None
    listening = server.Server(answering, wire.build(), 60.0, held)
    thread = threading.Thread(target=listening.serve)
    thread.start()
    yield questions
    listening.tell()
    thread.join()


def test_the_background_process_is_asked_where_it_can_answer(
    path: Path, model: Model, heard: list[Mapping[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking(workspace: Workspace) -> System:
        raise MissingPart("no weights", "pip install them")

    model(lacking)
    found = answer([path, "one more"], capsys)
    assert [one["text"] for one in found["candidates"]] == ["np.ones(1)"]
    assert found["missing_imports"] == ["import numpy as np"] and found["note"] == ""
    assert [piece["kind"] for piece in heard[0]["context"]] == ["text", "code", "text"]
    found = answer([path, "lack"], capsys)
    assert len(heard) == 2 and "pip install sayso-notebook" in found["note"]
    many = "".join(f"# %%\nx = '{'y' * 30_000}'\n" for _ in range(40))
    path.with_name("b.py").write_text(many)
    assert answer([path.with_name("b.py"), "more than a line of ours holds"], capsys)["note"] and len(heard) == 2


def test_a_script_as_long_as_a_book_is_read_at_both_ends(
    tmp_path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.py"
    path.write_text("import numpy as np\n" + "x = 1\n" * 300_000 + "xs = [1]\n")
    assert answer([path, "mean"], capsys)["missing_imports"] == []
    head, tail = (piece.text for piece in scripted.asked[0].context)
    assert head.startswith("import numpy as np\n") and tail.endswith("xs = [1]") and len(head) + len(tail) <= 40_000


def test_the_header_of_a_table_beside_the_notebook_is_read(
    tmp_path: Path, scripted: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trips.csv").write_text("rider,km\nann,3\n")
    path = tmp_path / "a.py"
    path.write_text("import pandas as pd\ntrips = pd.read_csv('trips.csv')\n")
    answer([path, "mean km"], capsys)
    told, cell = scripted.asked[0].context
    assert (told.kind, told.text) == ("tables", 'trips.csv: "rider", "km"') and cell.kind == "code"
