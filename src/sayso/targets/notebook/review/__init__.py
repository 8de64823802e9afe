"""What a reader sees in a cell: what it may do, names that it needs, what it says, whether that was asked for."""

from sayso.targets.notebook.review.asked import bars, evidence, read
from sayso.targets.notebook.review.effects import cell_risk
from sayso.targets.notebook.review.explaining import cell_notes

__all__ = ["bars", "cell_notes", "cell_risk", "evidence", "read"]
