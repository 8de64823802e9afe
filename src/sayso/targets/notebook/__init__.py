"""Notebook cells, after JuICe: `language` and `tasks` are what the rest of sayso uses."""
