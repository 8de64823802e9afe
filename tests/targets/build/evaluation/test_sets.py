"""A set as it is read: what depends on what, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.evaluation.sets import Archive, read_set


def package(name: str, *needs: str) -> dict[str, Any]:
    return {
        "name": name, "version": "1", "source_file": f"{name}.tar", "sha256": "0", "gold_script": "make\n",
        "t_deps": list(needs),
    }  # fmt: skip


def dependent(name: str, *needs: str, file: str = "x.tar") -> dict[str, Any]:
    return {
        "name": name, "version": "1", "files": [{"file": file, "sha256": "1"}], "edges": list(needs),
        "build_command": "make", "env": {"B": "2", "A": 1}, "results": {"gold": {"rc": 0}},
    }  # fmt: skip


def write(folder: Path, value: object) -> Path:
    (folder / "eval.json").write_text(json.dumps(value))
    return folder


GOOD = {
    "T": [package("a"), package("b", "a")],
    "support_T": [package("s")],
    "V": [dependent("v", "b", "s"), dependent("w", "a", file="w.dsc")],
}


def test_what_a_set_says(tmp_path: Path) -> None:
    found = read_set(write(tmp_path, GOOD))
    assert [one.name for one in found.tests] == ["a", "b"] and set(found.packages) == {"a", "b", "s"}
    assert found.packages["b"].archives == (Archive("sources/b.tar", "0"),) and found.packages["b"].script == "make"
    assert found.reach["v"] == {"a", "b", "s"} and found.reach["a"] == frozenset()
    assert [one.name for one in found.affected_by(["a"])] == ["v", "w"]
    assert [one.name for one in found.affected_by(["b"])] == ["v"]
    assert [one.is_debian for one in found.validation] == [False, True]
    assert found.validation[0].environment == (("A", "1"), ("B", "2"))
    assert found.root_packages is None


def test_the_digest_is_of_what_is_built_and_not_of_what_was_recorded(tmp_path: Path) -> None:
    before = read_set(write(tmp_path, GOOD)).digest
    told: dict[str, Any] = json.loads(json.dumps(GOOD))
    told["V"][0]["results"] = {"gold": {"rc": 1}}
    told["T"][0]["why_hard"] = "it is not"
    assert read_set(write(tmp_path, told)).digest == before
    told["T"][0]["gold_script"] = "make all"
    assert read_set(write(tmp_path, told)).digest != before


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "not a README-EVAL set"),
        ({"T": [], "V": 3}, "not a README-EVAL set"),
        ({"T": [{"name": "a"}], "V": []}, "source_file"),
        ({"T": [package("a"), package("a")], "V": []}, "a comes twice"),
        ({"T": [package("a")], "V": [dependent("a")]}, "a comes twice"),
        ({"T": [package("a", "b")], "V": []}, "a needs b, which is not in T"),
        ({"T": [package("a", "b"), package("b", "a")], "V": []}, "a needs b needs a"),
        ({"T": [package("a", "a")], "V": []}, "a needs a"),
    ],
)
def test_what_is_no_set_is_refused_in_one_line(tmp_path: Path, value: object, words: str) -> None:
    with pytest.raises(BadFile, match=words):
        read_set(write(tmp_path, value))


def test_no_set_at_all(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no README-EVAL set"):
        read_set(tmp_path)
