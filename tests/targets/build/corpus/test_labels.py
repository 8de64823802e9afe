"""Labels of readers: kept without text, decided by two of three, and only for the text that was read."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.build.corpus.labels import (
    LINE_TAGS,
    MORE,
    UNSURE,
    DocumentLabel,
    LineLabels,
    agreement,
    decided,
    ranges,
    read_labels,
    spread,
    write_labels,
)


@given(st.sets(st.integers(1, 400)))
def test_ranges_spread_to_the_same_lines(lines: set[int]) -> None:
    assert spread(ranges(lines)) == sorted(lines)


@given(
    st.dictionaries(
        st.integers(1, 99), st.lists(st.sampled_from(LINE_TAGS), min_size=1, max_size=3).map(tuple), min_size=1
    )
)
def test_labels_are_read_as_they_were_written(tmp_path_factory: object, said: dict[int, tuple[str, ...]]) -> None:
    path = Path(tmp_path_factory.mktemp("l")) / "labels.jsonl"  # type: ignore[attr-defined]
    documents = [DocumentLabel("gnarl", "docs/a:b", "dev", "0" * 16, ("yes", "no", "yes"))]
    lined = [LineLabels("gnarl", "README", "dev", "1" * 16, said)]
    path.write_bytes(write_labels(documents, lined))
    assert read_labels(path) == (documents, lined)


def test_two_of_three_decide_and_the_third_where_all_differ() -> None:
    assert decided(("step", "step")) == "step"
    assert decided(("step", "none", "none")) == "none"
    assert decided(("step", "none", "condition")) == "condition"


def test_the_labels_that_are_kept() -> None:
    documents, lined = read_labels()
    lines = [said for one in lined for said in one.said.values()]
    assert len(documents) >= 300 and len(lines) >= 2000
    assert all(len(said) == 2 or (len(said) == 3 and said[0] != said[1]) for said in lines)
    test = [one for one in documents if one.part == "test"]
    assert 3 * len(test) >= len(documents)
    value = agreement(lines)
    assert value is not None and round(value, 3) == 0.884
    # What one reader labelled to learn from is of no package that a score rests on.
    scored = {one.package for one in documents} | {one.package for one in lined}
    more, unsure = ([one.package for one in read_labels(path)[1]] for path in (MORE, UNSURE))
    assert not scored & {*more, *unsure}
    assert len({*more, *unsure}) == len(set(more)) + len(unsure) and len(unsure) >= 300
    assert {one.part for one in read_labels(UNSURE)[1]} == {"train"}
    assert not read_labels(UNSURE)[0]
