"""Measure one example, reduce many; every number carries a signature."""
