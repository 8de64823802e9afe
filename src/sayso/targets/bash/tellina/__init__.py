"""NL2Bash's Tellina: a template first, then its arguments by alignment."""
