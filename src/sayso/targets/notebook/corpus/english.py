"""Which notebooks are the paper's: Markdown in English, a Python kernel, at most three code cells a Markdown cell."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cache
from typing import Any

from sayso.core.errors import MissingPart
from sayso.targets.notebook.corpus.notebook import Notebook

MOST_CODE = 3
"""Code cells for each Markdown cell (§3.1)."""
READ = 1_000
"""Characters of Markdown that tell a language."""
FEWEST_LETTERS = 80
"""With fewer no language can be told: "# CNN for MNIST digits" is taken for Nigerian Pidgin."""
PART = "pip install 'sayso[notebook]'"
PYTHONS = ("python", "ipython", "pyspark")
NO_PROSE = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|<[^>]*>|!?\[[^\]]*\]\([^)]*\)|https?://\S+|[^\W\d_]*[\d_]\w*", re.S)
LETTERS = re.compile(r"[^\W\d_]+")


def dropped(notebook: Notebook) -> str:
    """The reason why a notebook is left out, "" where it is kept. The order is the paper's."""
    if not any(cell.kind == "text" and cell.text.strip() for cell in notebook.cells):
        return "no Markdown"
    if not is_english(notebook):
        return "not English"
    if not is_python(notebook):
        return "not Python"
    code = sum(cell.kind == "code" for cell in notebook.cells)
    if code > MOST_CODE * sum(cell.kind == "text" for cell in notebook.cells):
        return "more than three code cells a Markdown cell"
    return ""


def is_english(notebook: Notebook) -> bool:
    """What is too short to tell is taken for English."""
    prose = " ".join(LETTERS.findall(NO_PROSE.sub(" ", markdown(notebook))))
    return len(prose) < FEWEST_LETTERS or classifier().classify(prose[:READ])[0] == "en"


def markdown(notebook: Notebook) -> str:
    """The first Markdown of a notebook, as much as tells its language."""
    texts: list[str] = []
    left = 2 * READ
    for cell in notebook.cells:
        if cell.kind == "text" and left > 0:
            texts.append(cell.text[:left])
            left -= len(cell.text)
    return "\n".join(texts)


@cache
def classifier() -> Any:
    try:
        import py3langid
    except ImportError as error:
        raise MissingPart("telling English from other languages needs py3langid", PART) from error
    return py3langid


def is_python(notebook: Notebook) -> bool:
    """By the language that it names, else its kernel, else by whether most of its first cells are Python."""
    if notebook.language:
        return notebook.language.startswith(PYTHONS)
    if "python" in notebook.kernel.lower():
        return True
    code = [cell.text for cell in notebook.cells if cell.kind == "code" and cell.text.strip()][:8]
    return 2 * sum(map(looks_python, code)) > len(code)


def looks_python(code: str) -> bool:
    """Python of either version, without the lines that only IPython reads."""
    plain = "\n".join(line for line in code.splitlines() if not line.lstrip().startswith(("%", "!", "?")))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(re.sub(r"(?m)^(\s*)print\s+(?!\()(.*)$", r"\1print(\2)", plain))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(plain.strip())
