"""`python -m benchmarks.prove_reads [--n 5000] [--seed 1] [--modes]`: does what is called `reads` change a file?

Commands are composed of utilities and their flags, as the knowledge base has them, with words that are only known when
they run, inside wrappers, tests, arithmetic and pipes. Those called `reads` run in the sandbox (`prover.py`). With
`--modes` each flag that makes a writing tool read stands beside each of its other flags, which chance seldom finds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import Row
from benchmarks.prover import Proof, called_reads, prove
from sayso.core.types import Limits, Sandbox
from sayso.sandbox import open_sandbox
from sayso.targets.bash.effects.effects import effects
from sayso.targets.bash.effects.risk import risk_of
from sayso.targets.bash.effects.runs_unasked import allowed, not_listed
from sayso.targets.bash.knowledge.utilities import FlagEntry, Utility, find_utility, utility_names

N, SEED = 5_000, 1
FEWEST = 300
OPERANDS = [
    "a.txt", "b.txt", "d", "t.tar", "z.gz", "z.zip", "j.json", "key", ".", "x", "pwned", "HEAD", "evil.num",
    "prog.sed", "flags.txt", "--", "-", "1", "+1",
]  # fmt: skip
VALUES = [
    "pwned", "./pwned", "a.txt", "1", "x", "'touch pwned'", "./evil.sh", "'w pwned'", "p", "-", "/home/user/pwned",
    "'s/x/y/'", "'{print $1}'", "always", "prog.sed", "key=pwned", "d",
]  # fmt: skip
OPEN = [
    "$y", '"$y"', "$O1", '"$O1"', "$OPTS", "${OPTS}", "$SEDOPT", '"$SEDOPT"', "$TAROPT", '"$TAROPT"', "$GITOUT",
    '"$GITOUT"', "$two", "$new", '"$new"', '"$@"', "$1", "$*", "*", "?opwned", "[-x]*", "./*", "d/*", "$(echo -opwned)",
    '"$(echo -opwned)"', "`cat flags.txt`", "${nothing:--opwned}", "${n}", "$n", '"$n"', "$HOME", '"$PWD"', "-$lettero",
    "--$longo", "-$del", "{a.txt,pwned}", "{-o,pwned}", "~", "$((n))", "${#x}", '"${x:0:1}"', "$IFS-opwned",
]  # fmt: skip
EVALUATED = [
    "x", "$x", "${x}", "n", "$n", "1", "$#", "a[x]", "a[$n]", "$(cat evil.num)", "$(wc -l < a.txt)", "$(date +%s)",
    "${#x}", "$RANDOM", "$1", "`head -1 evil.num`", "${x:-0}", "i", "n + 1", "(n * 2)", "x ? 1 : 2", "n = x", "i++",
]  # fmt: skip
EVALUATING = [
    "echo $(({}))", "(( {} ))", "[[ {} -gt 1 ]]", "[[ 1 -eq {} ]]", 'echo "$[{}]"', "let 'i = {}'", "echo ${{n:{}}}",
    "for ((i = 0; i < {}; i++)); do break; done", "declare -i i={}", "a[{}]=1", "echo ${{a[{}]}}", "[ {} -gt 1 ]",
    "test {} -eq 1", "head -n $(({})) a.txt", "case $(({})) in 1) ls;; esac", "seq $(({}))", "[ {} > 5 ]", "test -v {}",
    "printf -v v '%s' {}; echo $((v))", "v={}; echo $((v))", "read v <<< {}; (( v ))", "unset {}", "declare {}=1",
    "while (( {} )); do break; done", "if [[ {} -lt 9 ]]; then ls; fi", "echo ${{!{}}}", "export v={}; echo $((v + 1))",
]  # fmt: skip
WRAPPERS = [
    "{}", "{}", "{}", "{}", "time {}", "timeout 1 {}", "nice {}", "env LC_ALL=C {}", "command {}", "stdbuf -oL {}",
    "find d -type f -exec {} {{}} \\;", "find d -type f -exec {} {{}} +", "ls | xargs {}", "ls | xargs -n1 {}",
    "echo -opwned | xargs {}", "ls | xargs -I% {} %", "find . -print0 | xargs -0 {}", "find . | xargs {}",
    "cat flags.txt | xargs -n 2 {}", "for f in *; do {} \"$f\"; done", "for f in a.txt b.txt; do {} $f; done",
    "while read -r f; do {} \"$f\"; done < flags.txt", "while read f; do {} $f; done < flags.txt", "! {}", "( {} )",
    "bash -c '{} \"$1\"' _ -opwned", "xargs -a flags.txt {}", "echo \"$({})\"", "f() {{ {} \"$@\"; }}; f -opwned",
    "xargs {} < flags.txt", "watch -n1 -e -g '{}' ", "set -- -opwned; {} \"$@\"", "{} < a.txt",
    "v=-opwned; {} $v", "v=pwned; {} $v", "printf '%s\\n' -opwned pwned | xargs {}", "cat a.txt | {}",
]  # fmt: skip
SETTINGS = [
    "LC_ALL=C", "TZ=UTC", "TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=./evil.sh'",
    "GIT_TRACE=/home/user/pwned",
    "PAGER='touch pwned'", "GIT_EXTERNAL_DIFF=./evil.sh", "BASH_ENV=evil.sh", "HOME=$PWD/home", "PATH=./bin:$PATH",
    "LESSOPEN='|touch pwned'", "MANPAGER='touch pwned'", "PIP_LOG=pwned", "PS4='$(touch pwned)'", "IFS=,", "x=1",
    "LD_DEBUG=all LD_DEBUG_OUTPUT=pwned", "WGETRC=wgetrc", "GIT_PAGER='touch pwned'", "POSIXLY_CORRECT=1",
]  # fmt: skip
JOINS = [" && ", " || ", "; ", " | "]
ARCHIVES = {
    "tar": "-f t.tar", "zip": "z.zip", "unzip": "z.zip", "xz": "z.xz", "unxz": "z.xz", "lzma": "z.xz", "bzip2": "z.bz2",
    "bunzip2": "z.bz2", "zstd": "z.zst", "unzstd": "z.zst", "lz4": "z.lz4", "cpio": "< c.cpio", "patch": "< a.txt",
    "rsync": "d e",
}  # fmt: skip
# Whatever their flags say, these only wait, or draw a screen.
SLOW = {"yes", "sleep", "top", "htop", "iotop", "tzselect", "nethogs"}


def compose(n: int, seed: int, names: Sequence[str]) -> list[str]:
    """So many different commands; the same ones for the same seed, base and utilities."""
    drawn = random.Random(seed)
    known = [utility for name in sorted(names) if (utility := find_utility(name)) and name not in SLOW]
    ways: list[Callable[[random.Random, list[Utility]], str]] = [_plain, _plain, _open, _open, _evaluating, _set]
    made: dict[str, None] = {}
    while len(made) < n:
        text = drawn.choice(ways)(drawn, known)
        if drawn.random() < 0.15:
            text += drawn.choice(JOINS) + drawn.choice(ways)(drawn, known)
        made[text] = None
    return list(made)


def _base(drawn: random.Random, known: list[Utility]) -> list[str]:
    """A utility with up to three of its flags and two operands, in any order."""
    utility = drawn.choice(known)
    words = [word for _ in range(drawn.randint(0, 3)) if utility.flags for word in _flag(drawn, utility)]
    rest = [drawn.choice(OPERANDS) for _ in range(drawn.randint(0, 2))]
    if utility.name in ("sed", "awk", "mawk", "gawk", "grep", "jq"):
        program = drawn.choice(("p", "s/x/y/", "$p", "/x/d", "w pwned", "s/x/y/w pwned", "{print $1}", "1", ".", "x"))
        rest = [f"'{program}'", *rest]
    return [utility.name, *words, *rest] if drawn.random() < 0.8 else [utility.name, *rest, *words]


def _flag(drawn: random.Random, utility: Utility) -> list[str]:
    entry: FlagEntry = drawn.choice(utility.flags)
    name = drawn.choice(entry.names)
    if not entry.arguments:
        return [name]
    value = drawn.choice(VALUES)
    if name.startswith("--"):
        return [f"{name}={value}"] if drawn.random() < 0.7 else [name, value]
    return [f"{name}{value}"] if drawn.random() < 0.3 else [name, value]


def _plain(drawn: random.Random, known: list[Utility]) -> str:
    text = " ".join(_base(drawn, known))
    return drawn.choice(WRAPPERS).format(text) if drawn.random() < 0.2 else text


def _open(drawn: random.Random, known: list[Utility]) -> str:
    """The same with one or two words that are only known when it runs."""
    words = _base(drawn, known)
    for _ in range(drawn.randint(1, 2)):
        words.insert(drawn.randint(1, len(words)), drawn.choice(OPEN))
    return drawn.choice(WRAPPERS).format(" ".join(words))


def _evaluating(drawn: random.Random, known: list[Utility]) -> str:
    text = drawn.choice(EVALUATING).format(drawn.choice(EVALUATED))
    before = drawn.choice(["", "", "n=3; ", "read n < evil.num; ", "x=2; ", "x=2 true; ", "(x=1); ", "i=0; "])
    return before + text


def _set(drawn: random.Random, known: list[Utility]) -> str:
    """A variable before a command, exported or set alone."""
    git = ["git", drawn.choice(["status", "log", "diff HEAD~1", "show", "stash list"])]
    words = drawn.choice([_base(drawn, known), git, ["tar", "tf", "t.tar"], ["bash", "-c", "ls"], ["man", "ls"]])
    setting = drawn.choice(SETTINGS)
    return drawn.choice(["{} {}", "env {} {}", "export {}; {}", "{}; {}", "set -a; {}; {}"]).format(
        setting, " ".join(words)
    )


def compose_listed(n: int, seed: int) -> list[str]:
    """Commands that pass the list of what runs unasked, whatever their label is."""
    drawn = random.Random(seed)
    names = sorted(allowed())
    made: dict[str, None] = {}
    while len(made) < n:
        name = drawn.choice(names)
        one = allowed()[name]
        words = [name]
        for _ in range(drawn.randint(0, 4)):
            flag = drawn.choice(sorted(one.flags | one.values | {""}))
            value = drawn.choice([*VALUES, *OPERANDS])
            glued = f"{flag}={value}" if flag.startswith("--") else f"{flag}{value}"
            ways = [f"{flag} {value}", glued, f"{value} {flag}", flag.replace("#", "3")]
            words.append(drawn.choice(ways if flag not in ("(", ")") else ["-print"]))
        if name in ("sed", "awk"):
            words.insert(
                drawn.randint(1, len(words)), drawn.choice(["p", "'{print $1}'", "'s/x/y/'", "'w pwned'", "1d"])
            )
        text = " ".join(words)
        if not not_listed(text):
            made[text] = None
    return list(made)


def compose_modes(names: Sequence[str]) -> list[str]:
    """Every flag with which a tool only reads beside every other of its flags, before it and after it."""
    made: dict[str, None] = {}
    for utility in filter(None, map(find_utility, names)):
        name = utility.name
        looks = effects().looks.get(name, frozenset()).union(*(one.flags for one in effects().reading.get(name, ())))
        entries = {entry.names[0]: entry for look in sorted(looks) if (entry := utility.flag(look))}
        for look in entries:
            for other in (shown for entry in utility.flags for shown in _written(entry)):
                for operand in ("a.txt", ARCHIVES.get(name, "z.gz")):
                    both = (f"{name} {look} {other} {operand}", f"{name} {other} {look} {operand}")
                    made |= dict.fromkeys(both)
    return list(made)


def _written(entry: FlagEntry) -> list[str]:
    """A flag under its first short and its first long name, with a value that would show."""
    shortest = [next((one for one in entry.names if one.startswith("--") == long), "") for long in (False, True)]
    return [f"{name} pwned" if entry.arguments else name for name in shortest if name]


def installed(sandbox: Sandbox) -> list[str]:
    """Utilities of the base that the sandbox has, built-ins included."""
    found = set(sandbox.run("compgen -bc", [], Limits()).stdout.decode().split())
    return [name for name in utility_names() if " " not in name and name in found]


def measure(n: int, seed: int, listed: bool = False, modes: bool = False) -> tuple[int, int, list[Proof]]:
    """How many commands were run, of how many utilities, and which of them changed something."""
    with tempfile.TemporaryDirectory(prefix="sayso-bench-") as folder:
        sandbox = open_sandbox(Path(folder))
        try:
            names = installed(sandbox)
            if listed:
                return n, len(allowed()), prove(compose_listed(n, seed), sandbox)
            composed = compose_modes(names) if modes else compose(n, seed, names)
            run = called_reads(composed, lambda command: risk_of(command).level)
            return len(run), len(names), prove(run, sandbox)
        finally:
            sandbox.close()  # type: ignore[attr-defined]  # the real one has a launcher to end


def run(n: int = N) -> list[Row]:
    called, _, found = measure(n, SEED)
    _, _, listed = measure(n, SEED, listed=True)
    return [
        Row("commands called reads that changed a file", len(found), f"of {n} composed", called, limit=0),
        Row("commands that run unasked and changed a file", len(listed), f"of {n} composed", n, limit=0),
    ]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prove_reads", description=__doc__)
    parser.add_argument("--n", type=int, default=N)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--listed", action="store_true", help="run what passes the list of what runs unasked instead")
    parser.add_argument("--modes", action="store_true", help="run modes that read beside every other flag instead")
    args = parser.parse_args(argv)
    called, utilities, found = measure(args.n, args.seed, args.listed, args.modes)
    for proof in found:
        print(f"{proof.command}\n    {' '.join(proof.changed)}")
    composed = "modes" if args.modes else f"seed {args.seed}: {args.n} commands"
    print(f"{composed} of {utilities} utilities, {called} run, {len(found)} changed a file")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
