"""Evaluate, remember, report."""
