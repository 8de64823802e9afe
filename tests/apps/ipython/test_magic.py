"""`%sayso` in a real IPython shell, and in a live kernel: what is read, what is shown, what stands in the next cell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sayso.core.types import Candidate, Request, System
from sayso.targets import TASKS

SECRET = "hunter2"
ANSWERS = ["plt.plot(xs)", "print('<b>', xs)", "import os\nos.remove('a')"]


class Scripted:
    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.answers = list(ANSWERS)

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        self.asked += requests
        return [[Candidate(text, 0.9 - place / 10) for place, text in enumerate(self.answers)][:k] for _ in requests]


class Desk:
    """A shell with the extension, and all that it showed."""

    def __init__(self, shell: Any, translator: Scripted) -> None:
        self.shell, self.translator = shell, translator
        self.shown: list[dict[str, str]] = []
        shell.display_pub.publish = lambda data, **_: self.shown.append(data)
        self.next: list[str] = []
        shell.set_next_input = lambda text, replace=False: self.next.append(text)

    def run(self, text: str) -> bool:
        return bool(self.shell.run_cell(text, store_history=True).success)

    @property
    def asked(self) -> Request:
        return self.translator.asked[-1]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    translator, task = Scripted(), TASKS["notebook/everyday"]
    systems = {**task.systems, "default": lambda workspace: System(translator)}
    monkeypatch.setitem(TASKS, task.name, replace(task, systems=systems))
    return translator


@pytest.fixture
def make(model: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Desk]]:
    """make(): a shell of its own, without history on disk, that the extension is not yet loaded into."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    for name in ("last_value", "last_type", "last_traceback", "last_exc"):
        monkeypatch.delattr(sys, name, raising=False)
    hooks = sys.excepthook, sys.displayhook
    settings = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})

    def made() -> Desk:
        InteractiveShell.clear_instance()
        return Desk(InteractiveShell.instance(config=settings), model)

    yield made
    InteractiveShell.clear_instance()
    sys.excepthook, sys.displayhook = hooks
    for name in ("last_value", "last_type", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)


@pytest.fixture
def desk(make: Callable[[], Desk]) -> Desk:
    found = make()
    found.run("%load_ext sayso")
    return found


def test_cells_and_names_are_read_and_values_are_not(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.run(f"xs = [1, 2]\npassword = '{SECRET}'.upper()")
    desk.run("1 / 0")
    desk.run("%sayso load something")
    desk.run("ys = xs\nys = xs + xs")
    desk.run("ys = xs\nys = xs + xs")
    before = set(desk.shell.user_ns)
    assert desk.run("%%sayso\nplot xs\nagainst ys")
    names, *above = desk.asked.context
    assert desk.asked.text == "plot xs\nagainst ys"
    assert names.kind == "names" and names.text.splitlines() == ["xs: list [2]", "password: str", "ys: list [4]"]
    code = f"xs = [1, 2]\npassword = '{SECRET}'.upper()"
    found = [(one.kind, one.text) for one in above]
    assert found == [("code", code), ("text", "load something"), ("code", "ys = xs\nys = xs + xs")]
    assert not any(SECRET.upper() in piece.text for piece in desk.asked.context)
    assert {one for one in set(desk.shell.user_ns) - before if not one.startswith("_")} == set()
    assert "hint" not in capsys.readouterr().err


def test_the_first_is_put_into_the_next_cell_and_nothing_runs(desk: Desk) -> None:
    desk.run("xs = [1]")
    desk.run("%sayso plot xs")
    assert desk.next == ["import matplotlib.pyplot as plt\n\nplt.plot(xs)"]
    (shown,) = desk.shown
    assert shown["text/plain"].startswith("[1] reads, in the next cell\nimport matplotlib.pyplot as plt")
    assert "[3] destroys (os.remove)" in shown["text/plain"] and "%sayso pick 2" in shown["text/plain"]
    table = shown["text/html"]
    assert table.count("<td") == 6 and "&lt;b&gt;" in table and "<b>" not in table and "destroys (os.remove)" in table
    desk.run("%sayso pick 2")
    assert desk.next[1:] == ["print('<b>', xs)"]
    assert "plt" not in desk.shell.user_ns and "os" not in desk.shell.user_ns


def test_a_request_is_text_and_nothing_in_it_is_computed(desk: Desk) -> None:
    desk.run(f"word = '{SECRET}'\ncalled = []")
    for asked in ("{called.append(1)} of $word", "x {word}"):
        assert desk.run(f"%sayso {asked}") and desk.asked.text == asked
        assert desk.run(f"%%sayso {asked}\nand more") and desk.asked.text == f"{asked}\nand more"
    assert desk.shell.user_ns["called"] == []


def test_a_failed_cell_is_mended_by_what_lives(desk: Desk) -> None:
    desk.run("total = 3")
    assert not desk.run("x = 1\nprint(totl)")
    desk.translator.answers = ["print(total + 1)"]
    desk.run("%sayso fix")
    assert desk.next == ["x = 1\nprint(total)"]
    assert [one["text"] for one in candidates(desk)] == ["x = 1\nprint(total)", "print(total + 1)"]
    assert desk.asked.text == "fix the cell above"
    failed, error = desk.asked.context[-2:]
    assert failed.text == "x = 1\nprint(totl)" and error.kind == "error"
    assert error.text == "line 2: print(totl)\nNameError: name 'totl' is not defined"


def test_an_older_failure_is_named(desk: Desk) -> None:
    desk.run("totl")
    desk.run("%sayso fix")
    desk.run("total = 3")
    desk.run("%sayso fix")
    first, second = (shown["text/plain"] for shown in desk.shown)
    assert "about the cell" not in first and "about the cell that failed 2 cells ago: totl" in second
    assert desk.next[-1] == "total"


def candidates(desk: Desk) -> list[dict[str, Any]]:
    magic = desk.shell.magics_manager.magics["line"]["sayso"].__self__
    found: list[dict[str, Any]] = magic.last["candidates"]
    return found


def test_a_cell_that_failed_before_the_extension_was_loaded(make: Callable[[], Desk]) -> None:
    desk = make()
    desk.run("np.zeros(3)")
    desk.run("%load_ext sayso")
    desk.run("%sayso fix")
    assert desk.next == ["import numpy as np\nnp.zeros(3)"]


def test_without_a_model_only_repairs_are_shown(make: Callable[[], Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    task = TASKS["notebook/everyday"]
    systems = {name: one for name, one in task.systems.items() if name != "default"}
    monkeypatch.setitem(TASKS, task.name, replace(task, systems=systems))
    desk = make()
    for line in ("%load_ext sayso", "a = 1", "open('none.csv')", "%sayso fix"):
        desk.run(line)
    assert desk.next == [] and "there is no file none.csv" in desk.shown[0]["text/plain"]
    assert "pip install sayso-notebook" in desk.shown[0]["text/html"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%sayso fix", "no cell of this session has failed"),
        ("%sayso pick 1", "there is nothing to pick from"),
        ("%sayso " + "x" * 20_000, "the request has 20,000 characters"),
    ],
)
def test_a_mistake_is_one_line(desk: Desk, line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert desk.run(line)
    err = capsys.readouterr().err
    assert err.startswith("sayso: ") and said in err and err.count("\n") == 2 and "Traceback" not in err
    assert desk.next == [] and desk.shown == []


def test_names_are_shown_and_help_is(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.run("%sayso names")
    desk.run("word = 'x'")
    capsys.readouterr()
    desk.run("%sayso names")
    assert capsys.readouterr().out == "word: str\n"
    desk.run("%sayso")
    assert "%sayso fix" in capsys.readouterr().out


def test_a_cell_with_what_is_not_seen_is_not_put_in(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.translator.answers = ["x = 'a\u202eb'"]
    desk.run("%sayso hide")
    assert (
        desk.next == [] and "\\u202e" in desk.shown[0]["text/plain"] and "would not be seen" in capsys.readouterr().err
    )


def test_unloaded_it_is_gone(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.run("%unload_ext sayso")
    assert not desk.run("%sayso x") and desk.translator.asked == []
    desk.run("%load_ext sayso")
    desk.run("%sayso x")
    assert len(desk.translator.asked) == 1


def test_importing_sayso_imports_no_ipython() -> None:
    script = "import sys, sayso; assert callable(sayso.load_ipython_extension); print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.slow
def test_in_a_live_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Notebook and JupyterLab speak with it: a table to show, and a payload with the next cell."""
    pytest.importorskip("ipykernel")
    manager = pytest.importorskip("jupyter_client.manager")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    kernel = manager.KernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "k"))
    kernel.start_kernel(cwd=str(tmp_path))
    client = kernel.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        shown: list[dict[str, Any]] = []

        def hear(message: dict[str, Any]) -> None:
            if message["header"]["msg_type"] == "display_data":
                shown.append(message["content"]["data"])

        replies = [
            client.execute_interactive(text, output_hook=hear, timeout=60, stop_on_error=False)["content"]
            for text in ("%load_ext sayso", "total = 3", "totl + 1", "%sayso fix", "%%sayso\nadd one\nto total")
        ]
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
        kernel.cleanup_resources()
    assert [one["status"] for one in replies] == ["ok", "ok", "error", "ok", "ok"]
    (put,) = replies[3]["payload"]
    assert (put["source"], put["text"]) == ("set_next_input", "total + 1")
    assert "<table" in shown[0]["text/html"] and shown[0]["text/plain"].startswith("[1] reads, in the next cell")
    assert len(shown) == 2


@pytest.mark.slow
def test_in_the_console(tmp_path: Path, need: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A person at `ipython`: the repair stands on the next line, and Enter runs it."""
    from tests.apps.cli.conftest import Screen

    need("tmux", "apt install tmux")
    pytest.importorskip("IPython")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    command = f"{sys.executable} -m IPython --no-banner --no-confirm-exit --HistoryManager.enabled=False"
    screen = Screen(tmp_path / "tmux", tmp_path, command)
    try:
        for number, (line, shown) in enumerate(
            [
                ("%load_ext sayso", ""),
                ("total = 3", ""),
                ("totl + 1", "NameError: name"),
                ("%sayso fix", "totl is not"),
            ],
            1,
        ):
            screen.wait(rf"In \[{number}\]:")
            screen.enter(line)
            screen.wait(shown)
        screen.wait(r"In \[5\]: total \+ 1$")
        screen.press("Enter")
        screen.wait(r"Out\[5\]: 4")
    finally:
        screen.close()
