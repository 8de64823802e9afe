"""What notebook tasks are scored by: text, names up to renaming, calls; intervals by assignment."""

from sayso.targets.notebook.metrics.frame import ByAssignment
from sayso.targets.notebook.metrics.text import api_metrics, code_metrics, paper_form

__all__ = ["ByAssignment", "api_metrics", "code_metrics", "paper_form"]
