"""Cells in a real kernel: what each one did is told, whatever it did, and nothing runs outside the sandbox."""

from __future__ import annotations

import json

import pytest

from sayso.core.errors import SandboxFailed
from sayso.core.types import Outcome, Piece, Request, Sandbox
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets.notebook.execute import CellLimits, CellRun, read_lines, run, run_cells
from sayso.targets.notebook.kernel_packages import Kernel

SMALL = CellLimits(cpu_seconds=1, wall_seconds=1.5, memory_mb=400, processes=12)


@pytest.mark.sandbox
def test_a_notebook_runs_as_in_a_notebook(sandbox: Sandbox, kernel: Kernel) -> None:
    cells = [
        "%matplotlib inline\n%config InlineBackend.figure_format = 'retina'\nimport matplotlib.pyplot as plt",
        "plt.plot([5, 6])\nfigures = plt.get_fignums()",
        "before = missing_name",
        "import os, random, socket\nlines = !cat seen.txt\nprint(lines[0], os.getcwd(), round(random.random(), 3))",
        "plt.plot([1, 2, 4])\nplt.show()",
        "assert plt.gca().lines[0].get_ydata().tolist() == [1, 2, 4]\n"
        "print(len(plt.gca().lines), figures, sorted(os.listdir('/opt/cells')), os.path.exists('/tmp/cells.json'))",
        "socket.create_connection(('192.0.2.1', 80), timeout=1)",
        "open(f'/proc/{os.getppid()}/fd/1', 'w').write('{}')",
    ]
    found = run_cells(cells, 4, sandbox, kernel, {"seen.txt": "hello\n"})
    assert [cell.status for cell in found.cells] == ["ok", "ok", "error", "ok", "ok", "ok", "error", "error"]
    assert (found.cells[2].error, found.cells[2].value) == ("NameError", "name 'missing_name' is not defined")
    assert found.cells[2].told(3) == "cell 3 failed: NameError: name 'missing_name' is not defined"
    assert found.cells[3].text == "hello /home/user 0.758\n"
    # Figures of cells above the candidate are closed, its own stay; and the tests lie nowhere that cells can read.
    assert found.cells[5].text == "1 [1] ['driver.py', 'manners.py'] False\n"
    assert found.cells[6].error == "OSError"
    # What drives it cannot be spoken for, nor read.
    assert found.cells[7].error == "PermissionError"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("cell", "limit", "why"),
    [
        ("while True:\n    pass", "cpu", "it took more than 1 s of CPU time"),
        ("import os\nwhile True:\n    os.fork()", "processes", "it started more than 12 processes"),
        (
            "eaten = []\nwhile True:\n    eaten.append(bytearray(10**7))",
            "memory",
            "it needed more than 400 MB of memory",
        ),
        ("import time\ntime.sleep(1000)", "wall", "it waited for more than 1.5 s"),
        ("import os\nos._exit(3)", "", "its kernel ended with code 3"),
    ],
    ids=["never ends", "forks", "eats memory", "sleeps", "leaves"],
)
def test_a_cell_over_a_limit_is_stopped_and_nothing_is_lost(
    cell: str, limit: str, why: str, sandbox: Sandbox, kernel: Kernel
) -> None:
    above, stopped, below = run_cells(["1 + 1", cell, "2"], 1, sandbox, kernel, limits=SMALL).cells
    assert (above.status, above.text) == ("ok", "2\n")
    assert (stopped.status, stopped.limit, stopped.value) == ("stopped", limit, why)
    assert stopped.told(2) == f"cell 2 was stopped: {why}"
    assert below.told(3) == "cell 3 was not run: cell 2 ended the kernel"


@pytest.mark.sandbox
def test_the_target_runs_a_cell_below_its_context(sandbox: Sandbox, kernel: Kernel) -> None:
    context = (Piece("text", "# Sums"), Piece("code", "total = 40"), Piece("code", "oops"), Piece("file", "2", "n.txt"))
    outcome = run(
        "open('out.txt', 'w').write('x')\ntotal + int(open('n.txt').read())", Request("add", context), sandbox
    )
    assert (outcome.exit_code, outcome.stdout) == (0, b"42\n")
    assert outcome.stderr == b"cell 2 failed: NameError: name 'oops' is not defined\n"
    assert [(change.path, change.how) for change in outcome.changes] == [("out.txt", "created")]


def line(**words: object) -> bytes:
    return json.dumps(words).encode() + b"\n"


def ended(cell: int) -> bytes:
    return line(cell=cell, status="ok", name="", value="", text="", limit="", cpu=0.1)


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (Outcome(137, b"", b"", stopped="memory"), "it needed more than 2048 MB of memory"),
        (Outcome(137, b"", b"", stopped="wall"), "all cells together took too long"),
        (Outcome(137, b"", b""), "it ended everything around it (exit code 137)"),
    ],
)
def test_where_the_driver_itself_was_ended_the_running_cell_is_what_did_it(outcome: Outcome, why: str) -> None:
    said = line(ready=True) + line(cell=0) + ended(0) + line(cell=1) + b'{"cell": 1, "sta'
    cells = read_lines(Outcome(outcome.exit_code, said, b"", stopped=outcome.stopped), 3, CellLimits())
    assert [cell.status for cell in cells] == ["ok", "stopped", "not run"]
    assert (cells[1].value, cells[2].value) == (why, "cell 2 ended the kernel")


def test_a_kernel_that_does_not_start_is_no_verdict() -> None:
    nowhere = ScriptedSandbox(otherwise=Outcome(1, b"", b"Traceback\nModuleNotFoundError: No module named 'zmq'\n"))
    with pytest.raises(SandboxFailed, match="no IPython kernel starts: ModuleNotFoundError") as caught:
        run_cells(["1"], 0, nowhere, Kernel("/usr/bin/python3", {}, "none"))
    assert caught.value.reason.startswith("sandbox")


def test_what_a_cell_says_takes_one_line() -> None:
    assert CellRun("error", "ValueError", "first\nsecond").told(1) == "cell 1 failed: ValueError: first"
    assert CellRun("error", "AssertionError").told(2) == "cell 2 failed: AssertionError"
    assert CellRun("ok").told(3) == "cell 3 ran"


@pytest.mark.parametrize(
    "lie", ["5", "[]", '{"status": "ok"}', '{"cell": "0", "status": "ok"}', '{"cell": null}', "[" * 5000]
)
def test_lines_of_another_shape_are_left_out(lie: str) -> None:
    whole = {"cell": 0, "status": "error", "name": "E", "value": "", "text": "", "cpu": 0.1, "limit": ""}
    lines = [json.dumps({"ready": True}), lie, json.dumps({"cell": 0}), json.dumps(whole)]
    found = read_lines(Outcome(0, "\n".join(lines).encode(), b""), 1, CellLimits())
    assert [one.status for one in found] == ["error"]
