"""What speaks for and against a command for one request, as named numbers with a reason."""
