"""Values in commands: converted to what the utility wants, and quoted so that nothing gets out."""

from __future__ import annotations

import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.cookbook.entry import Recipe, parse_slot
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.language import normalise, risk


def recipe(command: str, **slots: str) -> Recipe:
    parsed = {name: parse_slot(name, text) for name, text in slots.items()}
    return Recipe("test", command, "reads", parsed, ("a", "b"))


COPY = recipe("cp {a} {b}", a="file", b="path")
NASTY = st.text(st.sampled_from("ab '\"$`\\;&|<>(){}[]*?!#~\n\t-=é%"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("command", "slots", "values", "filled"),
    [
        ("ls<? {dir}?>", {"dir": "dir?"}, {}, "ls"),
        ("ls<? {dir}?>", {"dir": "dir?"}, {"dir": "."}, "ls"),
        ("ls<? {dir}?>", {"dir": "dir?"}, {"dir": "/tmp"}, "ls /tmp"),
        ("du -sh {dir}", {"dir": "dir=."}, {}, "du -sh ."),
        ("wc -l {file}", {"file": "file"}, {}, "wc -l FILE"),
        ("wc -l {file}", {"file": "file"}, {"file": "my notes.txt"}, "wc -l 'my notes.txt'"),
        ("wc -l {file}", {"file": "file"}, {"file": "-rf"}, "wc -l ./-rf"),
        ("wc -l {file}", {"file": "file"}, {"file": "*.txt"}, "wc -l *.txt"),
        ("wc -l {file}", {"file": "file"}, {"file": "~/my notes"}, "wc -l ~/'my notes'"),
        ("wc -l {file}", {"file": "file"}, {"file": "$HOME/x"}, 'wc -l "$HOME/x"'),
        ("wc -l {file}", {"file": "file"}, {"file": "$(reboot)"}, "wc -l '$(reboot)'"),
        ("find . -name '*.{ext}'", {"ext": "extension"}, {"ext": "tar.gz"}, "find . -name '*.tar.gz'"),
        ("find . -name '*{text}*'", {"text": "text"}, {"text": "it's"}, r"find . -name '*it'\''s*'"),
        ('echo "{text}"', {"text": "text"}, {"text": 'a"$b`'}, r'echo "a\"\$b\`"'),
        ("grep {text} x", {"text": "pattern"}, {"text": "-v"}, "grep -e -v x"),
        ("sed 's/{a|sed}/x/' f", {"a": "text"}, {"a": "a.b/c"}, r"sed 's/a\.b\/c/x/' f"),
        ("sed 's/x/{b|sedto}/' f", {"b": "text"}, {"b": "x&y/z"}, r"sed 's/x/x\&y\/z/' f"),
        ("find . -size +{n|find}", {"n": "size"}, {"n": "10M"}, "find . -size +10M"),
        ("find . -size +{n|find}", {"n": "size"}, {"n": "500B"}, "find . -size +500c"),
        ("find . -size +{n|find}", {"n": "size"}, {"n": "1.5G"}, "find . -size +1536M"),
        ("find . -size +{n|find}", {"n": "size"}, {"n": "2T"}, "find . -size +2048G"),
        ("split -b {n|unit} x", {"n": "size"}, {"n": "2K"}, "split -b 2K x"),
        ("head -c {n|bytes} x", {"n": "size"}, {"n": "2K"}, "head -c 2048 x"),
        ("find . {t|newer}", {"t": "timespan"}, {"t": "2w"}, "find . -mtime -14"),
        ("find . {t|older}", {"t": "timespan"}, {"t": "90m"}, "find . -mmin +90"),
        ("find . {t|older}", {"t": "timespan"}, {}, "find . -mtime +DAYS"),
        ("sleep {t|seconds}", {"t": "timespan"}, {"t": "5m"}, "sleep 300"),
        ("date -d '{t|words} ago'", {"t": "timespan"}, {"t": "1w"}, "date -d '1 week ago'"),
        ("journalctl --since {t|ago}", {"t": "timespan"}, {"t": "2h"}, "journalctl --since '2 hours ago'"),
        ("tar -czf {d|base}.tar.gz {d}", {"d": "dir"}, {"d": "/srv/www/"}, "tar -czf www.tar.gz /srv/www/"),
        ("head -n {n|next}", {"n": "number"}, {"n": "10"}, "head -n 11"),
        ("awk '{print ${n}}' {f}", {"n": "number", "f": "file"}, {"n": "3", "f": "x"}, "awk '{print $3}' x"),
        ("find . -exec {c} {} +", {"c": "command"}, {"c": "wc -l"}, "find . -exec wc -l {} +"),
        ("time {c}", {"c": "command"}, {"c": "a; b"}, "time bash -c 'a; b'"),
        ("ssh h {c|word}", {"c": "command"}, {"c": "df -h"}, "ssh h 'df -h'"),
        ("nohup {c} &", {"c": "script"}, {"c": "backup.sh"}, "nohup ./backup.sh &"),
        ("time {c}", {"c": "command"}, {"c": "backup.sh -v"}, "time ./backup.sh -v"),
        ("time {c}", {"c": "command"}, {"c": "train.py"}, "time python3 train.py"),
        ("time {c}", {"c": "command"}, {"c": "bin/backup.sh"}, "time bin/backup.sh"),
        ("touch {f}", {"f": "newname"}, {"f": "a{1..9}.txt"}, "touch a{1..9}.txt"),
        ("touch {f}", {"f": "newname"}, {"f": "a{1..$(x)}"}, "touch 'a{1..$(x)}'"),
        ("grep {p} f", {"p": "pattern"}, {"p": "."}, "grep '\\.' f"),
        ("grep {p} f", {"p": "pattern"}, {"p": "a.b"}, "grep a.b f"),
        ("grep -nF {p} f", {"p": "pattern"}, {"p": "."}, "grep -nF . f"),
        ("grep {p} f", {"p": "pattern"}, {"p": "\t"}, r"grep $'\t' f"),
        ("tr {a} , < f", {"a": "character"}, {"a": "\r"}, r"tr $'\r' , < f"),
        ("sed 's/{a|sed}/{b|sedto}/' f", {"a": "text", "b": "text"}, {"a": "\t", "b": "\n"}, r"sed 's/\t/\n/' f"),
        ("rsync {f}/ {t}/", {"f": "dir", "t": "dir"}, {"f": "photos/", "t": "/"}, "rsync photos/ //"),
        ("echo '0 {h} * * *'", {"h": "hour"}, {"h": "03:00"}, "echo '0 3 * * *'"),
    ],
)  # fmt: skip
def test_values_are_written_as_the_utility_wants_them(
    command: str, slots: dict[str, str], values: dict[str, str], filled: str
) -> None:
    assert render(recipe(command, **slots), values) == filled
    normalise(filled)


def words(command: str) -> list[str]:
    """What the shell would pass on: quotes are removed, and any operator would show as a word of its own."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


@given(NASTY, NASTY)
def test_a_file_name_stays_one_argument_and_starts_no_command(first: str, second: str) -> None:
    found = words(render(COPY, {"a": first, "b": second}))
    assert len(found) == 3
    assert [word.removeprefix("./") for word in found] == ["cp", first.removeprefix("./"), second.removeprefix("./")]
    assert not any(word.startswith("-") for word in found)


@given(NASTY)
def test_text_in_single_quotes_stays_inside(text: str) -> None:
    assert words(render(recipe("find . -name '*{t}*' -type f", t="text"), {"t": text})) == [
        "find", ".", "-name", f"*{text}*", "-type", "f",
    ]  # fmt: skip


@given(NASTY)
def test_text_in_double_quotes_stays_inside(text: str) -> None:
    filled = render(recipe('echo "<{t}>" end', t="text"), {"t": text})
    inside = filled.removeprefix('echo "<').removesuffix('>" end')
    assert re.sub(r'\\([\\"$`])', r"\1", inside) == text
    assert not re.search(r'(?<!\\)(?:\\\\)*["$`]', inside)


@given(NASTY)
def test_a_pattern_is_one_argument_even_with_a_dash(text: str) -> None:
    found = words(render(recipe("grep {p} file", p="pattern"), {"p": text}))
    if text in ("\n", "\t"):
        return
    meant = "\\" + text if text in ".*[^$\\" else text  # one sign alone is looked for itself
    assert found == (["grep", "-e", text, "file"] if text.startswith("-") else ["grep", meant, "file"])


@given(NASTY)
def test_a_command_of_the_user_adds_no_command_beside_its_own(text: str) -> None:
    found = words(render(recipe("timeout 5 {c}", c="command"), {"c": text}))
    assert found[:2] == ["timeout", "5"]
    assert found[2:] == ["bash", "-c", text] or not set(text) & set("'\"$`\\;&|<>(){}[]*?!#\n\t")


@given(NASTY)
def test_the_parser_sees_one_simple_command(text: str) -> None:
    """Nothing in a file name changes what a reading command may do."""
    assert risk(render(recipe("cat {f}", f="file"), {"f": text})).level == "reads"


@given(NASTY, NASTY)
def test_sed_replaces_literally(old: str, new: str) -> None:
    found = words(render(recipe("sed 's/{a|sed}/{b|sedto}/g' x", a="text", b="text"), {"a": old, "b": new}))
    assert len(found) == 3
    script = found[1].replace("\\\\", "").replace("\\/", "")
    assert script.count("/") == 3
