"""What is dropped and why, what is cleaned, and how far the filter is the authors'."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.corpus.clean import clean
from sayso.targets.bash.corpus.filter import REASONS, filter_commands, tables, why_dropped
from sayso.targets.bash.corpus.nl2bash import SPLITS, published_pairs, raw_pairs

KEPT = [
    "find . -name '*.c' -type f",
    "ls -l | sort -k5 -n | head",
    "$ ls",
    "# ls -a",
    "user@host:~$ ls -a",
    "sudo chown -R me /srv",
    "/usr/bin/find /tmp -exec /bin/rm {} \\;",
    "tail -f log | tee copy &",  # one command in the background is one command
    "cd /tmp;",
    "name=$(basename x.c .c)",  # §2 excludes assignments; the published corpus has those with a utility inside
    "TZ=UTC env | grep TZ",
    "diff <(sort a) <(sort b)",
    "find . -exec sh -c 'rm {}' \\;",
    "cat list | sh",
    "bash setup.sh",
    "env -i python -V",
    'ssh host "$COMMANDS"',
    "ssh host ls /tmp",
    "watch -n 5 'ls -l'",
    "$EDITOR x | cat",
    "~/bin/tool | cat",
    "find . -inum 7 -exec rm {} \\",  # a line that went on
    "ps -ef | grep x",
    "su - ",
    "su git",
    "mount -o ro /dev/sda1 /mnt",
    "tar -czf a.tgz dir",
]

DROPPED = {
    "echo 'a": "syntax error",
    "ls > files.txt": "redirection",
    "wc -l < a": "redirection",
    "echo $(cat < a)": "redirection",
    "for f in *; do rm $f; done": "compound statement",
    "if true; then ls; fi": "compound statement",
    "[[ -f x ]]": "compound statement",
    "cd /tmp && ls": "list of commands",
    "cd /tmp; ls": "list of commands",
    "echo `cd a; ls`": "list of commands",
    "(cd a; ls)": "subshell or group",
    "all=($(ls))": "array",
    "echo $((1 + 2))": "arithmetic",
    "LANG=C ls": "no utility",
    "x=5": "no utility",
    "ls | sed s/a/b/": "interpreter",
    "find . -exec perl -pi -e 1 {} +": "interpreter",
    "ls | xargs python x.py": "interpreter",
    "sh run.sh one two": "interpreter",
    "alias l=ls": "script utility",
    "set -e": "script utility",
    "git log": "utility",
    "\\ls": "utility",
    "watch git status": "utility",
    "find . -exec sh -c 'ls {} | wc -l' \\;": "nested shell text",
    "find . -exec sh -c 'rm \"$1\"' sh {} \\;": "nested shell text",
    "ssh host 'cd a; ls'": "nested shell text",
    "watch 'ls | wc'": "nested shell text",
    "ps aux": "flag",
    "su - git": "flag",
    "su -c ls": "flag",
    "tar --create -f a.tar b": "flag",
    "paste --delim=, a b": "flag",
    "ls --no-such-flag": "flag",
    "mount --bind a b": "flag",
}


@pytest.mark.parametrize("command", KEPT)
def test_kept(command: str) -> None:
    assert why_dropped(command) == ""


@pytest.mark.parametrize(("command", "reason"), DROPPED.items())
def test_dropped_for_this_reason(command: str, reason: str) -> None:
    assert why_dropped(command) == reason


def test_every_reason_has_an_example_and_a_ground() -> None:
    assert set(DROPPED.values()) == set(REASONS)
    assert all(REASONS.values())


def test_of_two_reasons_the_first_in_the_list_counts() -> None:
    assert why_dropped("git log | awk 1 > x") == "redirection"
    assert why_dropped("git log | awk 1") == "interpreter"


def test_lists_do_not_overlap() -> None:
    lists = tables()
    assert not lists.utilities & (lists.interpreters | lists.script_utilities)
    assert not lists.interpreters & lists.script_utilities
    assert (set(lists.allowed) | set(lists.refused) | lists.only_short) <= lists.utilities
    assert len(lists.utilities) == 103  # the 102 of table 4, and sudo, which cleaning takes away


@pytest.mark.parametrize(
    ("scraped", "cleaned"),
    [
        ("  $ ls -l ", "ls -l"),
        ("# ls", "ls"),
        ("% ls", "ls"),
        ("me@box:~/x$ ls", "ls"),
        ("sudo ls", "ls"),
        ("sudo -u me ls -a", "ls -a"),
        ("$ sudo /bin/rm -f a", "rm -f a"),
        ("sudo sudo ls", "ls"),
        ("ls | sudo tee a", "ls | tee a"),
        ("echo $(sudo /sbin/ifconfig)", "echo $(ifconfig)"),
        ("find / -exec sudo /usr/local/bin/chmod 1 {} +", "find / -exec chmod 1 {} +"),
        ("ls a \\", "ls a"),
        ("echo a\\\\", "echo a\\\\"),
        ("ls /bin/ls", "ls /bin/ls"),  # an argument is no utility
        ("echo sudo ls", "echo sudo ls"),
        ("echo > a", "echo > a"),
        ("$HOME/bin/x", "$HOME/bin/x"),
        ("./bin/x", "./bin/x"),
        ("#", "#"),
        ("sudo", "sudo"),
        ("sudo -s", "sudo -s"),
        ("$ echo 'a", "echo 'a"),
        ("", ""),
    ],
)
def test_cleaning(scraped: str, cleaned: str) -> None:
    assert clean(scraped) == cleaned


@given(st.text(alphabet="ls sudo/bin$#%@;|'\"`()\\", max_size=30))
def test_cleaning_makes_nothing_up(text: str) -> None:
    """What is left is a part of what was there, in order, and cleaning it again changes nothing more to the left."""
    left = iter(text)
    assert all(character in left for character in clean(text))


def test_kept_and_dropped_are_all() -> None:
    commands = [*KEPT, *DROPPED, "ls", "ls"]
    filtered = filter_commands(commands)
    assert len(filtered.kept) == len(KEPT) + 2
    assert sorted([*filtered.kept, *filtered.dropped]) == list(range(len(commands)))
    assert sum(filtered.counts().values()) == len(DROPPED)
    assert list(filtered.counts()) == [reason for reason in REASONS if reason in DROPPED.values()]


@pytest.mark.slow
def test_agreement_with_the_published_corpus(corpora: Path) -> None:
    raw = raw_pairs(corpora)
    theirs = {pair.line for split in SPLITS for pair in published_pairs(corpora, split)}
    filtered = filter_commands(pair.command for pair in raw)
    assert len(filtered.kept) + sum(filtered.counts().values()) == len(raw) == 12_607
    ours = {raw[at].line for at in filtered.kept}
    agreeing = len(ours & theirs) + len(raw) - len(ours | theirs)
    assert agreeing / len(raw) >= 0.985
    assert set(filtered.counts()) == set(REASONS), "every reason costs at least one raw pair"
    # Cleaning never makes a kept command unreadable, nor one that would be dropped.
    assert all(why_dropped(clean(raw[at].command)) == "" for at in filtered.kept[::20])
