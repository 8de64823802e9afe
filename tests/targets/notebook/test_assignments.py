"""Assignments: the file format read back, errors that name the line, the frozen set, and a sample that really runs."""

from __future__ import annotations

import ast
import importlib.util
import random
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.errors import BadFile
from sayso.core.types import Piece, Sandbox, Workspace
from sayso.targets.notebook.assignments import Assignment, assignments, digest, read_assignment
from sayso.targets.notebook.assignments.check import problems, try_out
from sayso.targets.notebook.assignments.loading import load
from sayso.targets.notebook.assignments.reader import Wrong, digest_of
from sayso.targets.notebook.kernel_packages import Kernel

GOOD = textwrap.dedent("""\
    # %% [markdown]
    # # Apples
    #
    # A basket.
    # %%
    basket = [3, 5]
    # %% [markdown] task
    # Put the weight of the whole basket into `weight`.
    # %% solution
    weight = sum(basket)
    # %% tests
    assert weight == 8
    # %% wrong: counts the apples
    weight = len(basket)
    # %% wrong: takes the heaviest
    weight = max(basket)
    """)


def written(text: str, folder: Path) -> Path:
    path = folder / "plain" / "apples.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_assignment_is_read(tmp_path: Path) -> None:
    assert read_assignment(written(GOOD, tmp_path)) == Assignment(
        name="plain/apples",
        context=(Piece("text", "# Apples\n\nA basket."), Piece("code", "basket = [3, 5]")),
        request="Put the weight of the whole basket into `weight`.",
        solution="weight = sum(basket)",
        tests="assert weight == 8",
        wrong=(Wrong("counts the apples", "weight = len(basket)"), Wrong("takes the heaviest", "weight = max(basket)")),
    )


PROSE = st.lists(st.text("ab #`*", min_size=1, max_size=8).map(str.strip).filter(bool), min_size=1, max_size=3).map(
    "\n".join
)
CODE = st.lists(
    st.sampled_from(["x = 1", "# %% no mark: indented".join(["if x:\n    ", "\n    y = 2"]), "print('# %%')"]),
    min_size=1,
)
CONTEXT = st.lists(
    st.one_of(PROSE.map(lambda text: Piece("text", text)), CODE.map(lambda lines: Piece("code", "\n".join(lines)))),
    max_size=4,
)


@settings(max_examples=40)
@given(context=CONTEXT, request=PROSE, code=CODE)
def test_what_is_written_is_what_is_read(
    context: list[Piece], request: str, code: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "\n".join(code)
    one = Assignment("plain/apples", tuple(context), request, text, "assert x", (Wrong("a", text), Wrong("b: c", "x")))
    parts = [(" [markdown]", commented(p.text)) if p.kind == "text" else ("", p.text) for p in one.context]
    parts += [(" [markdown] task", commented(one.request)), (" solution", one.solution), (" tests", one.tests)]
    parts += [(f" wrong: {wrong.why}", wrong.code) for wrong in one.wrong]
    folder = tmp_path_factory.getbasetemp()
    assert read_assignment(written("".join(f"# %%{mark}\n{body}\n" for mark, body in parts), folder)) == one


def commented(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.split("\n"))


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("# %% [markdown]\n# # Apples", "x = 1\n# %% [markdown]\n# # Apples", 1, "the first line must be a mark"),
        ("# A basket.", "A basket.", 4, "a line of prose must begin with `# `"),
        (" task", "", 16, "there is no cell `# %% [markdown] task`"),
        ("# %% tests\nassert weight == 8\n", "", 11, "a cell `tests` is wanted here, and this is `wrong`"),
        ("# %% wrong: takes the heaviest\nweight = max(basket)\n", "", 13, "below this a cell `wrong` is wanted"),
        ("sum(basket)", "sum(basket", 10, "this is no Python"),
        ("basket = [3, 5]\n", "", 5, "this cell is empty"),
        ("wrong: counts the apples", "wrong:", 13, "unknown mark `# %% wrong:`"),
        ("# %%\nbasket = [3, 5]", "# %% solution\nbasket = [3, 5]", 5, "`solution` stands above the task"),
    ],
)
def test_a_broken_file_is_named_with_its_line(old: str, new: str, line: int, why: str, tmp_path: Path) -> None:
    assert old in GOOD
    path = written(GOOD.replace(old, new, 1), tmp_path)
    with pytest.raises(BadFile) as caught:
        read_assignment(path)
    assert caught.value.message.startswith(f"{path}:{line}: ") and why in caught.value.message


def test_one_letter_more_is_another_set(tmp_path: Path) -> None:
    before = digest_of(written(GOOD, tmp_path).parents[1])
    assert before != digest_of(written(GOOD.replace("Apples", "Pears"), tmp_path).parents[1])
    assert before == digest_of(written(GOOD, tmp_path).parents[1])


@pytest.mark.sandbox
def test_what_is_wrong_with_an_assignment_is_found(sandbox: Sandbox, kernel: Kernel) -> None:
    one = Assignment("plain/apples", (), "", "weight = 8", "assert weight == 8", (Wrong("is right", "weight = 4 * 2"),))
    assert problems(one, sandbox, kernel)[0] == ["plain/apples: the tests pass with wrong 1 (is right)"]


def test_the_set_is_frozen() -> None:
    """Systems were chosen on it: to change it is to lose every score, so a change must be meant."""
    folder = Path(str(importlib.util.find_spec("sayso.targets.notebook").submodule_search_locations[0]))  # type: ignore[union-attr,index]
    frozen = folder / "data" / "assignments" / "digest.txt"
    assert digest() == frozen.read_text().strip()


def test_assignments_are_dev_and_carry_their_tests(tmp_path: Path) -> None:
    nowhere = Workspace(tmp_path, tmp_path)
    examples = list(load(nowhere, "dev"))
    assert len(examples) == len(assignments()) >= 80
    assert len({example.id for example in examples}) == len(examples)
    assert all(example.meta["assignment"] == example.id for example in examples)
    assert not list(load(nowhere, "test")) and not list(load(nowhere, "train"))


def runs_here(one: Assignment) -> bool:
    """Whether all that it imports is among the packages of the tests."""
    modules = {
        name.partition(".")[0]
        for cell in (*one.above, one.solution, one.tests, *(wrong.code for wrong in one.wrong))
        for node in ast.walk(ast.parse("\n".join(line for line in cell.splitlines() if line[:1] not in "%!")))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in getattr(node, "names", []) if isinstance(a, ast.alias)]
        )
    }
    return all(importlib.util.find_spec(name) for name in modules)


@pytest.mark.sandbox
def test_a_sample_of_the_assignments_holds(sandbox: Sandbox, kernel: Kernel) -> None:
    """All of them with all that must fail: `python -m benchmarks.assignments`."""
    sample = random.Random(16).sample([one for one in assignments() if runs_here(one)], 3)
    for one in sample:
        assert try_out(one, one.solution, "", sandbox, kernel).problem == "", one.name
