"""What a command may do to the machine, and the words that make it so."""
