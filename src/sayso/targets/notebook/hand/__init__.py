"""The user's own notebook: its cells, a place for one more, the names that live in its kernel, repairs of a cell."""

from sayso.targets.notebook.hand.document import read_document
from sayso.targets.notebook.hand.named_files import files_named
from sayso.targets.notebook.hand.namespace import namespace_piece
from sayso.targets.notebook.hand.needs import needs_of
from sayso.targets.notebook.hand.repair import repairs

__all__ = ["files_named", "namespace_piece", "needs_of", "read_document", "repairs"]
