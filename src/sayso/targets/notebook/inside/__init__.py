"""What runs inside the sandbox beside the cells: files that are put there as they are, and imported by nobody here."""
