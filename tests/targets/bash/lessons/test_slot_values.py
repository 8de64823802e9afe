"""What people say in the slots of recipes, and what then stands in the command; the wordings are our own."""

from __future__ import annotations

import re

import pytest

from sayso.cookbook.entry import Recipe, parse_slot
from sayso.cookbook.slots import Cookbook, Settings
from sayso.core.types import Request
from sayso.neural.bundle import load_bundle
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.recipes import BUNDLE, FOLDER, load_lexicon

RECIPES = r"""
mv {a} {b}  <-  a: path, b: path
    rename {a} to {b}
    move {a} to {b}
    put {a} into {b}
rm {a}  <-  a: file
    delete the file {a}
    remove {a}
mkdir {a}  <-  a: newname
    create a folder named {a}
    make the folder {a}
    make a directory called {a}
touch {a}  <-  a: newname
    create the files {a}
    create the file {a}
    touch {a}
find {dir} -name {name}  <-  dir: dir=., name: name
    where is the file called {name}
    find {name} in {dir}
grep {p} {f}  <-  p: pattern, f: file
    lines with {p} in {f}
    search for {p} in {f}
    lines of {f} that contain {p}
grep '{p|regex}$' {f}  <-  p: pattern, f: file
    lines ending with {p} in {f}
    lines of {f} that end in {p}
sed 's/{a|sed}/{b|sedto}/g' {f}  <-  a: text, b: text, f: file
    replace {a} with {b} in {f}
    change {a} to {b} in {f}
sed -n '/{a|sed}/,/{b|sed}/p' {f}  <-  a: text, b: text, f: file
    print everything between {a} and {b} in {f}
    the part of {f} from {a} to {b}
cut -d {c} -f {n} {f}  <-  c: character, n: number, f: file
    column {n} of {f} separated by {c}
    field {n} of {f} cut at every {c}
find {dir} -name '*.{ext}' -delete  <-  dir: dir=., ext: extension
    delete all {ext} files in {dir}
    get rid of every {ext} file under {dir}
find {dir} -name '*.{ext}' | wc -l  <-  dir: dir=., ext: extension
    count the {ext} files in {dir}
    how many {ext} files are in {dir}
ls -t<? {dir}?> | head -n {n}  <-  dir: dir?, n: number=10
    the {n} newest files in {dir}
    newest files
    most recently changed files in {dir}
timeout {t|seconds} {c}  <-  t: timespan, c: command
    run {c} but stop it after {t}
    run {c} for at most {t}
for i in $(seq {n}); do {c}; done  <-  n: number, c: command
    run {c} {n} times
    repeat {c} {n} times
{c} | tee {f}  <-  c: command, f: newname
    show the output of {c} and save it in {f}
    run {c}, see the output and keep it in {f}
seq {a} {b}  <-  a: number, b: number
    print the numbers from {a} to {b}
    count from {a} to {b}
ln -s {t} {l}  <-  t: path, l: newname
    symlink {t} to {l}
    symlink {l} -> {t}
sort-by {c} {f}  <-  c: field, f: csvfile
    sort {f} by {c}
    order the rows of {f} by {c}
pick {c} {v} {f}  <-  c: field, v: text, f: csvfile
    rows of {f} that have {c} {v}
    rows of {f} with {c} {v}
sed -i 's/^{p|key}=.*/{p|sedto}/' {f}  <-  p: assignment, f: inifile
    set {p} in {f}
    put {p} into {f}
cut -f{n} {f}  <-  n: number, f: tsvfile
    field number {n} of {f}
    print field number {n} of {f}
for f in {a}; do n="${f#{a|head}}"; mv -n -- "$f" "{b|head}${n%{a|tail}}{b|tail}"; done  <-  a: starred, b: starred
    rename {a} to {b}
    rename all {a} to {b}
crontab '{h|cron} * * * {c}'  <-  h: hour, c: script
    run {c} every day at {h}
    run {c} daily at {h}
crontab '{t|often} {c}'  <-  t: timespan, c: script
    let cron run {c} every {t}
    cron job running {c} every {t}
shutdown -r {h|clock}  <-  h: hour
    reboot at {h}
    restart the computer at {h}
sed -i '/{t|sed}/s/^# *//' {f}  <-  t: text, f: file
    remove the # before lines with {t} in {f}
    uncomment the lines with {t} in {f}
du -sh {dir}  <-  dir: dir=.
    how big is the folder {dir}
    size of {dir}
"""
"""Command, types of its slots, and below them the ways to ask for it."""


def recipes() -> list[Recipe]:
    found = []
    for at, block in enumerate(re.split(r"\n(?! )", RECIPES.strip())):
        head, *say = block.split("\n")
        command, _, slots = head.partition("  <-  ")
        types = dict(slot.split(": ") for slot in slots.split(", "))
        parsed = {name: parse_slot(name, kind) for name, kind in types.items()}
        found.append(Recipe(f"r{at}", command, "reads", parsed, tuple(line.strip() for line in say)))
    return found


@pytest.fixture(scope="module")
def book() -> Cookbook:
    fitted = load_bundle(BUNDLE).settings
    settings = Settings(fitted["weights"], fitted["looked_at"], fitted["lowest"])
    return Cookbook(recipes(), load_lexicon(FOLDER), settings, render)


NAMES = {
    "rename 'old plan' to attic": "mv 'old plan' attic",
    'move "my song.mp3" to music': "mv 'my song.mp3' music",
    'rename "a b.txt" to "c d.txt"': "mv 'a b.txt' 'c d.txt'",
    "move report.pdf to archive": "mv report.pdf archive",
    "put notes.txt into backup": "mv notes.txt backup",
    "move the folder 'tax 2021' to old": "mv 'tax 2021' old",
    "delete the file 'final (2).doc'": "rm 'final (2).doc'",
    'remove "it is done.txt"': "rm 'it is done.txt'",
    "create a folder named Summer Trip": "mkdir 'Summer Trip'",
    "make a directory called 'to do'": "mkdir 'to do'",
    "create a folder named invoices": "mkdir invoices",
    "make the folder out": "mkdir out",
    "where is the file called tax return 2022.pdf": "find . -name 'tax return 2022.pdf'",
    "where is the file called holiday list.md?": "find . -name 'holiday list.md'",
    "where is the file called plan.txt": "find . -name plan.txt",
    "create the files part1.txt .. part5.txt": "touch part{1..5}.txt",
    "touch b2.log through b6.log": "touch b{2..6}.log",
    "create the files day1.md to day7.md": "touch day{1..7}.md",
    "create the file log.txt": "touch log.txt",
    "how big is the folder 'my music'": "du -sh 'my music'",
    "how big is the photos folder": "du -sh photos",
}
CHARACTERS = {
    "lines ending with a semicolon in main.c": "grep ';$' main.c",
    "lines of poem.txt that end in a dot": r"grep '\.$' poem.txt",
    "lines ending with a comma in rows.csv": "grep ',$' rows.csv",
    "lines ending with a backslash in run.conf": r"grep '\\$' run.conf",
    "lines with a # in setup.ini": "grep '#' setup.ini",
    "lines with a hash in setup.ini": "grep '#' setup.ini",
    "lines with a dot in ips.txt": r"grep '\.' ips.txt",
    "lines with an asterisk in todo.txt": r"grep '\*' todo.txt",
    "lines with a pipe in rows.txt": "grep '|' rows.txt",
    "search for a tab in rows.tsv": r"grep $'\t' rows.tsv",
    "lines of a.txt that contain an @": "grep @ a.txt",
    "search for the word comma in essay.txt": "grep comma essay.txt",
    "search for 'tab' in keys.txt": "grep tab keys.txt",
    "replace commas with tabs in x.txt": r"sed 's/,/\t/g' x.txt",
    "replace semicolons with commas in x.txt": "sed 's/;/,/g' x.txt",
    "replace dots with dashes in x.txt": r"sed 's/\./-/g' x.txt",
    "change slashes to underscores in x.txt": r"sed 's/\//_/g' x.txt",
    "replace every colon with a space in x.txt": "sed 's/:/ /g' x.txt",
    "lines with a dollar sign in bill.txt": r"grep '\$' bill.txt",
    "lines with a question mark in faq.txt": "grep '?' faq.txt",
    "lines with an at sign in mail.txt": "grep @ mail.txt",
    "lines with double quotes in a.txt": "grep '\"' a.txt",
    "replace single quotes with double quotes in a.txt": "sed 's/'\\''/\"/g' a.txt",
    "column 2 of users.txt separated by colons": "cut -d : -f 2 users.txt",
    "column 3 of users.txt separated by a pipe": "cut -d '|' -f 3 users.txt",
    "column 1 of users.txt separated by ;": "cut -d ';' -f 1 users.txt",
    "column 4 of users.txt separated by a |": "cut -d '|' -f 4 users.txt",
    "field 2 of keys.txt cut at every dash": "cut -d - -f 2 keys.txt",
}
TEXTS = {
    "lines with ERROR in app.log": "grep ERROR app.log",
    "search for WARNING in app.log": "grep WARNING app.log",
    "lines of app.log that contain FATAL": "grep FATAL app.log",
    "search for DB_HOST in app.env": "grep DB_HOST app.env",
    "print everything between BEGIN and STOP in doc.txt": "sed -n '/BEGIN/,/STOP/p' doc.txt",
    "print everything between START and END in doc.txt": "sed -n '/START/,/END/p' doc.txt",
    "the part of doc.txt from HEAD to TAIL": "sed -n '/HEAD/,/TAIL/p' doc.txt",
    "replace FOO with BAR in x.txt": "sed 's/FOO/BAR/g' x.txt",
    "replace 'colour' with 'color' in x.txt": "sed 's/colour/color/g' x.txt",
    "search for myFunc in main.c": "grep myFunc main.c",
    "replace zork vex with quam plint in x.txt": "sed 's/zork vex/quam plint/g' x.txt",
    "replace zork with vex everywhere in x.txt": "sed 's/zork/vex/g' x.txt",
    "replace AllowZork yes with AllowZork no in x.txt": "sed 's/AllowZork yes/AllowZork no/g' x.txt",
    "replace zork file with quam in x.txt": "sed 's/zork file/quam/g' x.txt",
}
KINDS = {
    "delete all isos in images": "find images -name '*.iso' -delete",
    "delete all pdfs in downloads": "find ~/Downloads -name '*.pdf' -delete",
    "get rid of every png under media": "find media -name '*.png' -delete",
    "delete all csv files in data": "find data -name '*.csv' -delete",
    "delete all yml files in config": "find config -name '*.yml' -delete",
    "delete all python files in src": "find src -name '*.py' -delete",
    "count the jpgs in photos": "find photos -name '*.jpg' | wc -l",
    "count the csvs in exports": "find exports -name '*.csv' | wc -l",
    "how many mp3s are in music": "find music -name '*.mp3' | wc -l",
    "how many zips are in this folder": "find . -name '*.zip' | wc -l",
    "how many .md files are in notes": "find notes -name '*.md' | wc -l",
    "how many xlsx files are in reports": "find reports -name '*.xlsx' | wc -l",
    "delete all mp4s in videos": "find videos -name '*.mp4' -delete",
    "how many webps are here": "find . -name '*.webp' | wc -l",
}
COUNTS = {
    "the newest file in exports": "ls -t exports | head -n 1",
    "the newest files in exports": "ls -t exports | head -n 10",
    "the 3 newest files in exports": "ls -t exports | head -n 3",
    "newest file": "ls -t | head -n 1",
    "most recently changed file in docs": "ls -t docs | head -n 1",
    "most recently changed files in docs": "ls -t docs | head -n 10",
    "print the numbers from 5 to 25": "seq 5 25",
    "count from 3 to 9": "seq 3 9",
}
SCRIPTS = {
    "run slow.sh but stop it after 10 seconds": "timeout 10 ./slow.sh",
    "run slow.sh but give up after 1 second": "timeout 1 ./slow.sh",
    "run ./slow.sh for at most 2 minutes": "timeout 120 ./slow.sh",
    "run train.py for at most 2 hours": "timeout 7200 python3 train.py",
    "run 'make all' but stop it after 5 minutes": "timeout 300 make all",
    "run test.sh 3 times": "for i in $(seq 3); do ./test.sh; done",
    "repeat check.bash 12 times": "for i in $(seq 12); do ./check.bash; done",
    "repeat bench.py 5 times": "for i in $(seq 5); do python3 bench.py; done",
    "show the output of build.sh and save it in out.txt": "./build.sh | tee out.txt",
    "run make.sh, see the output and keep it in out.log": "./make.sh | tee out.log",
    "show the output of 'df -h' and save it in disk.txt": "df -h | tee disk.txt",
}
PLACES = {
    "delete all log files here": "find . -name '*.log' -delete",
    "delete all log files in my home": "find ~ -name '*.log' -delete",
    "delete all log files inside build": "find build -name '*.log' -delete",
    "count the py files in this folder": "find . -name '*.py' | wc -l",
    "count the py files directly inside src": "find src -name '*.py' | wc -l",
    "count the py files in the scripts folder": "find scripts -name '*.py' | wc -l",
    "size of my home": "du -sh ~",
    "newest files in alphabetical order": "ls -t | head -n 10",
    "count the py files in this project": "find . -name '*.py' | wc -l",
    "count the py files in the repo": "find . -name '*.py' | wc -l",
    "count the py files in this repo": "find . -name '*.py' | wc -l",
}
COLUMNS = {
    "sort staff.csv by name": "sort-by name staff.csv",
    "sort staff.csv by date": "sort-by date staff.csv",
    "order the rows of staff.csv by price": "sort-by price staff.csv",
    "rows of staff.csv that have status retired": "pick status retired staff.csv",
    "field number 2 of rows.tsv": "cut -f2 rows.tsv",
    "symlink latest -> builds/v7": "ln -s builds/v7 latest",
    "symlink builds/v7 to latest": "ln -s builds/v7 latest",
    "set verbose=yes in app.conf": "sed -i 's/^verbose=.*/verbose=yes/' app.conf",
    "set LIMIT=20 in app.conf": "sed -i 's/^LIMIT=.*/LIMIT=20/' app.conf",
    "rename scan_*.png to page_*.png": (
        'for f in scan_*.png; do n="${f#scan_}"; mv -n -- "$f" "page_${n%.png}.png"; done'
    ),
    "rename all *.htm to *.html": 'for f in *.htm; do n="${f#}"; mv -n -- "$f" "${n%.htm}.html"; done',
    "remove the # before lines with Listen in web.conf": "sed -i '/Listen/s/^# *//' web.conf",
}
TIMES = {
    "run sync.sh every day at 2:30": "crontab '30 2 * * * ./sync.sh'",
    "run sync.sh daily at 6pm": "crontab '0 18 * * * ./sync.sh'",
    "let cron run sync.sh every 2 hours": "crontab '0 */2 * * * ./sync.sh'",
    "let cron run sync.sh every 15 minutes": "crontab '*/15 * * * * ./sync.sh'",
    "cron job running sync.sh every 1 hour": "crontab '0 * * * * ./sync.sh'",
    "cron job running sync.sh every 3 days": "crontab '0 0 */3 * * ./sync.sh'",
    "reboot at 22:45": "shutdown -r 22:45",
    "reboot at 4": "shutdown -r 4:00",
}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        pair
        for table in (NAMES, CHARACTERS, TEXTS, KINDS, COUNTS, SCRIPTS, PLACES, COLUMNS, TIMES)
        for pair in table.items()
    ],
)
def test_values_go_where_they_belong(book: Cookbook, text: str, command: str) -> None:
    assert [candidate.text for candidate in book.translate([Request(text)])[0]] == [command]
