"""A command that is told to end: in order, once, and not at all where its caller wanted the signal ignored."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from sayso.apps.cli.ending import TOLD, in_order

told = pytest.mark.parametrize("number", TOLD)


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = {number: signal.signal(number, signal.SIG_DFL) for number in TOLD}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@told
def test_the_signal_leaves_through_every_finally(number: signal.Signals) -> None:
    let_go = False
    with pytest.raises(SystemExit) as ending, in_order():
        try:
            signal.raise_signal(number)
        finally:
            let_go = True
    assert let_go and ending.value.code == 128 + number
    assert signal.getsignal(number) == signal.SIG_DFL


@told
def test_what_the_caller_wants_ignored_stays_ignored(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    with in_order():
        signal.raise_signal(number)
    assert signal.getsignal(number) == signal.SIG_IGN


def test_a_second_signal_ends_it_at_once() -> None:
    stubborn = (
        "import signal, sys\n"
        "from sayso.apps.cli.ending import in_order\n"
        "with in_order():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "    finally:\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "        print('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", stubborn], capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "")


def test_a_command_ends_with_the_code_of_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    from sayso.apps.cli import doctor, main

    monkeypatch.setattr(doctor, "run", lambda args: signal.raise_signal(signal.SIGTERM))
    assert main.main(["doctor"]) == 143
