"""What a page of benchmarks has so far, beside it until it is whole: the same command goes on, on the same commit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import Row
from sayso.core.errors import BadFile
from sayso.core.files import remove_quietly
from sayso.core.given import parse_json


@dataclass(frozen=True)
class Measured:
    """One benchmark that ended."""

    name: str
    seconds: float
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Made:
    """What the rows of one page have in common; rows of anything else are not put beside them."""

    commit: str
    changed: bool
    fewer: bool
    device: str


def part_of(page: Path) -> Path:
    """docs/benchmarks.md -> docs/.benchmarks.md.part"""
    return page.with_name(f".{page.name}.part")


def begun(page: Path, made: Made) -> list[Measured]:
    """What ended in earlier runs of the same code; nothing where the code has changes, which nobody could name."""
    try:
        head, *lines = part_of(page).read_text("utf-8").splitlines()
        if made.changed or not made.commit or parse_json(head) != asdict(made):
            return []
        return [measured_of(parse_json(line)) for line in lines]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{part_of(page)} is no part of a page: {error}", f"rm {part_of(page)}") from error


def measured_of(row: Mapping[str, Any]) -> Measured:
    return Measured(row["name"], row["seconds"], tuple(Row(**one) for one in row["rows"]))


def keep(page: Path, made: Made, found: Sequence[Measured]) -> None:
    lines = [asdict(made), *map(asdict, found)]
    part_of(page).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def forget(page: Path) -> None:
    """The page is whole."""
    remove_quietly(str(part_of(page)))
