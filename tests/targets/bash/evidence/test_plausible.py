"""Commands that parse and still cannot be what was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Request
from sayso.targets.bash.evidence.plausible import plausibility_doubts
from sayso.targets.bash.request.constants_used import constants_of

WRONG = [
    ("count the folders directly inside work", "find directly -type d | wc -l", "directly"),
    ("do left and right differ? names only", "diff -rq left only", "only"),
    ("list either of them", "ls either", "either"),
    ("rename all .txt files to .md", "mv *.txt .md", ".md"),
    ("rename every .jpeg to .jpg", "mv *.jpeg *.jpg x.jpg", "x.jpg"),
    ("merge a.txt and b.txt into c.txt", "cp a.txt b.txt c.txt", "c.txt"),
    ("move everything from nested/ here", "mv ./nested/", "where to move"),
    ("rename 'old plans' to attic", "mv old plans attic", "old plans"),
    ("where is the file called tax 2022.pdf", "find . -name tax 2022.pdf", "tax 2022.pdf"),
    ("sort in0.txt and in1.txt", "sort -1.txt in0.txt", "-1.txt"),
    ("newest file in exports", "ls -t exports/*.js | head -n 1", "*.js"),
    ("newest file in exports", "ls -t exports/**/x | head -n 1", "every folder"),
    ("errors of app.log with line numbers", "grep -n app.log", "waits for input"),
    ("print the names of all.json", "jq -r '.[].name'", "waits for input"),
    ("the different cities in users.csv", "sort -u cities users.csv", "cities"),
    ("lines with ERROR in app.log", "grep -ci error app.log", "ERROR"),
    ("lines with foo in a.txt", "grep -c foo a.txt", "counts"),
    ("show the files here", "ls | wc -l", "counts"),
    ("rename scan_*.png to page_*.png", "mv scan_*.png page_*.png", "page_*.png"),
    ("copy *.txt to *.bak", "cp *.txt *.bak", "*.bak"),
    ("move the files ending in ~ to old", "mv ending old", "ending"),
    ("get rid of all jpegs", "sudo apt purge", "jpegs"),
    ("checksums of all pngs", "md5sum pngs", "pngs"),
    ("the date of last friday", "date -d last friday +%F", "apart"),
]
RIGHT = [
    ("rename 'old plans' to attic", "mv 'old plans' attic"),
    ("move all pdfs to docs", "mv *.pdf docs"),
    ("move a.txt and b.txt to dir", "mv a.txt b.txt dir"),
    ("move a.txt and b.txt to .ssh", "mv a.txt b.txt .ssh"),
    ("move them to docs", "mv -t docs a.txt b.txt"),
    ("move the pictures to pngs", "mv *.jpg pngs"),
    ("the date of last friday", "date -d 'last friday' +%F"),
    ("rename scan_*.png to page_*.png", 'for f in scan_*.png; do mv -n -- "$f" "page_${f#scan_}"; done'),
    ("find python files", "find . -name '*.py'"),
    ("get rid of all jpegs", "find . -name '*.jpg' -delete"),
    ("find pictures", "find . -iname '*.jpg' -o -iname '*.png'"),
    ("lines with ERROR in app.log", "grep ERROR app.log"),
    ("count TXT files", "find . -name '*.txt' | wc -l"),
    ("search for only in a.txt", "grep only a.txt"),
    ("merge the branch other", "git merge other"),
    ("is firefox running", "ps aux | grep firefox"),
    ("search for foo below here", "grep -rn foo"),
    ("length of a.json", "jq length a.json"),
    ("apply the manifest pod.yaml with kubectl", "kubectl apply -f pod.yaml"),
    ("say no if a.txt has no content", "test -s a.txt || echo no"),
    ("how many lines has a.txt", "wc -l a.txt"),
    ("number of files here", "ls | wc -l"),
    ("lines with 17 in a.txt", "grep 17 a.txt"),
    ("run 'make test' for 5 seconds", "timeout 5 make test"),
    ("run 'make test' in the container web", "docker exec -it web make test"),
    ("run 'chmod 600' on all files", "find . -type f -exec chmod 600 {} +"),
    ("print 'good morning'", "echo good morning"),
    ("sort the file fruits", "sort fruits"),
    ("connect with SSH to bob@db1", "ssh bob@db1"),
    ("count the lines of a.txt", "wc -l < a.txt"),
]


@pytest.mark.parametrize(("text", "command", "about"), WRONG)
def test_what_cannot_be_right_is_doubted(text: str, command: str, about: str) -> None:
    found = list(plausibility_doubts(text, constants_of(Request(text)), command))
    assert any(about in doubt.reason for doubt in found)
    assert all(0 < doubt.factor < 1 for doubt in found)


@pytest.mark.parametrize(("text", "command"), RIGHT)
def test_what_may_be_right_is_not_doubted(text: str, command: str) -> None:
    assert list(plausibility_doubts(text, constants_of(Request(text)), command)) == []


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_command_is_read(text: str, command: str) -> None:
    assert all(0 < doubt.factor < 1 for doubt in plausibility_doubts(text, constants_of(Request(text)), command))
