"""Python as it stands in notebook cells: tokens, magics, canonical strings and names, calls, Python 2."""

from sayso.targets.notebook.syntax.calls import api_sequence
from sayso.targets.notebook.syntax.canonical import canonical_strings
from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.tokens import code_text, code_tokens

__all__ = ["api_sequence", "canonical_strings", "code_text", "code_tokens", "without_magics"]
