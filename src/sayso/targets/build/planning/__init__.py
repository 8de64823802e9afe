"""A plan for a source tree: which steps, in which order, the line behind each, and what else was possible."""
