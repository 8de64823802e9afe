"""What may run without a question: a list of words, and everything that must not get past it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets import TARGETS
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.effects.runs_unasked import allowed, runs_unasked

RUNS = r"""
ls -la
ls -lah | head -5
ls ./*.txt
ls -- *
cat a b && wc -l a
cd d && ls -1 | wc -l
find . -name '*.c' -mtime -3
find . -type f -printf '%s %p\n' | sort -rn | head -n 5
find . \( -name a -o -name b \) -prune -o -print
grep -rn --include='*.py' TODO .
sort -k2,2n -t, f
uniq -c f
sed -n 2,5p f
sed 's/a/b/g; 1d' f
sed -n '/a/,/b/p' f
awk -F: '$3 > 100 {print $1}' /etc/passwd
awk '{n += $2} END {print n, length($1)}' f
tar -tzvf a.tgz
git log --oneline -n 5
git diff --stat HEAD~1
git branch -a
git stash list
date -d yesterday +%F
du -sh d/* | sort -h
ps aux --sort=-%mem | head -n 6
echo -n a -b
journalctl -u ssh -n 50
ls; pwd
ls || true
""".strip().splitlines()

ASKS = r"""
ls *
cat ?.txt
cat [a-z]
ls $x
ls "$HOME"
ls $(pwd)
ls `pwd`
ls {a,b}
ls -{l,a}
ls > f
ls 2> /dev/null
cat < f
cat <<< x
cat <(ls)
A=1 ls
A=1
ls &
(ls)
{ ls; }
! ls
if ls; then pwd; fi
for f in a b; do ls; done
while ls; do pwd; done
[ -f a ]
[[ -f a ]]
f() { ls; }
ls |& cat
\ls
'ls'
/bin/ls
./ls
sudo ls
time ls
env ls
env A=1 ls
xargs ls
ls --frobnicate
ls -la --zero=x
sort -o f f
sort -of f
sort -uo f f
sort --outp=f f
sort --compress-program=x f
sort -T d f
find . -delete
find . -name x -delete
find . -name *
find . -exec ls {} +
find . -execdir ls {} ;
find . -ok ls {} ;
find . -okdir ls {} ;
find . -fls f
find . -fprint f
find . -fprint0 f
find . -fprintf f x
find . -files0-from f
sed -i p f
sed -ni p f
sed -n -i p f
sed p -i f
sed --in-place p f
sed -f s f
sed 'w f' f
sed 's/a/b/w f' f
sed 's/a/b/e' f
sed '1e ls' f
sed 'r f' f
sed 's/[/]x/e' f
sed -n '1!{w f' f
awk '{print > "f"}' f
awk '{print >> "f"}' f
awk '{print | "sh"}' f
awk 'BEGIN{system("ls")}'
awk 'BEGIN{"ls" | getline}'
awk 'BEGIN{x = 1/system("ls")/2}'
awk -f p f
awk -i inplace 1 f
tar xf a
tar cf a b
tar tf a --to-command=x
tar tf a -I x
tar tf a --checkpoint-action=exec=x
tar tf host:a
tar -t -f a
git log --output=f
git log --output f
git log --outp=f
git log --ext-diff
git log --format --output=f
git log -U --output=f
git -c a.b=c log
git -C d status
git -p log
git --exec-path=x log
git branch x
git branch -D x
git tag x
git stash
git stash drop
git stash show --output=f
git reflog expire
git config a b
git grep -O x
git frobnicate
git
uniq a b
uniq a*
uniq --group a b
date -s x
date 01011200
date -I -s 2030
hostname x
mount a b
shuf -o f
tree -o f
xxd a b
xxd -r a
xxd a -s
lsof -D b
journalctl --rotate
journalctl -n --rotate
journalctl --vacuum-size=1
dmesg -C
file -C
printf -v x a
curl https://example.com
ping -c1 host
rm f
less f
man ls
grep -e *x f
ls =ls
bash -c ls
eval ls
. f
""".strip().splitlines()


@pytest.mark.parametrize("command", RUNS)
def test_everyday_reading_runs(command: str) -> None:
    assert runs_unasked(command) == ""


@pytest.mark.parametrize("command", [*ASKS, "ls\nrm f", "ls \u202e f", "", "ls '", "ls\x00", "ls " * 3000])
def test_everything_else_asks_and_says_why(command: str) -> None:
    assert runs_unasked(command)


def test_a_flag_that_is_not_on_the_list_asks() -> None:
    for name, one in allowed().items():
        for flag in ("--frobnicate", "--output=f", "--exec=x", "-\u00e9", "-~"):
            if name != "echo" and flag.partition("=")[0] not in one.values:
                assert runs_unasked(f"{name} {flag}"), (name, flag)


WORDS = st.sampled_from(
    [
        *RUNS,
        *ASKS,
        *(
            "ls",
            "cat",
            "sort",
            "find",
            "sed",
            "awk",
            "git",
            "tar",
            "uniq",
            "date",
            "echo",
            "head",
            "xargs",
            "rm",
            "log",
        ),
        *(
            "-o",
            "-delete",
            "-i",
            "--output=f",
            "f",
            "*",
            "$x",
            ";",
            "&&",
            "|",
            ">",
            "\\",
            "'",
            '"',
            "--",
            "-exec",
            "{}",
        ),
        *("+", "show", "(", ")", "`ls`", "&", "!"),
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=6).map(" ".join))
def test_what_runs_is_also_rated_reads_and_expands_nothing(command: str) -> None:
    if not runs_unasked(command):
        assert risk_of(command).level == "reads"
        assert not {"$", "`", ">", "<"} & set(command.replace("$3 > 100", "").replace("$1", "").replace("$2", ""))


@given(st.sampled_from(RUNS), st.sampled_from([" > f", " &", " $x", " `ls`", " $(ls)", " <(ls)", "; rm f", " | tee f"]))
def test_nothing_gets_on_the_list_by_being_added_to_what_is(command: str, more: str) -> None:
    assert runs_unasked(command + more)


def test_other_targets_run_nothing_unasked() -> None:
    assert all(target.unasked("ls") for name, target in TARGETS.items() if name != "bash")
