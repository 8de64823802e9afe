"""What notebook tasks are scored by: text, names up to renaming, calls, tests that are run; intervals by assignment."""

from sayso.targets.notebook.metrics.frame import ByAssignment
from sayso.targets.notebook.metrics.tests import graded_metrics, needed_graded_metrics
from sayso.targets.notebook.metrics.text import api_metrics, code_metrics

__all__ = ["ByAssignment", "api_metrics", "code_metrics", "graded_metrics", "needed_graded_metrics"]
