"""A known request and something more: each part is read, the whole is one command, and nothing unasked is added."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.cookbook.slots import Cookbook
from sayso.core.types import Candidate, Request
from sayso.neural.bundle import load_bundle
from sayso.targets.bash import language
from sayso.targets.bash.cookbook.recipes import BUNDLE, FOLDER, cookbook_system
from sayso.targets.bash.systems.composed_deeds import is_simple, splits, two_deeds
from sayso.targets.bash.systems.composed_request import EVERYTHING, Completing, Composing, completed, forgets
from sayso.targets.bash.systems.parts import partings

# A cookbook of its own, so that recipes written later change nothing here: command, then ways to ask.
# ruff: noqa: E501
RECIPES = r"""
find . -type f -name '*.{ext}' :: ext=extension :: find all {ext} files :: list the {ext} files :: show every {ext} file
find {dir} -type f -empty :: dir=dir=. :: find empty files under {dir} :: list the empty files in {dir}
find {dir} -type d -empty :: dir=dir=. :: find empty folders in {dir} :: list the empty folders below {dir}
find {dir} -type d -empty -delete :: dir=dir=. :: delete the empty folders in {dir} :: remove empty folders below {dir}
ls {dir} :: dir=dir=. :: list the files in {dir} :: show the files in the folder {dir}
df -h :: :: show free disk space :: how much disk space is free
ps aux :: :: show the running processes :: list all running processes
uname -r :: :: kernel version :: which kernel version is this :: show the kernel version
hostname :: :: show the hostname :: the hostname of this machine
date :: :: the current date :: show the date and time
env :: :: show the environment variables :: list env variables
who :: :: users logged in :: who is logged in :: list the users that are logged in
sort {file} :: file=file :: sort {file} :: sort the lines of {file}
tac {file} :: file=file :: reverse the lines of {file} :: print {file} from the last line to the first
shuf {file} :: file=file :: shuffle the lines of {file} :: {file} in random order
nl -ba {file} :: file=file :: number the lines of {file} :: {file} as a numbered list
wc -l {file} :: file=file :: count the lines in {file} :: how many lines does {file} have
tr '[:upper:]' '[:lower:]' < {file} :: file=file :: convert {file} to lowercase :: make {file} lowercase
md5sum {file} :: file=file :: md5sum of {file} :: md5 checksum of {file}
jq . {file} :: file=file :: pretty print {file} :: format the json in {file}
grep {text} {file} :: text=pattern file=file :: lines with {text} in {file} :: show the lines of {file} that contain {text} :: search {file} for {text}
grep -oE '[^ @]+@[^ @]+' {file} :: file=file :: all email addresses in {file} :: extract the emails from {file}
awk '{print ${n}}' {file} :: n=number file=file :: print column {n} of {file} :: show column {n} of {file}
diff {a} {b} :: a=file b=file :: compare {a} and {b} :: difference between {a} and {b}
bash -n {file} :: file=file :: syntax check {file} :: check the syntax of {file}
ping -c 1 {host} :: host=host :: ping {host} once :: send one ping to {host}
bash {file} :: file=file :: run {file} :: run the script {file}
tail -n {n} {file} :: n=number file=file :: show the last {n} lines of {file} :: last {n} lines of {file}
cp {a} {b} :: a=file b=file :: copy {a} to {b} :: make a copy of {a} as {b}
rm {file} :: file=file :: delete the file {file} :: remove {file}
mv {a} {b} :: a=path b=path :: move {a} to {b} :: rename {a} to {b} :: move the file {a} into {b}
mv -- *.{ext} {dir} :: ext=extension dir=dir :: move all {ext} files into {dir} :: move the {ext} files to {dir}
mkdir {dir} :: dir=dir :: make a folder {dir} :: create a folder named {dir} :: create the directory {dir}
rm -r {dir} :: dir=dir :: delete the folder {dir} :: remove the directory {dir}
zip -r {dir}.zip {dir} :: dir=dir :: zip the folder {dir} :: pack the folder {dir}
gzip {file} :: file=file :: gzip {file} :: compress {file} with gzip
touch {file} :: file=newname :: create an empty file {file} :: create the file {file} :: make an empty file {file}
chmod +x {file} :: file=file :: make {file} executable :: make {file} runnable
curl -LO {url} :: url=url :: download {url} :: fetch {url}
unzip {file} :: file=zipfile :: unzip {file} :: extract {file}
git push :: :: push :: push my commits :: git push
git commit -am {text} :: text=text :: commit everything with message {text} :: commit all with the message {text}
cat {file} :: file=file :: show {file} :: print the file {file}
"""
TABLE = r"""
find all txt files and save the list to list.txt :: find . -type f -name '*.txt' > list.txt
show free disk space, save it to df.txt :: df -h > df.txt
how much disk space is free? write that to space.log :: df -h > space.log
sort names.txt and write the result to sorted.txt :: sort names.txt > sorted.txt
reverse the lines of names.txt, saved as backwards.txt :: tac names.txt > backwards.txt
number the lines of poem.txt and put it in numbered.txt :: nl -ba poem.txt > numbered.txt
count the lines in access.log and append the number to counts.txt :: wc -l access.log >> counts.txt
the current date, append it to log.txt :: date >> log.txt
kernel version, append to sysinfo.txt :: uname -r >> sysinfo.txt
the hostname of this machine goes to host.txt :: hostname > host.txt
show the last 10 lines of big.csv -> end.csv :: tail -n 10 big.csv > end.csv
show the last 10 lines of big.csv > end.csv :: tail -n 10 big.csv > end.csv
md5sum of setup.exe to setup.md5 :: md5sum setup.exe > setup.md5
md5 checksum of setup.exe and save to MD5SUMS :: md5sum setup.exe > MD5SUMS
shuffle the lines of playlist.txt into mixed.txt :: shuf playlist.txt > mixed.txt
convert NOTES.txt to lowercase and save it as lower.txt :: tr '[:upper:]' '[:lower:]' < NOTES.txt > lower.txt
sort mails.txt and save to 'clean mails.txt' :: sort mails.txt > 'clean mails.txt'
lines with WARN in app.log, results in warnings.log :: grep WARN app.log > warnings.log
pretty print data.json into pretty.json :: jq . data.json > pretty.json
save the list of all running processes to procs.txt :: ps aux > procs.txt
write the kernel version to kernel.txt :: uname -r > kernel.txt
append the current date to log.txt :: date >> log.txt
save to env.txt the list of environment variables :: env > env.txt
dump the environment variables into env.txt :: env > env.txt
sort todo.txt and save it to todo.txt :: sort -o todo.txt todo.txt
sort todo.txt in place :: sort -o todo.txt todo.txt
reverse the lines of queue.txt in place :: tac queue.txt > queue.txt.new && mv queue.txt.new queue.txt
convert a.txt to lowercase, edit the file in place :: tr '[:upper:]' '[:lower:]' < a.txt > a.txt.new && mv a.txt.new a.txt
lines with refused in net.log with line numbers :: grep -n refused net.log
lines with refused in net.log along with line numbers :: grep -n refused net.log
search notes.txt for meeting, case insensitive :: grep -i meeting notes.txt
search notes.txt for meeting (ignoring case) :: grep -i meeting notes.txt
find all log files and count them :: find . -type f -name '*.log' | wc -l
find all jpg files, tell me how many :: find . -type f -name '*.jpg' | wc -l
find all log files sorted by size :: find . -type f -name '*.log' -printf '%s %p\n' | sort -rn | cut -d' ' -f2-
find all python files but only the newest 5 :: find . -type f -name '*.py' -printf '%T@ %p\n' | sort -rn | head -n 5 | cut -d' ' -f2-
find all csv files, full paths please :: find "$PWD" -type f -name '*.csv'
find all csv files, only the names :: find . -type f -name '*.csv' -printf '%f\n'
all email addresses in contacts.txt, without duplicates :: grep -oE '[^ @]+@[^ @]+' contacts.txt | sort -u
all email addresses in contacts.txt, each only once :: grep -oE '[^ @]+@[^ @]+' contacts.txt | sort -u
all email addresses in contacts.txt with counts :: grep -oE '[^ @]+@[^ @]+' contacts.txt | sort | uniq -c | sort -rn
extract the emails from mails.txt, sorted, into found.txt :: grep -oE '[^ @]+@[^ @]+' mails.txt | sort > found.txt
list env variables sorted :: env | sort
show the running processes, only the first 5 :: ps aux | head -n 6
list the files in /root as root :: sudo ls /root
as root, list the files in /root :: sudo ls /root
list the files in /srv, also hidden ones, biggest first :: ls -AS /srv
run backup.sh in the background :: bash backup.sh &
run backup.sh and save stdout and stderr to backup.log :: bash backup.sh > backup.log 2>&1
run build.sh, stdout+stderr to build.log :: bash build.sh > build.log 2>&1
run build.sh, errors to err.log :: bash build.sh 2> err.log
run test.sh 5 times :: for i in $(seq 5); do bash test.sh; done
run test.sh twice :: for i in $(seq 2); do bash test.sh; done
run report.sh, show it on the screen and save it to report.txt too :: bash report.sh | tee report.txt
lines with admin in users.txt? yes or no :: grep -q admin users.txt && echo yes || echo no
search users.txt for admin; print found or missing :: grep -q admin users.txt && echo found || echo missing
check the syntax of deploy.sh and print broken if it has errors :: bash -n deploy.sh || echo broken
syntax check deploy.sh, say bad if it has an error :: bash -n deploy.sh || echo bad
compare old.cfg and new.cfg, print same if there are no differences :: diff old.cfg new.cfg && echo same
compare old.cfg and new.cfg; say "not the same" if they differ :: diff old.cfg new.cfg || echo 'not the same'
ping server1 once and say down if it does not answer :: ping -c 1 server1 || echo down
print column 2 of table.txt without the header :: tail -n +2 table.txt | awk '{print $2}'
sort scores.csv but skip the header :: tail -n +2 scores.csv | sort
show free disk space every 5 seconds :: watch -n 5 df -h
show the last 20 lines of app.log and keep following it :: tail -f -n 20 app.log
the oldest file in the folder archive/ :: ls -tr archive/ | head -n 1
how many empty files are in src/ :: find src/ -type f -empty | wc -l
count the empty folders below src/ :: find src/ -type d -empty | wc -l
number of users logged in :: who | wc -l
find all mp3 files and zip them as songs.zip :: find . -type f -name '*.mp3' | zip songs.zip -@
find empty folders in /srv and delete them :: find /srv -type d -empty -delete
"""
DEEDS = r"""
move app.log to app.log.1 and start an empty app.log :: mv app.log app.log.1 && touch app.log
make a folder pics and move all png files into it :: mkdir pics && mv -- *.png pics
download https://example.org/maps.zip and unzip it :: curl -LO https://example.org/maps.zip && unzip maps.zip
rename old.txt to new.txt, then show it :: mv old.txt new.txt && cat new.txt
gzip big.log and move it to /backup :: gzip big.log && mv big.log.gz /backup
zip the folder photos and then delete it :: zip -r photos.zip photos && rm -r photos
create the file go.sh and make it executable :: touch go.sh && chmod +x go.sh
commit everything with message "wip" and push it :: git commit -am wip && git push
create the directory old/ and move a.txt to old/ and gzip b.txt :: mkdir old/ && mv a.txt old/ && gzip b.txt
"""
TWO = [tuple(line.split(" :: ")) for line in DEEDS.strip().splitlines()]
PAIRS = [tuple(line.split(" :: ")) for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def composing(tmp_path_factory: pytest.TempPathFactory) -> Composing:
    folder = tmp_path_factory.mktemp("cookbook")
    shutil.copy(FOLDER / "_words.toml", folder)
    (folder / "own.toml").write_text("\n".join(map(recipe, enumerate(RECIPES.strip().splitlines()))))
    book = cookbook_system(load_bundle(BUNDLE), folder).translator
    assert isinstance(book, Cookbook)
    return Composing(book)


def recipe(numbered: tuple[int, str]) -> str:
    number, line = numbered
    command, slots, *say = (part.strip() for part in line.split("::"))
    named = ", ".join('{} = "{}"'.format(*slot.split("=", 1)) for slot in slots.split())
    risk = "destroys" if "delete" in command or command.startswith("rm") else "reads"
    said = "\n".join(say)
    return (
        f"[[recipe]]\nintent = 'own-{number}'\ncommand = '''{command}'''\nrisk = '{risk}'\n"
        f"slots = {{ {named} }}\nsay = '''\n{said}\n'''\n"
    )


def first(composing: Composing, request: str) -> str:
    found = composing.translate([Request(request)], 3)[0]
    return found[0].text if found else ""


@pytest.mark.parametrize(("request_text", "command"), PAIRS)
def test_a_core_and_its_tails(request_text: str, command: str, composing: Composing) -> None:
    assert language.normalise(first(composing, request_text)) == language.normalise(command)


@pytest.mark.parametrize(
    ("request_text", "command"),
    [
        ("copy a.txt to b.txt", "cp a.txt b.txt"),
        ("make a copy of a.txt as b.txt", "cp a.txt b.txt"),
        ("how many lines does a.txt have", "wc -l a.txt"),
        ("delete the empty folders in old/", "find old/ -type d -empty -delete"),
        ("who is logged in", "who"),
    ],
)
def test_what_a_recipe_explains_alone_stays_first(request_text: str, command: str, composing: Composing) -> None:
    assert first(composing, request_text) == command


@pytest.mark.parametrize(("request_text", "command"), TWO)
def test_two_orders_are_both_done(request_text: str, command: str, composing: Composing) -> None:
    assert first(composing, request_text) == command


@pytest.mark.parametrize(
    "request_text",
    [
        "list the files in /srv/a and delete them",
        "copy a.txt to b.txt and delete it all",
        "show the date and reboot",
        "show the last 1 lines of a.txt and delete it",
        "lines with ada in a.txt, then remove it",
        "list the files in the folder old and delete it",
        "list the files in old/ and remove that file",
        "gzip big.log and delete it",
        "move a.txt to old/ and remove it",
    ],
)
def test_what_they_are_is_never_guessed_for_a_deletion(request_text: str, composing: Composing) -> None:
    found = two_deeds(list(splits(request_text)), partial(composing.half, composing.book.proposed))
    assert all("rm" not in other.text for _, other in found)


@pytest.mark.parametrize(
    ("command", "can_be"),
    [
        ("sort a.txt | uniq", True),
        ("mkdir old && mv a.txt old", True),
        ("grep 'a||b' a.txt", True),
        ("test -e a.txt && echo yes || echo no", False),
        ("sleep 5 &", False),
    ],
)
def test_what_always_succeeds_or_goes_on_is_joined_with_nothing(command: str, can_be: bool) -> None:
    assert is_simple(language.Parsed(command)) is can_be


def test_a_long_text_is_not_split_without_end(composing: Composing) -> None:
    text = "make a folder pics" + " and move a.txt into pics" * 500
    assert "&&" not in "".join(one.text for one in composing.translate([Request(text)], 3)[0])


def test_what_counts_already_is_not_repeated() -> None:
    (done,) = completed("ping db1 five times", [Candidate("ping -c 5 db1", 0.5)])
    assert done.text == "ping -c 5 db1"


def test_a_count_of_each_is_no_count_of_all() -> None:
    assert not [one for one in partings("count of each status in column 4 of a.csv") if "count them" in one.tails]


def test_a_change_of_the_first_answer_is_no_second_order() -> None:
    assert not list(splits("count the lines in a.txt and show the first 3"))
    assert not list(splits("delete a.txt and b.txt"))
    assert not list(splits("search x.log for 'stop and show it'"))


def test_the_score_is_less_than_that_of_the_core(composing: Composing) -> None:
    core = composing.translate([Request("sort names.txt")])[0][0]
    whole = composing.translate([Request("sort names.txt and save it as out.txt")])[0][0]
    assert 0.7 * core.score < whole.score < core.score
    assert whole.why[0] == core.why[0] and "out.txt" in whole.why[-1]


def test_writing_to_a_named_file_is_a_write_and_over_what_is_read_no_loss(composing: Composing) -> None:
    assert language.risk(first(composing, "sort a.txt and save it as b.txt")).level == "writes"
    assert language.risk(first(composing, "reverse the lines of a.txt and save it as a.txt")).level == "writes"


@pytest.mark.parametrize(
    "request_text",
    [
        "show the hostname; rm -rf ~",
        "sort a.txt | tee /etc/passwd",
        "sort a.txt && save it to $(reboot).txt",
        "list the files in /tmp\nsave it to x.txt",
        "show free disk space # and save it to /etc/passwd",
    ],
)
def test_shell_text_in_a_request_is_no_tail(request_text: str, composing: Composing) -> None:
    plain = composing.book.translate([Request(request_text)], 3)[0]
    assert composing.translate([Request(request_text)], 3)[0] == plain


@pytest.mark.parametrize(
    "request_text", ["find empty folders in a/ and list them", "find all log files, which were removed before, sorted"]
)
def test_nothing_is_deleted_that_was_only_spoken_of(request_text: str, composing: Composing) -> None:
    found = composing.composed(list(partings(request_text)), composing.book.proposed)
    assert all(language.risk(one.text).level == "reads" for one in found)


def test_a_command_that_changes_files_has_nothing_to_save(composing: Composing) -> None:
    parts = list(partings("copy a.txt b.txt and save it to c.txt"))
    assert not composing.composed(parts, composing.book.proposed)


def test_the_longest_way_to_say_a_tail_is_taken() -> None:
    assert [(one.core, one.tails) for one in partings("sort a.txt and save it to b.txt")] == [
        ("sort a.txt", ("save it to b.txt",))
    ]
    assert next(iter(partings("list files, newest first, and put them in x.txt"))).tails == ("put them in x.txt",)
    assert not list(partings("sort a.txt"))
    assert not list(partings("who failed to log in according to auth.log"))
    assert not list(partings("free swap in MB, just the number"))
    assert not list(partings("rank a.txt from biggest to smallest"))
    assert not list(partings(""))


@given(st.text(max_size=80))
def test_no_text_makes_the_parting_fail(text: str) -> None:
    for one in partings(text):
        assert one.core and all(one.tails)


@pytest.mark.parametrize(
    ("command", "is_all"),
    [
        ("find . -type f", True), ("ls", True), ("ls -1 | wc -l", True), ("ls -d -- */", True), ("find ~ -maxdepth 1", True),
        ("ls .; ls . | wc -l", True), ("find . -type f -name '*.log'", False), ("ls build", False), ("ls *.txt", False),
        ("find . -type f -printf '%s\\t%p\\n' | sort -nr | head -n 5", False), ("find build -type f", False),
        ("find . -type f | grep old", False), ("find " + " " * 60 + "x", False),
    ],
)  # fmt: skip
def test_a_command_that_names_all_there_is(command: str, is_all: bool) -> None:
    assert bool(EVERYTHING.fullmatch(command)) is is_all


@pytest.mark.parametrize("text", ["find the files and delete them", "show all the files, then remove them"])
def test_the_deletion_of_everything_is_never_composed(text: str, tmp_path: Path) -> None:
    shutil.copy(FOLDER / "_words.toml", tmp_path)
    every = recipe((0, "find . -type f :: :: find the files :: show all the files :: find files"))
    logs = recipe((1, "find . -name '*.log' :: :: find the logs :: show the logs"))
    (tmp_path / "own.toml").write_text(every + logs)
    book = cookbook_system(load_bundle(BUNDLE), tmp_path).translator
    assert isinstance(book, Cookbook)
    composing = Composing(book)
    assert all("-delete" not in one.text for one in composing.translate([Request(text)], 5)[0])
    assert first(composing, "find the logs and delete them") == "find . -name '*.log' -delete"


class Says:
    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [[Candidate(text, 0.3) for text in self.texts][:k] for _ in requests]


def test_a_model_that_forgets_the_file_is_completed() -> None:
    model = Completing(Says("shuf a.txt", "shuf a.txt > b.txt", "shuf -o b.txt a.txt", "cp a.txt c.txt"))
    found = [one.text for one in model.translate([Request("shuffle a.txt into b.txt")], 4)[0]]
    assert found == ["shuf a.txt > b.txt", "shuf a.txt > b.txt", "shuf -o b.txt a.txt", "cp a.txt c.txt"]
    assert model.translate([Request("shuffle a.txt")], 1)[0][0].text == "shuf a.txt"


def test_a_copy_to_a_folder_named_by_a_plain_word_is_not_written_over_it() -> None:
    copies = "find . -name '*.jpg' -exec cp -t backup {} +"
    (done,) = completed("find all jpg files and copy them to backup", [Candidate(copies, 0.5)])
    assert done.text == copies


RUN = [
    ("sort names.txt and save it to names.txt", "names.txt", "ada\nada\nbob\ncy\n"),
    ("reverse the lines of names.txt in place", "names.txt", "ada\ncy\nbob\nada\n"),
    ("convert names.txt to lowercase and save it as 'my names.txt'", "my names.txt", "ada\nbob\ncy\nada\n"),
    ("sort names.txt without duplicates into once.txt", "once.txt", "ada\nbob\ncy\n"),
    ("number the lines of names.txt, append it to log.txt", "log.txt", "old\n     1\tada\n     2\tbob\n     3\tcy\n     4\tada\n"),
    ("run hello.sh 3 times", "", "hello\nhello\nhello\n"),
    ("run hello.sh, on the screen and save it in out.txt too", "out.txt", "hello\n"),
    ("search names.txt for bob; yes or no", "", "yes\n"),
    ("search names.txt for eve; yes or no", "", "no\n"),
    ("compare names.txt and names.txt, print same if there are no differences", "", "same\n"),
    ("sort names.txt but skip the header", "", "ada\nbob\ncy\n"),
    ("lines with ada in names.txt with line numbers", "", "1:ada\n4:ada\n"),
]  # fmt: skip


@pytest.mark.parametrize(("request_text", "name", "holds"), RUN)
def test_what_the_composed_command_does(
    request_text: str, name: str, holds: str, composing: Composing, tmp_path: Path
) -> None:
    (tmp_path / "names.txt").write_text("ada\nbob\ncy\nada\n")
    (tmp_path / "log.txt").write_text("old\n")
    (tmp_path / "hello.sh").write_text("echo hello\n")
    (tmp_path / "bad.sh").write_text("if true; then\n")
    command = first(composing, request_text)
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert ((tmp_path / name).read_text() if name else ran.stdout) == holds, command


@pytest.mark.parametrize(
    ("command", "tail", "is_forgotten"),
    [
        ("watch -n 2 df -h", "every 5 seconds", True),
        ("watch -n 5 df -h", "every 5 seconds", False),
        ("ls", "save it to out.txt", True),
        ("ls > out.txt", "save it to out.txt", False),
        ("ls | head -n 5", "only the first five", False),
    ],
)
def test_no_tail_is_forgotten(command: str, tail: str, is_forgotten: bool) -> None:
    assert forgets(command, [tail]) is is_forgotten
