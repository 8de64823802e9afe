"""Slips of a model that the request corrects, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Candidate, Request
from sayso.targets.bash.systems.mend import mended


@pytest.mark.parametrize(
    ("request_text", "said", "meant"),
    [
        ("rename 'old plans' to attic", "mv old plans attic", "mv 'old plans' attic"),
        ("rename 'old plans' to attic", "mv 'old plans' attic", "mv 'old plans' attic"),
        ("rename 'old plans' to attic", 'mv "old plans" attic', 'mv "old plans" attic'),
        ('delete "my song.mp3"', "rm my song.mp3", "rm 'my song.mp3'"),
        ('delete "my song.mp3"', "find . -name my song.mp3 -delete", "find . -name 'my song.mp3' -delete"),
        ("where is the file called tax 2022.pdf", "find . -name tax 2022.pdf", "find . -name 'tax 2022.pdf'"),
        ('run "make all" ten times', "make all", "make all"),
        ("print 'good morning'", "echo good morning", "echo good morning"),
        ("run 'chmod 600' on all files", "find . -exec chmod 600 {} +", "find . -exec chmod 600 {} +"),
        ("run build.sh", "build.sh", "./build.sh"),
        ("run build.sh", "bash build.sh", "bash build.sh"),
        ("run build.sh", "./build.sh", "./build.sh"),
        ("run build.sh and keep the output in o.txt", "build.sh | tee o.txt", "./build.sh | tee o.txt"),
        ("run build.sh, then test.sh", "build.sh && test.sh", "./build.sh && ./test.sh"),
        ("run slow.sh for 5 seconds", "timeout 5 slow.sh", "timeout 5 ./slow.sh"),
        ("run job.sh 3 times", "for i in 1 2 3; do job.sh; done", "for i in 1 2 3; do ./job.sh; done"),
        ("time train.py", "time train.py", "time python3 train.py"),
        ("make run.sh executable", "chmod +x run.sh", "chmod +x run.sh"),
        ("show run.sh", "cat run.sh", "cat run.sh"),
        ("run bin/go.sh", "bin/go.sh", "bin/go.sh"),
    ],
)
def test_the_request_corrects_the_model(request_text: str, said: str, meant: str) -> None:
    (found,) = mended(Request(request_text), [Candidate(said, 0.5)])
    assert found == Candidate(meant, 0.5)


@given(st.text(st.sampled_from("ab '\"$`\\;&|<>(){}*.\n/-"), max_size=40), st.text(max_size=30))
def test_any_candidate_is_mended_once(command: str, asked: str) -> None:
    once = mended(Request(asked), [Candidate(command, 0.5)])
    assert mended(Request(asked), once) == once
