"""The shipped base as a whole: coverage, shape, speed, dialects, and how pages are merged into it."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sayso.core.errors import BadInstruction
from sayso.targets.bash.knowledge.dialects import differences, flags_of, in_dialects
from sayso.targets.bash.knowledge.utilities import (
    DATA,
    DIALECTS,
    SYNTAXES,
    find_subcommand,
    find_utility,
    utilities,
    utility_names,
)
from sayso.targets.bash.language import check, explain, normalise, template
from sayso.targets.bash.manual.merge import merged, row_from
from sayso.targets.bash.manual.options import Option
from sayso.targets.bash.manual.pages import Page
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import Flag, commands
from sayso.targets.bash.syntax.types import CLOSED, TYPES

DAILY = {
    "apt", "apt-get", "awk", "blkid", "cmake", "cmp", "curl", "dmesg", "docker", "dpkg", "entr", "fd", "fdisk",
    "ffmpeg", "flock", "free", "fzf", "gcc", "gdb", "git", "gpg", "htop", "install", "iostat", "ip", "iptables",
    "journalctl", "kubectl", "locate", "lsblk", "lsof", "make", "mkfs", "mysql", "nc", "nice", "nmap", "node",
    "npm", "nslookup", "openssl", "passwd", "pgrep", "pip", "pkill", "psql", "pv", "python3", "rg", "rpm",
    "rsync", "screen", "service", "shutdown", "sqlite3", "ss", "ssh", "stat", "strace", "strings", "sysctl",
    "systemctl", "tcpdump", "timeout", "tmux", "traceroute", "tree", "umount", "unzip", "useradd", "userdel",
    "usermod", "vim", "vmstat", "wget", "whereis", "xclip", "xdg-open", "xz", "zip", "zstd",
}  # fmt: skip
NAME = re.compile(r'--?[A-Za-z0-9#?@%$:!^.,&~{}+*/"][\w.:+-]*|-NUM|[A-Za-z]+')


PAGE = (Path(__file__).parents[4] / "docs" / "concepts" / "knowledge-base.md").read_text(encoding="utf-8")


def test_the_page_names_every_syntax_type_and_field() -> None:
    fields = {key for _, line in _lines() for flag in json.loads(line)["flags"] for key in flag}
    for name in {*SYNTAXES, *TYPES, *CLOSED, *DIALECTS, *fields} - {"gloss"}:
        assert f"`{name}`" in PAGE, name


def test_everyday_utilities_are_known() -> None:
    assert not DAILY - set(utility_names())


@pytest.mark.parametrize("name", sorted(utility_names()))
def test_a_line_is_sound(name: str) -> None:
    utility = find_utility(name)
    assert utility is not None
    assert utility.gloss and len(utility.gloss) <= 80 and utility.syntax in SYNTAXES
    names: Counter[str] = Counter()
    for flag in utility.flags:
        names.update(flag.names)
        assert all(NAME.fullmatch(one) for one in flag.names), flag.names
        assert set(flag.arguments) <= {*TYPES, *CLOSED}
        assert len(flag.gloss) <= 80 and len(flag.differs) <= 80
        assert flag.dialects and set(flag.dialects) <= set(DIALECTS)
        assert flag.arguments or not (flag.optional or flag.instead)
        assert not flag.same or flag.same in utility.index
    assert max(names.values(), default=1) == 1, names.most_common(1)


def test_the_flags_that_matter_most_have_glosses() -> None:
    own = {name: json.loads(line)["flags"] for name, line in _lines()}
    bare = [name for name, flags in own.items() if flags and not any("gloss" in flag for flag in flags)]
    assert not bare
    for name in DAILY:
        shorts = [flag for flag in own[name] if any(len(one) == 2 for one in flag["names"])]
        assert sum("gloss" in flag for flag in shorts) >= 0.4 * len(shorts), name


def _lines() -> list[tuple[str, str]]:
    return [(json.loads(line)["name"], line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def test_sub_commands_have_a_parent_that_says_so() -> None:
    for name in utility_names():
        if " " in name:
            parent = find_utility(name.split()[0])
            assert parent is not None and parent.syntax == "subcommands", name


def test_the_longest_name_of_a_sub_command_counts() -> None:
    found = find_subcommand("docker", ["volume", "ls", "x"])
    assert found is not None and found.name == "docker volume ls"
    assert find_subcommand("git", ["no-such"]) is None
    assert find_subcommand("git", ["", "commit"]) is None


def test_asking_for_one_utility_reads_no_other() -> None:
    """Half of the 30 ms that a first question may take, in a process of its own."""
    code = (
        "import time; from sayso.targets.bash.knowledge import utilities as k; start = time.process_time(); "
        "k.find_utility('find'); print(time.process_time() - start); print(k._known.cache_info().currsize)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    assert min(float(run.stdout.split()[0]) for run in runs) < 0.03
    assert runs[0].stdout.split()[1] == "1"


@pytest.mark.slow
def test_utilities_and_flags_of_the_corpus_are_known(corpora: Path) -> None:
    listed = (corpora / "nl2bash" / "grammar" / "utilities_135.txt").read_text().split()
    in_scope = {name.strip("*") for name in listed}
    assert len(in_scope) == 135
    assert in_scope <= set(utility_names())
    text = lzma.decompress((corpora / "nl2bash" / "all.cm.xz").read_bytes()).decode()
    known = total = 0
    for line in text.splitlines():
        try:
            script = parse(line)
        except BadInstruction:
            continue
        for command in commands(script):
            if command.utility in in_scope:
                flags = [argument for argument in command.arguments if isinstance(argument, Flag)]
                total += len(flags)
                known += sum(flag.known for flag in flags)
    assert total > 25_000
    assert known / total >= 0.99


def test_flags_belong_to_the_sub_command() -> None:
    assert template("git -C d commit -am 'a b' --no-verify") == "git -C Directory commit -a -m String --no-verify"
    assert template("docker run -it --rm ubuntu ls -l") == "docker run -i -t --rm String ls -l"
    assert not check(
        "git -C d commit -m x; git log --oneline -5; tmux new -s x; pip3 install -r f; docker volume ls -q"
    )


def test_findings_in_sub_commands() -> None:
    (finding,) = check("git commit --no-verfy")
    assert finding.message == "git commit has no flag --no-verfy; did you mean --no-verify?"
    (finding,) = check("git comit -m x")
    assert finding.message == "git has no sub-command comit that is known here; did you mean commit?"
    assert not check("git lol --all -x")


def test_sub_commands_are_explained() -> None:
    notes = {note.text: note.gloss for note in explain("git commit -m x")}
    assert notes == {"git": "version control", "commit": "record changes", "-m x": "message"}


def test_sub_commands_keep_their_order() -> None:
    assert normalise("git  commit -m 'x' -a") == "git commit -m x -a"


def test_open_lists_of_flags_find_nothing_wrong() -> None:
    assert not check("gcc -O2 -fno-such-thing -I/usr/include -lm -o a a.c; convert a.png -no-such 3 b.png")
    assert template("gcc -Iinc -lm -o a a.c") == "gcc -I Directory -l String -o File File"


def test_a_flag_without_a_gloss_says_what_it_takes() -> None:
    notes = {note.text: note.gloss for note in explain("curl --proxy-cacert f u")}
    assert notes["--proxy-cacert f"] == "a flag of curl that takes a file"


def test_tables_of_dialects_and_lines_agree() -> None:
    for name, line in _lines():
        for flag in json.loads(line)["flags"]:
            assert in_dialects(name, flag) == flag, (name, flag["names"])


def test_tables_of_dialects_name_what_exists() -> None:
    known = utilities()
    for dialect in ("bsd", "busybox"):
        assert set(flags_of(dialect)) <= set(known)
    for utility, flag in differences():
        assert flag in known[utility].index, (utility, flag)


def test_well_known_differences() -> None:
    def dialects(utility: str, flag: str) -> tuple[str, ...]:
        found = find_utility(utility)
        assert found is not None
        return found.index[flag].dialects

    assert dialects("grep", "-P") == ("gnu",)
    assert dialects("find", "-E") == ("bsd",)
    assert "bsd" not in dialects("sed", "-i")
    assert dialects("du", "-d") == DIALECTS
    assert "bsd" not in dialects("ls", "-G") and "bsd" not in dialects("stat", "-c")
    notes = {note.text: note.gloss for note in explain("sed -i s/a/b/ f")}
    assert "macOS" in notes["-i"]


OPTIONS = (
    Option(("-a", "--all"), gloss="words of the manual"),
    Option(("-n", "--lines"), ("Number",), gloss="words of the manual"),
    Option(("--new",), ("File",), optional=True),
)


def test_a_new_line_takes_no_words_from_the_manual() -> None:
    row = row_from(Page("peel", "words of the manual", ("File…",), OPTIONS))
    assert "words" not in json.dumps(row)
    assert row["flags"][2] == {"names": ["--new"], "argument": "File", "optional": True}  # type: ignore[index]


def test_what_a_person_wrote_stays() -> None:
    mine = {"names": ["-n"], "argument": "Size", "gloss": "mine"}
    row = {"name": "peel", "gloss": "mine", "syntax": "getopt", "operands": [], "flags": [mine, {"names": ["--all"]}]}
    flags = merged(row, Page("peel", "", (), OPTIONS))["flags"]
    assert flags == [
        {"names": ["-n", "--lines"], "argument": "Size", "gloss": "mine"},
        {"names": ["--all", "-a"]},
        {"names": ["--new"], "argument": "File", "optional": True},
    ]
    again = merged({**row, "flags": flags}, Page("peel", "", (), OPTIONS))["flags"]
    assert again == flags
    assert merged(row, Page("peel", "", (), OPTIONS), frozenset({"--new"}))["flags"] == flags[:2]


def test_names_that_take_different_arguments_are_not_joined() -> None:
    row = {"name": "peel", "flags": [{"names": ["-a"], "argument": "File"}]}
    flags = merged(row, Page("peel", "", (), OPTIONS[:1]))["flags"]
    assert flags == [{"names": ["-a"], "argument": "File"}, {"names": ["--all"]}]
