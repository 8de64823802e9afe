"""What is called `reads` is run, over files and variables that mean harm, and must have changed nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.prove_reads import compose, compose_listed
from benchmarks.prover import called_reads, load, prove

from sayso.core.types import Sandbox
from sayso.targets.bash.effects.runs_unasked import not_listed
from sayso.targets.bash.knowledge.utilities import utility_names
from sayso.targets.bash.language import risk

HOSTILE = list(load(Path(__file__).with_name("hostile_commands.txt")))
# Commands that do change something, to show that the prover sees it.
CHANGES = """
touch pwned
echo 5 >> a.txt
[ 10 > 5 ]
sort $OPTS a.txt
echo $((x))
find . "$y"
ls | xargs sort
git stash show --output=pwned
chmod +x a.txt
touch /tmp/pwned
""".strip().splitlines()
# Readers with variables, patterns, numbers and pipes that must stay readers.
STAY = r"""
ls $x
cat *
wc -l "$f"
du -sh * | sort -h
grep -c x "$f"
for f in *.txt; do wc -l "$f"; done
for f in ./*.txt; do sort "$f"; done
for i in 1 2 3; do echo $((i * 2)); done
for i in {1..3}; do sed -n 1p "$i"; done
for ((i = 0; i < 5; i++)); do echo $i; done
n=5; head -n $((n + 1)) a.txt
n=$(wc -l < a.txt); echo $((n / 2))
echo $(( ($(date +%s) - $(stat -c %Y a.txt)) / 86400 ))
a=7; b=3; while [ "$b" -ne 0 ]; do t=$((a % b)); a=$b; b=$t; done; echo "$a"
f=a.txt; sort "$f"
f=a.txt; sort $f
sort -- "$f"
sort -k "$k" a.txt
find . -name "$x"
find . -name *.txt
find . -name -delete
find . -name '*'
find "$HOME" -type f
find . -print0 | xargs -0 sort
find . -type f -exec sort {} +
find . -exec sh -c 'sort "$1"' _ {} \;
ls | xargs cat
ls | xargs -I{} grep x {}
ls | xargs awk '{print $1}'
xargs -I{} sort ./{} < names
[ "$x" = y ]
[ -n "$x" ]
[ -f "$f" ] && cat "$f"
[ $# -gt 0 ]
[ $? -eq 0 ]
[[ -d $x ]]
[[ $x == y* ]]
[[ a > b ]]
[[ $# -eq 1 ]]
LC_ALL=C sort a.txt
TZ=UTC date
IFS=, read -r a b < f
export A=1
printf '%s\n' "$x"
awk '{print $1}' "$f"
curl -s https://example.com
git reflog --date=iso
git stash show -p
ip a
ip link show
echo ${x:-y}
echo ${x%.txt}
echo ${#x}
echo "${a[0]}"
echo "${a[@]}"
""".strip().splitlines()


def test_there_are_enough_of_every_family() -> None:
    families = Counter(family for family, _ in HOSTILE)
    assert len({command for _, command in HOSTILE}) >= 600 and len(families) == 9
    assert min(families.values()) >= 20


@pytest.mark.parametrize("command", STAY)
def test_readers_stay_readers(command: str) -> None:
    assert risk(command).level == "reads", risk(command)


@pytest.mark.sandbox
def test_the_prover_sees_every_change_and_no_other(sandbox: Sandbox) -> None:
    quiet = ["ls", "git status", "git diff", "sort a.txt", "cat a.txt | wc -l"]
    assert [proof.command for proof in prove([*CHANGES, *quiet], sandbox)] == CHANGES


@pytest.mark.sandbox
def test_no_hostile_command_that_is_called_reads_changes_anything(sandbox: Sandbox) -> None:
    called = called_reads((command for _, command in HOSTILE), lambda command: risk(command).level)
    assert prove([*called, *STAY], sandbox) == []


@pytest.mark.sandbox
def test_no_composed_command_that_is_called_reads_changes_anything(sandbox: Sandbox) -> None:
    names = [name for name in utility_names() if " " not in name and name not in ("watch", "tail", "ping")]
    called = called_reads(compose(300, 0, names), lambda command: risk(command).level)
    assert called and prove(called, sandbox) == []


@pytest.mark.sandbox
def test_nothing_on_the_list_of_what_runs_unasked_changes_anything(sandbox: Sandbox) -> None:
    hostile = [command for _, command in HOSTILE if not not_listed(command)]
    assert prove([*hostile, *(c for c in compose_listed(150, 0) if not c.startswith("tail"))], sandbox) == []


def test_composed_commands_are_the_same_for_a_seed() -> None:
    assert compose(20, 1, ["ls", "sort"]) == compose(20, 1, ["sort", "ls"]) != compose(20, 2, ["ls", "sort"])
