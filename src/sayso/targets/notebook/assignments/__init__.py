"""Small assignments of our own with tests and wrong solutions: `notebook/assignments`, and what checks them."""

from sayso.targets.notebook.assignments.reader import Assignment, assignments, digest, read_assignment

__all__ = ["Assignment", "assignments", "digest", "read_assignment"]
