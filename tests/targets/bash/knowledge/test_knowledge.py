"""The knowledge base: every line is well formed, and the facts that everything else relies on are there."""

from __future__ import annotations

import json

import pytest

from sayso.targets.bash.effects.effects import effects
from sayso.targets.bash.knowledge.utilities import DATA, DIALECTS, SYNTAXES, find_utility, utilities
from sayso.targets.bash.syntax.types import CLOSED, TYPES

ROWS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
FREQUENT = {
    "awk", "basename", "cat", "cd", "chmod", "chown", "comm", "cp", "cut", "date", "df", "diff", "dirname", "du",
    "echo", "find", "grep", "gzip", "head", "history", "join", "kill", "ln", "ls", "md5sum", "mkdir", "mv", "paste",
    "ping", "pwd", "read", "rm", "rsync", "sed", "seq", "sort", "split", "ssh", "tail", "tar", "tee", "test", "tr",
    "uniq", "wc", "which", "who", "xargs",
}  # fmt: skip


def test_the_utilities_that_the_corpus_uses_most_are_known() -> None:
    assert set(utilities()) >= FREQUENT


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_rows_are_well_formed(row: dict[str, object]) -> None:
    assert set(row) <= {"name", "gloss", "syntax", "like", "operands", "flags"}
    assert row["gloss"]
    assert row["syntax"] in SYNTAXES
    assert row.get("like", row["name"]) in utilities()
    known = {*TYPES, *CLOSED}
    assert {kind.rstrip("?…") for kind in row.get("operands", [])} <= known  # type: ignore[attr-defined]
    names: list[str] = []
    for flag in row["flags"]:  # type: ignore[attr-defined]
        assert set(flag) <= {
            "names", "argument", "optional", "instead", "same", "gloss", "dialects", "differs",
        }  # fmt: skip
        assert flag["names"]
        assert set(flag.get("argument", "").split()) <= known
        assert set(flag.get("dialects", DIALECTS)) <= set(DIALECTS)
        names += flag["names"]
    assert len(names) == len(set(names)), "a flag stands twice"


def test_rows_are_sorted_and_stand_once() -> None:
    names = [row["name"] for row in ROWS]
    assert names == sorted(set(names))


def test_long_names_may_be_cut_short_where_that_is_clear() -> None:
    head = find_utility("head")
    assert head is not None
    assert head.flag("--lin") is head.flag("-n")
    grep = find_utility("grep")
    assert grep is not None
    assert grep.flag("--no") is None


def test_flags_are_inherited() -> None:
    egrep, grep = find_utility("egrep"), find_utility("grep")
    assert egrep is not None and grep is not None
    assert egrep.flag("-l") == grep.flag("-l")
    assert egrep.operands == grep.operands
    assert find_utility("no-such-utility") is None


def test_levels_stand_once_and_flags_belong_to_levels() -> None:
    known = effects()
    assert set(known.level.values()) == {"reads", "writes", "destroys"}
    assert not known.anything & set(known.level)
    assert not (known.shells | known.interpreters) & set(known.level)
    for levels in known.flags.values():
        assert set(levels.values()) <= {"reads", "writes", "destroys", "unknown", "anyway"}
