"""Asked cells: requests for the next cell of a notebook, written for training; how they are tried, stored, counted."""
