"""What networks see in place of a corpus: templates, arguments, more text; and nothing of test that they should not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sayso.core.errors import UnknownName, UserError
from sayso.core.types import Example, Request, Split, Workspace
from sayso.experiments import RECIPES
from sayso.experiments.systems import open_network
from sayso.experiments.views import VIEWS, find_view, looking
from sayso.neural.bundle import Bundle
from sayso.training.jobs import Examples

NOWHERE = Workspace(Path("nowhere"), Path("nowhere"))


def examples() -> Examples:
    pairs = [(f'Find "{name}.txt" in /srv/{name}', f"find /srv/{name} -name {name}.txt") for name in ("a1", "b2", "c3")]
    rows = [Example(str(at), Request(nl), (command,)) for at, (nl, command) in enumerate(pairs)]
    splits: dict[Split, list[Example]] = {"train": rows, "dev": rows[:1], "test": rows[1:2]}
    return splits


def test_every_recipe_has_a_known_view_and_a_folder_of_its_own() -> None:
    assert {recipe.encoding.view for recipe in RECIPES.values()} <= set(VIEWS)
    keys = {replace(RECIPES["st-copynet"].encoding, view=view).key for view in VIEWS}
    assert len(keys) == len(VIEWS)
    with pytest.raises(UnknownName, match="templates"):
        find_view("templates")


def test_templates_have_neither_constants_nor_arguments() -> None:
    seen = looking(NOWHERE)("template", examples())
    assert seen["train"][0].request.text == "Find slotfile in slotpath"
    assert seen["train"][0].references == ("find @Path -name @Regex",)


def test_arguments_are_read_from_train_and_dev_and_test_gives_no_template() -> None:
    seen = looking(NOWHERE)("arguments", examples())
    assert set(seen) == {"train", "dev"}
    assert seen["dev"][0].references == ("/srv/a1 a1.txt",)
    assert "cmdfind" in seen["dev"][0].request.text


def test_no_view_changes_nothing() -> None:
    given = examples()
    assert looking(NOWHERE)("", given) == given


@pytest.mark.slow
def test_the_second_of_two_steps_is_refused_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    bundle = Bundle(tmp_path, "template-argument", "bash", "network", {"encoding": {"view": "arguments"}}, (), "", "")
    with pytest.raises(UserError, match="reads what tellina says"):
        open_network(bundle, NOWHERE)
