"""The kinds of examples that errors are counted by, on commands and annotations of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.core.errors import BadFile
from sayso.core.types import Example, Request, Workspace
from sayso.targets.bash.corpus import nl2bash as corpus
from sayso.targets.bash.corpus.annotated import annotated_errors
from sayso.targets.bash.corpus.slices import (
    argument_types,
    class_counts,
    enumeration,
    flag_count,
    pipeline_length,
    read_classes,
    slices,
    unseen,
    utilities,
    vocabulary,
)

ANNOTATIONS = """description,model,prediction,Error Category,correct template,correct command
count the pears,tellina,wc pears,Flag Error,n,n
count the pears,partial.token-copynet,wc -l pears,,y,y
weigh the pears,tellina,du,complex task,n,n
weigh the pears,partial.token-copynet,ls,flag error,n,n
eat the pears,tellina,rm pears,,y,y
"""


def example(request: str, *references: str) -> Example:
    return Example("x:1", Request(request), references)


def test_what_a_reference_is_made_of() -> None:
    command = "find . -name '*.c' -mtime -3 | xargs grep -l TODO | sort -u"
    assert utilities(command) == ["find", "xargs", "grep", "sort"]
    assert flag_count(command) == 4
    assert pipeline_length(command) == 3
    assert {"Path", "Regex", "Timespan"} <= set(argument_types(command))
    assert (pipeline_length("ls"), argument_types("ls")) == (1, ["no argument"])


def test_what_does_not_parse_is_a_kind_of_its_own() -> None:
    assert utilities("find . '") == argument_types("find . '") == ["does not parse"]
    assert (pipeline_length("find . '"), flag_count("find . '")) == (1, 0)


def test_unseen_is_what_every_reference_has_and_train_does_not() -> None:
    train = vocabulary(["ls -l pears", "grep -r plum ."])
    assert unseen(example("x", "ls -l pears"), train) == ["all seen"]
    assert unseen(example("x", "ls -a pears"), train) == ["flag"]
    assert unseen(example("x", "grep -l plum ."), train) == ["flag"], "-l is known of ls alone"
    assert unseen(example("x", "du apples"), train) == ["constant", "utility"]
    assert unseen(example("x", "ls -a pears", "ls -l apples"), train) == ["all seen"]


@pytest.mark.parametrize(
    ("request_text", "kind"),
    [("list files", "0"), ('print "a"', "1"), ('join "a", "b" and "c"', "3"), ('"a" "b" "c" "d" "e"', "4 or more")],
)
def test_constants_that_a_request_lists(request_text: str, kind: str) -> None:
    assert enumeration(request_text) == kind


def test_classes_of_the_release_are_read_by_request(tmp_path: Path) -> None:
    path = tmp_path / "error.analysis.csv"
    path.write_text(ANNOTATIONS)
    classes = read_classes(path)
    assert classes[corpus.request_key("Count the pears")] == ("flag error",)
    assert classes[corpus.request_key("weigh the pears")] == ("complex task", "flag error")
    assert classes[corpus.request_key("eat the pears")] == ("no error",)
    assert class_counts(path) == {"flag error": {"Tellina": 1, "ST-CopyNet": 1}, "complex task": {"Tellina": 1}}
    assert read_classes(tmp_path / "none.csv") == {}
    path.write_text("description,other\nx,y\n")
    with pytest.raises(BadFile, match="no column"):
        read_classes(path)


def test_figure_3_is_shown_where_its_requests_are(tmp_path: Path) -> None:
    folder = corpus.folder(tmp_path) / "manual_judgements"
    folder.mkdir(parents=True)
    (folder / "error.analysis.csv").write_text(ANNOTATIONS)
    workspace = Workspace(tmp_path, tmp_path)
    table = annotated_errors(workspace, [example("Count the pears", "wc -l pears")], {})
    assert table is not None and table.rows == (("flag error", "1", "1"), ("complex task", "0", "1"))
    assert annotated_errors(workspace, [example("Peel an apple", "ls")], {}) is None


@pytest.mark.slow
def test_every_dev_example_has_a_kind_under_every_title(workspace: Workspace) -> None:
    examples = list(corpus.load(workspace, "dev"))
    found = slices(workspace)
    for title, labels in found.items():
        kinds = [labels(one) for one in examples]
        if title == "class of the paper":
            assert sum(map(bool, kinds)) == 100
        else:
            assert all(kinds), title
