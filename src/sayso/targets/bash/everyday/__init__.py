"""Requests as people type them, with files to try an answer on and a check of what it did; dangerous ones."""
