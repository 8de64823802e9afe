"""Whether a command runs: on files made for it, in the sandbox, with an exit code that its manual knows.

`python -m sayso.targets.bash.lessons.ran CACHE` runs the recipes of the cookbook with example values and writes what
came of
them, or why they cannot be run there, to `data/grammar/ran.jsonl`; those that stand there with the same command are
not run again (without that file all are).
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sayso.cookbook.entry import Recipe, example_values, spoken
from sayso.cookbook.slots import FEATURES, Cookbook, Settings
from sayso.core.errors import BadInstruction, SandboxFailed
from sayso.core.types import Limits, Outcome, Sandbox
from sayso.targets.bash.cookbook.fill import render
from sayso.targets.bash.cookbook.recipes import FOLDER as COOKBOOK
from sayso.targets.bash.cookbook.recipes import load_lexicon, load_recipes
from sayso.targets.bash.executed.facts import HERE
from sayso.targets.bash.executed.fixture import STDIN
from sayso.targets.bash.executed.fixtures import build
from sayso.targets.bash.executed.grounding import ground
from sayso.targets.bash.executed.reach import DEVICES, NETWORK, PERSON, PROCESSES, out_of_reach
from sayso.targets.bash.lessons.values import FOLDER
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Script, commands

RESULTS = FOLDER / "ran.jsonl"
LIMITS = Limits(cpu_seconds=2.0, wall_seconds=3.0, file_bytes=8_000_000, disk_mb=64)
UNTRIED = (
    (NETWORK, "needs a network"),
    (PROCESSES, "needs processes"),
    (DEVICES, "needs devices"),
    (PERSON, "needs a person"),
)
JSON = '[{"name": "first", "id": 1, "title": "one"}, {"name": "second", "id": 2, "title": "two"}]'
RAN, WATCHES = "ran", "ran until it was stopped: it goes on by itself"
# Exit codes with which a utility answers: nothing found, files differ, no such process, out of time.
ANSWERS = {
    "grep": {1}, "egrep": {1}, "fgrep": {1}, "zgrep": {1}, "diff": {1}, "cmp": {1}, "diff3": {1}, "test": {1}, "[": {1},
    "pgrep": {1}, "pkill": {1}, "killall": {1}, "pidof": {1}, "which": {1}, "command": {1}, "type": {1}, "ps": {1},
    "timeout": {124}, "git": {1}, "lsof": {1}, "printenv": {1}, "getent": {2}, "hash": {1}, "sha256sum": {1},
    "expr": {1}, "comm": {1}, "sort": {1}, "fuser": {1}, "locate": {1}, "crontab": {1}, "last": {1}, "apropos": {16},
    "whatis": {16}, "find": {1}, "xargs": {123}, "man": {16}, "ls": {1, 2}, "du": {1}, "zip": {12}, "jq": {5},
}  # fmt: skip
REFUSED = re.compile(
    r"(?i)invalid option|unrecognized option|unknown option|illegal option|unknown predicate|syntax error|"
    r"missing argument to|paths must precede|unknown primary|try '?\w+ --help|^usage:|conflicting|invalid mode|"
    r"unexpected EOF|unterminated|unknown command|extra operand|missing operand|"
    r"invalid (?:number|argument|field|byte|size)"
)
# Why something cannot happen in the sandbox, by what is said there.
ELSEWHERE = (
    ("not installed where it ran", r"""(?x) command\ not\ found | unknown\ command:\ docker | not\ found\n?$ |
        unknown\ shorthand\ flag[^$]*Usage:\s+docker | not\ installed\ here | No\ module\ named"""),
    ("needs content of its kind", r"""(?ix) parse\ error | corrupt | could\ not\ read | not\ in\ gzip | magic\ number |
        unprotected\ private | not\ a\ valid | no\ makefile | no\ valid\ openpgp | not\ recognized | unable\ to\ load |
        invalid\ format | not\ an?\ \w+\ file | wrong\ format | expected: | is\ a\ directory | no\ rule\ to\ make |
        not\ a\ database | premature\ end | invalid\ input | outside\ integer\ range | error:\ expected |
        valid\ patches | garbage | error\ validating | not\ a\ dynamic | SyntaxError | CMakeLists | class\ names |
        not\ a\ public\ key | loading\ file | failed\ to\ read | in\ prepare"""),
    ("needs a network", r"""(?ix) could\ not\ resolve | network\ is\ unreachable | name\ or\ service |
        temporary\ failure | was\ refused | connection\ refused | failed\ to\ connect | cannot\ connect |
        could\ not\ connect | connect\ to | unable\ to\ resolve | connection\ to\ server |
        unable\ to\ read\ /etc/apt"""),
    ("needs rights", r"""(?ix) permission\ denied | not\ permitted | must\ be\ root | are\ you\ root | superuser |
        password\ is\ required | setuid | only\ root | cannot\ lock\ /etc | externally-managed | read-only\ file"""),
    ("needs a person", r"(?i)bad password|passphrase|enter .*password"),
    ("needs a terminal", r"""(?ix) not\ a\ terminal | no\ tty | inappropriate\ ioctl | TERM\ environment | \$DISPLAY |
        open\ display | not\ a\ tty | non\ TTY | pseudo-terminal"""),
    ("needs a repository with history",
     r"(?i)not a git repository|fatal: |any commits|to commit|no upstream|HEAD|no tag"),
    ("needs systemd", r"(?i)systemd|bus:|dbus|init system|journal files|boot ID"),
    ("needs something that is not there", r"""(?ix) no\ such\ (process|user|group|device|job|id|container) |
        invalid\ (user|group) | does\ not\ exist | no\ crontab | unknown\ (user|id) | no\ matching\ processes |
        authentication\ agent | no\ such\ remote | package\(s\)\ not\ found | no\ path\ found | number\ of\ CPUs |
        known_hosts | no\ such\ file | stack\ empty | same\ file | help\ topics |
        current-context | affinity | no\ such\ directory | could\ not\ find | no\ job\ control |
        cannot\ find\ device | not\ found\ in\ archive | filename\ not\ matched | cannot\ find\ or\ open |
        NoSuchFile | Not\ a\ directory"""),
)  # fmt: skip
STOPPED_BY_US = frozenset((141, 153))
"""A pipe that was closed by `head`, and a file larger than the sandbox allows."""
TERMINAL = frozenset(("clear", "reset", "tput", "tty", "top", "htop", "less", "more", "watch", "vim", "nano", "screen"))


class Ran(NamedTuple):
    """What came of a command: `result` is `ran`, why it cannot be run, or what went wrong."""

    command: str
    result: str
    exit_code: int = 0
    stderr: str = ""

    @property
    def is_fault(self) -> bool:
        return self.result.startswith("fault")

    @property
    def has_run(self) -> bool:
        return self.result in (RAN, WATCHES)


def try_out(text: str, command: str, sandbox: Sandbox) -> Ran:
    """Run a command among files that it asks for, or say why that cannot be."""
    try:
        tree = parse(command)
    except BadInstruction as error:
        return Ran(command, f"fault: {error.message}")
    if reason := needs(tree):
        return Ran(command, reason)
    fixture = build(ground(command, text), "rich", command, float(int(time.time())))
    script = f"{fixture.prelude()}cd {HERE}; exec < {STDIN}\n{{ {setup(tree)} }} > /dev/null 2>&1\n{command}\n"
    try:
        return judge(command, tree, sandbox.run(script, list(fixture.files.values()), LIMITS))
    except SandboxFailed as error:  # a broken sandbox says nothing about the command
        return Ran(command, f"not tried: {error.reason or 'sandbox'}")


def needs(tree: Script) -> str:
    """Why a command cannot be tried, "" where it can: that a stand-in answers says nothing of whether it runs."""
    for command in commands(tree):
        for words, reason in UNTRIED:
            if command.utility in words:
                return reason
        if command.utility == "read" and (command in tree.items or any(w.value in ("-p", "-s") for w in command.words)):
            return "needs a person"
    return out_of_reach(tree)


def setup(tree: Script) -> str:
    """Shell text for what no fixture has: folders that are written to, JSON in files named so, a repository."""
    words = [word.value for command in commands(tree) for word in command.words if word.value]
    redirects = [redirect.target for command in commands(tree) for redirect in command.redirects]
    words += [target.value for target in redirects if target and target.value]
    lines = [f"mkdir -p {quoted(folder)};" for word in words if (folder := word.rpartition("/")[0])]
    lines += [f"echo {shlex.quote(JSON)} > {quoted(word)};" for word in words if word.endswith(".json")]
    if any(command.utility == "git" for command in commands(tree)):
        lines.append("git init -q; git add -A; git -c user.name=a -c user.email=a@b commit -qm first;")
    return " ".join(dict.fromkeys(lines)) or ":;"


def quoted(path: str) -> str:
    """A path as one word, in which ~ is still the home folder."""
    return "~/" + shlex.quote(path[2:]) if path.startswith("~/") else shlex.quote(path)


def judge(command: str, tree: Script, outcome: Outcome) -> Ran:
    stderr = outcome.stderr.decode("utf-8", "replace")[:400]
    result = RAN
    if outcome.stopped:
        result = WATCHES
    elif outcome.exit_code or REFUSED.search(stderr):
        result = why(tree, outcome.exit_code, stderr)
    return Ran(command, result, outcome.exit_code, stderr)


def why(tree: Script, code: int, stderr: str) -> str:
    """The reason for an exit code that is not 0: an answer, something that the sandbox lacks, or a fault."""
    if code == 127:
        return "not installed where it ran"
    for reason, expression in ELSEWHERE:
        if re.search(expression, stderr):
            return reason
    if REFUSED.search(stderr):
        return "fault: refused"
    if any(command.utility in TERMINAL for command in commands(tree)):
        return "needs a terminal"
    answers = {code for command in commands(tree) for code in ANSWERS.get(command.utility, ())}
    return RAN if code in answers or code in STOPPED_BY_US else "fault: exit code"


def recipe_commands(cookbook: Cookbook) -> Iterator[tuple[Recipe, str, str]]:
    """Each recipe with its first phrasing, example values said in it, and the command that this gives."""
    for number, recipe in enumerate(cookbook.recipes):
        at = cookbook.members[number][0]
        phrasing = cookbook.phrasings[at]
        # By the name and not by the place, so that a new recipe changes no other's values.
        examples = example_values(recipe, zlib.crc32(recipe.intent.encode()))
        values = {name: value for name, value in examples.items() if "{" + name + "}" in phrasing.text}
        text = spoken(phrasing.text, recipe, values)
        reading = cookbook.read_as(cookbook.read(text), at)
        yield recipe, text, render(recipe, reading.values if reading else {})


def read_results() -> dict[str, Ran]:
    """What came of each recipe when it was last run, by intent."""
    rows = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {row["intent"]: Ran(row["command"], row["result"]) for row in rows}


if __name__ == "__main__":
    from sayso.sandbox import open_sandbox

    box = open_sandbox(Path(sys.argv[1]))
    begin = Settings(dict.fromkeys(FEATURES, 0.0))
    known = read_results() if RESULTS.exists() else {}
    lines = []
    for one, said, filled in recipe_commands(Cookbook(load_recipes(COOKBOOK), load_lexicon(COOKBOOK), begin, render)):
        known_one = known.get(one.intent)
        ran = known_one if known_one and known_one.command == filled else try_out(said, filled, box)
        lines.append({"intent": one.intent, "command": filled, "result": ran.result})
        if ran.is_fault:
            print(one.intent, ran, file=sys.stderr)
    RESULTS.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
