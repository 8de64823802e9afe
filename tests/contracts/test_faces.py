"""What a target's folder promises: rooms with small faces, and no file that hides and is imported all the same."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import sayso.targets

TARGETS = Path(sayso.targets.__file__).parent
ROOMS = sorted(path.parent for path in TARGETS.glob("*/*/__init__.py"))
MOST = 5


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: f"{room.parent.name}.{room.name}")
def test_a_face_has_at_most_five_names_and_knows_only_its_own_room(room: Path) -> None:
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != "__future__"]
    names = [alias.name for node in imports for alias in node.names]
    assert len(names) <= MOST
    own = f"sayso.targets.{room.parent.name}.{room.name}."
    assert all(str(node.module).startswith(own) for node in imports)
    # A name like its module's would hide the one behind the other.
    assert not {path.stem for path in room.glob("*.py")} & set(names)
    assert ast.get_docstring(tree)


def test_no_file_begins_with_an_underscore() -> None:
    hidden = [str(path.relative_to(TARGETS)) for path in TARGETS.rglob("_*.py") if path.name != "__init__.py"]
    assert not hidden
