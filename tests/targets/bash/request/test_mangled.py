"""A name that the request gives reaches the answer whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.answer.answer import answer
from sayso.answer.verify import Verified
from sayso.core.types import Candidate, Request, System
from sayso.targets.bash.request.mangled import distance, mangled
from sayso.targets.bash.tasks import BASH


def found(request: str, text: str) -> list[tuple[str, str]]:
    return list(mangled(BASH.read(Request(request)), text))


@pytest.mark.parametrize(
    ("request_", "text", "name", "word"),
    [
        ("make rr.sh executable", "chmod +xrr.sh", "rr.sh", "+xrr.sh"),
        ("make rr.sh executable", "chmod +x r.sh", "rr.sh", "r.sh"),
        ("copy a.txt to the folder", "cp a.txtb.txt", "a.txt", "a.txtb.txt"),
        ("count the lines of report.csv", "wc -l report.csvs", "report.csv", "report.csvs"),
        ("count the lines of report.csv", "wc -l port.csv", "report.csv", "port.csv"),
        ("count the lines of report_final.csv", "wc -l report_fina", "report_final.csv", "report_fina"),
        ("count the lines of translations.csv", "wc -l translatons.csv", "translations.csv", "translatons.csv"),
        ("list /srv/www/site", "ls /srv/www/sit", "/srv/www/site", "/srv/www/sit"),
        ("fetch https://x.org/a.tgz", "wget https://x.org/a.tgzip", "https://x.org/a.tgz", "https://x.org/a.tgzip"),
    ],
)
def test_a_name_in_pieces_or_grown_together_is_seen(request_: str, text: str, name: str, word: str) -> None:
    assert found(request_, text) == [(name, word)]


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("make rr.sh executable", "chmod +x rr.sh"),
        ("make rr.sh executable", "chmod +x ./rr.sh"),
        ("make rr.sh executable", "chmod +x *.sh"),
        ("compress app.log", "gzip app.log && ls app.log.gz"),
        ("unpack app.log.gz", "gzip -d app.log.gz; cat app.log"),
        ("rename notes.txt to notes.md", 'mv notes.txt "notes.md"'),
        ("show /var/log/syslog", "cd /var/log && cat syslog"),
        ("convert clip.mp4 to mp3", "ffmpeg -i clip.mp4 clip.mp3"),
        ("convert clip.mp4 to mp3", "ffmpeg -iclip.mp4 clip.mp3"),
        ("write a.b and c on two lines of x.txt", r"printf 'a.b\nc' > x.txt"),
        ("replace old.org with new.org in a.txt", r"sed -i 's/\Qold.org\E/new.org/' a.txt"),
        ("copy part1.csv", "cp part2.csv /tmp"),  # another file, of which other checks speak
        ("convert data.json to lines", "jq -c '.[]' data.json > data.jsonl"),
        ("sort data.csv and data.csvs", "sort data.csvs"),  # named as well
        ("sort names.txt", "sort numbers.txt"),
        ("list files", "ls"),
    ],
)
def test_names_that_are_whole_or_made_as_people_make_them_are_left_alone(request_: str, text: str) -> None:
    assert found(request_, text) == []


class Says:
    """A translator that says the same to everybody."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(text, 0.9 - 0.1 * n) for n, text in enumerate(self.texts)][:k] for _ in requests]


def shown(request: str, *texts: str) -> list[str]:
    system = System(Verified(Says(*texts), BASH))
    return [one.text for one in answer(BASH, system, Request(request), 3).candidates]


def test_what_is_in_pieces_falls_out_of_what_is_shown() -> None:
    assert shown("make rr.sh executable", "chmod +xrr.sh", "chmod +x rr.sh", "chmod +x r.sh") == ["chmod +x rr.sh"]


def test_where_nothing_else_is_there_is_no_answer() -> None:
    assert shown("make rr.sh executable", "chmod +xrr.sh") == []


@given(st.text(max_size=60), st.text(max_size=80))
def test_no_text_breaks_it_and_what_says_the_names_is_whole(request_: str, text: str) -> None:
    for name, word in found(request_, text):
        assert name != word and word in text
    names = " ".join(one.value for one in BASH.read(Request(request_)).constants)
    assert all(name not in names.split() or len(name.split()) > 1 for name, _ in found(request_, f"cat {names}"))


def test_letters_that_differ_are_counted() -> None:
    assert [distance(*pair) for pair in (("", "abc"), ("abc", "abc"), ("abc", "acb"), ("kitten", "sitting"))] == [
        3,
        0,
        2,
        3,
    ]
