"""Scores that read the text of a cell (JuICe §7.2): corpus BLEU, exact match, precision and recall of API calls.

Both sides are put into the form of the paper's targets first: no comments and magics, one string literal, 120 tokens.
"""

from __future__ import annotations

from typing import Any

from sayso.core.types import Metric, Workspace
from sayso.metrics.bleu import CorpusBleu
from sayso.metrics.match import Match
from sayso.metrics.overlap import Micro, Overlap
from sayso.targets.notebook.metrics.frame import ByAssignment
from sayso.targets.notebook.syntax.canonical import canonical_names, canonical_strings
from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.tokens import code_text, code_tokens, cut

FORM = "juice-tokens-120"


def paper_form(text: str) -> str:
    """A cell as a target of the paper: what `code_text` makes of its first 120 tokens with canonical strings."""
    return code_text(paper_tokens(text))


def paper_tokens(text: str) -> list[str]:
    return cut(code_tokens(canonical_strings(without_magics(text))))


def joined(text: str) -> str:
    """x=1 -> "x = 1", a blank between any two tokens."""
    return " ".join(paper_tokens(text))


def renamed(text: str) -> str:
    """The same with the names that the cell gives numbered."""
    return " ".join(code_tokens(canonical_names(paper_form(text))))


def code_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """BLEU is unsmoothed as in the paper's toolkit; over a corpus it comes to the same."""
    return tuple(
        ByAssignment(metric)
        for metric in (
            CorpusBleu("bleu", joined, FORM, tokenizer="none", smoothing="none"),
            Match("exact", 1, joined, FORM),
            Match("exact_canonical", 1, renamed, f"{FORM}-names"),
        )
    )


def api_metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    """Calls as sets (§7.2), all cells in one pot; a cell without a call is unscored and counted."""
    calls = Overlap(str.split, "names", "set", skip_empty=True)
    return (ByAssignment(Micro("precision", "precision", calls)), ByAssignment(Micro("recall", "recall", calls)))
