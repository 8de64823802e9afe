"""Pairs to learn from: a grammar over the cookbook, cheat sheets, text from manuals."""
