"""Stored records, their parts by group, and what README-EVAL keeps out of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadFile, MissingData
from sayso.targets.build.corpus.records import Package, Relation, as_json, from_json, script_of
from sayso.targets.build.corpus.splits import evaluated_names, load_packages, set_apart, split_of
from sayso.targets.build.corpus.stored import read_packages


def row(name: str, group: str = "") -> dict[str, Any]:
    return {
        "name": name,
        "version": "1:2.0-3",
        "upstream_version": "2.0",
        "homepage": None,
        "licence": None,
        "section": "utils",
        "docs": [{"path": "README", "size": 9, "kind": "readme", "text": "Run make.", "cmds": [{"cmd": "make"}]}],
        "tree": [["README", 9], ["sh", 2, "bash"]],
        "build_files": [],
        "debian": {
            "build_depends": [
                {"name": "glass-dev", "ver": ">= 2", "profile": ["!nocheck"], "alts": ["wax"], "in_docs": True}
            ],
            "binaries": [{"name": name, "section": "utils", "desc": "d", "depends": ["oil", name], "arch": "amd64"}],
            "short": "a lantern",
            "long": "It shines.",
            "rules": "%:\n\tdh $@\n",
        },
        "alpine": {"name": name, "version": "2.1", "confidence": "high", "makedepends": ["cmake"], "build": "make"},
        "homebrew": {"name": name, "deps": [{"name": "go", "kind": "build,test"}, {"name": "oil"}], "install": "x"},
        "build_system": "make",
        "group": group or name,
    }


def write(data: Path, rows: list[Any]) -> None:
    zstandard = pytest.importorskip("zstandard")
    (data / "packages").mkdir(exist_ok=True)
    lines = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows)
    (data / "packages" / "packages.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(lines.encode()))


def write_evaluation(data: Path, names: list[str]) -> None:
    (data / "readme_eval").mkdir()
    parts = {"T": [{"name": name} for name in names], "V": [], "support_T": []}
    (data / "readme_eval" / "eval.json").write_text(json.dumps(parts))


def test_every_field_of_a_stored_record(tmp_path: Path) -> None:
    write(tmp_path, [row("lantern")])
    (package,) = read_packages(tmp_path)
    assert (package.version, package.release, package.url, package.licence) == ("2.0", "3", "", "")
    assert package.build_requires == (Relation("glass-dev", ">= 2", (), ("!nocheck",), (Relation("wax"),)),)
    assert package.requires == (Relation("oil"),) and package.tree[1].link == "bash"
    alpine, homebrew = package.recipes
    assert script_of(alpine, "build") == "make" and alpine.build_requires == (Relation("cmake"),)
    assert [one.name for one in homebrew.build_requires] == ["go", "oil"] and homebrew.requires == (Relation("oil"),)


def test_weak_labels_are_in_no_record(tmp_path: Path) -> None:
    write(tmp_path, [row("lantern")])
    (package,) = read_packages(tmp_path)
    assert not {"kind", "cmds", "in_docs"} & set(json.dumps(as_json(package)).replace('"', " ").split())


def test_records_made_here_are_read_after_the_stored_ones(tmp_path: Path) -> None:
    write(tmp_path, [row("lantern")])
    (tmp_path / "packages" / "fetched").mkdir()
    for name in ("candle", "lantern"):
        text = json.dumps(as_json(Package(name, summary="made here")))
        (tmp_path / "packages" / "fetched" / f"{name}.json").write_text(text)
    assert [(one.name, one.summary) for one in read_packages(tmp_path)] == [
        ("lantern", "a lantern"),
        ("candle", "made here"),
    ]


@pytest.mark.parametrize(
    "bad", ["{", "[]", '{"name": 3}', '{"name": "x", "docs": 7}', '{"name": "x", "debian": {"binaries": [3]}}']
)
def test_a_line_that_is_no_record(tmp_path: Path, bad: str) -> None:
    write(tmp_path, [row("lantern"), bad])
    with pytest.raises(BadFile, match=r"packages\.jsonl\.zst"):
        list(read_packages(tmp_path))
    with pytest.raises(MissingData):
        list(read_packages(tmp_path / "nowhere"))
    with pytest.raises(BadFile):
        from_json({"nonsense": 1})


def test_what_readme_eval_is_scored_on_is_in_no_part(tmp_path: Path) -> None:
    rows = [row(f"p{n}", f"g{n // 2}") for n in range(40)]
    write(tmp_path, rows)
    with pytest.raises(MissingData, match="readme_eval"):
        load_packages(tmp_path, "train")
    write_evaluation(tmp_path, ["p0", "g3", "elsewhere"])
    assert evaluated_names(tmp_path) == {"p0", "g3", "elsewhere"}
    parts = {split: [one.name for one in load_packages(tmp_path, split)] for split in ("train", "dev", "test")}
    kept = [name for names in parts.values() for name in names]
    # p0 itself, p1 of its group, p6 and p7 whose group has the name of one
    assert sorted(kept) == sorted({f"p{n}" for n in range(40)} - {"p0", "p1", "p6", "p7"})
    _, dropped = set_apart(list(read_packages(tmp_path)), evaluated_names(tmp_path))
    assert dropped == {"T or V of README-EVAL": 1, "in a group with T or V": 3}


@given(st.text(min_size=1), st.text())
def test_a_part_depends_on_the_group_alone(group: str, name: str) -> None:
    assert split_of(Package(name, group=group)) == split_of(Package("other", group=group, summary="x"))


def test_parts_are_about_as_large_as_they_should_be() -> None:
    counts = Counter(split_of(Package(str(n), group=str(n))) for n in range(5_000))
    assert 400 < counts["dev"] < 600 and 400 < counts["test"] < 600
