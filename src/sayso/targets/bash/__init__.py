"""Bash one-liners, after NL2Bash."""
