"""What the slots of an operation could take of what is said, and what speaks for it."""
