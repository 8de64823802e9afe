"""Cells from asked ones: each as a template with slots for tables, columns, names, numbers and words; no network."""
