"""The vendored set, where the data is: its counts, and what a system is given of each source."""

from __future__ import annotations

import pytest

from sayso.core.errors import MissingData
from sayso.core.types import Workspace
from sayso.targets.build.evaluation.requests import id_of, load_examples, name_in
from sayso.targets.build.evaluation.sets import read_set, set_folder
from sayso.targets.build.systems.stages import SYSTEMS


def test_the_set_has_what_its_page_says(workspace: Workspace) -> None:
    found = read_set(set_folder(workspace.data))
    assert (len(found.tests), len(found.support), len(found.validation)) == (22, 1, 46)
    tested = {package.name for package in found.tests}
    assert sum(len(tested.intersection(v.needs)) for v in found.validation) == 56
    assert all(v.is_debian and found.reach[v.name] & tested for v in found.validation)
    assert found.root_packages is not None
    assert all((found.folder / archive.path).is_file() for one in found.validation for archive in one.archives)


def test_examples_hold_what_a_system_may_read_and_nothing_of_the_maintainers(workspace: Workspace) -> None:
    examples = list(load_examples(workspace, "dev"))
    assert len({example.id for example in examples}) == 22
    for example in examples:
        assert example.id == id_of(name_in(example.request)) and example.meta["name"] not in example.id
        tree, *files = example.request.context
        assert tree.name == "tree" and tree.text and any(piece.text for piece in files)
        assert not any(
            path.startswith("debian/") for line in tree.text.splitlines() for path in [line.split(" ", 2)[2]]
        )
        assert sum(len(piece.text) for piece in example.request.context) < 1_500_000
    said = {
        name: make(workspace).translator.translate([one.request for one in examples])
        for name, make in SYSTEMS.items()
        if name != "default-tried"  # which builds them
    }
    assert all(len(candidates) == 1 for answers in said.values() for candidates in answers)
    assert [candidates[0].text for candidates in said["gold"]] == [example.references[0] for example in examples]
    with pytest.raises(MissingData, match="no test part"):
        list(load_examples(workspace, "test"))
