"""The language of notebook cells: Python with IPython's magics. Pure functions of text."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from sayso.core.errors import BadInstruction
from sayso.core.types import Draft, Finding, Grain, Note, Risk
from sayso.english.grains import from_subtokens, to_subtokens
from sayso.targets.notebook.review.effects import risk_of
from sayso.targets.notebook.review.explaining import cell_notes
from sayso.targets.notebook.review.names import names_in
from sayso.targets.notebook.syntax.canonical import canonical_names, canonical_strings, parse
from sayso.targets.notebook.syntax.magics import PYTHON_CELLS, cell_magic, without_magics
from sayso.targets.notebook.syntax.places import Places
from sayso.targets.notebook.syntax.scan import KEYWORDS, scan
from sayso.targets.notebook.syntax.tokens import MARKS, code_text, lossless_tokens, plain_layout

UNASKED = "a cell runs in a kernel that keeps what it does: look at it first"


def tree_of(text: str) -> ast.Module:
    """The tree of the Python in a cell; raises BadInstruction."""
    try:
        tree = parse(without_magics(text))
    except SyntaxError as error:
        offset = Places(text).at(error.lineno, _bytes(text, error)) if error.lineno else -1
        line = f", line {error.lineno}" if error.lineno else ""
        raise BadInstruction(f"not valid Python: {error.msg}{line}", text, offset) from error
    if not tree.body and not any(kind == "magic" for kind, _ in scan(text)):
        raise BadInstruction("there is no code in this cell", text, 0)
    return tree


def _bytes(text: str, error: SyntaxError) -> int:
    """`offset` counts characters from 1, where the tree counts bytes from 0."""
    lines = text.splitlines()
    line = lines[(error.lineno or 1) - 1] if (error.lineno or 1) <= len(lines) else ""
    return len(line[: max((error.offset or 1) - 1, 0)].encode("utf-8", "surrogatepass"))


def normalise(text: str) -> str:
    """x=1 # one -> x = 1; raises BadInstruction. Quotes, names and the order of statements stay."""
    return _canonical(text, tree_of(text))


def _canonical(text: str, tree: ast.Module) -> str:
    magic = cell_magic(text)
    if magic and magic not in PYTHON_CELLS:
        return text.strip()
    made = plain_layout(text)
    try:
        same = ast.dump(parse(without_magics(made))) == ast.dump(tree) and plain_layout(made) == made
    except SyntaxError:
        same = False
    return made if same else text.strip()


def template(text: str) -> str:
    """df.head(5) -> df.head(0): strings are one string, numbers 0, names that the cell gives are numbered."""
    plain = canonical_names(canonical_strings(normalise(text)))
    return "".join("0" if kind == "number" else piece for kind, piece in scan(plain))


def split(text: str, grain: Grain) -> list[str]:
    """Python's tokens with marks for lines and blocks; gaps that are not plain, and comments, are tokens as well."""
    if grain == "char":
        return list(text)
    tokens = lossless_tokens(text)
    return tokens if grain == "token" else to_subtokens(tokens, stays_whole)


def join(parts: Sequence[str], grain: Grain) -> str:
    """The inverse of `split`."""
    if grain == "char":
        return "".join(parts)
    return code_text(parts if grain == "token" else from_subtokens(parts))


def stays_whole(token: str) -> bool:
    """Keywords, marks, operators and gaps are no names or constants."""
    return token in KEYWORDS or token in MARKS or not any(char.isalnum() for char in token)


def risk(text: str) -> Risk:
    try:
        return risk_of(text, tree_of(text))
    except BadInstruction:
        return Risk("unknown")


def check(text: str) -> list[Finding]:
    """The error of a cell that does not parse, else names that the cell does not give itself: they may stand above."""
    try:
        return findings(text, tree_of(text))
    except BadInstruction as error:
        at = min(max(error.offset, 0), len(text))
        return [Finding(error.message, at, at)]


def findings(text: str, tree: ast.Module) -> list[Finding]:
    places = Places(text)
    spans = {name: places.of(node) for name, node in names_in(tree, text).needed.items()}
    return [
        Finding(f"{name} is given nowhere in this cell", start, end, known=False)
        for name, (start, end) in spans.items()
    ]


def explain(text: str) -> list[Note]:
    return cell_notes(text)


def drafts(texts: Sequence[str]) -> list[Draft]:
    """The `draft` of the target."""
    return [draft(text) for text in texts]


def draft(text: str) -> Draft:
    try:
        tree = tree_of(text)
    except BadInstruction as error:
        return Draft(text, text.strip(), Risk("unknown"), tuple(check(text)), error.message)
    return Draft(text, _canonical(text, tree), risk_of(text, tree), tuple(findings(text, tree)), tree=tree)


def unasked(text: str) -> str:
    """No cell runs by itself: a kernel keeps its state, and most of what a cell does is not seen in its text."""
    return UNASKED
