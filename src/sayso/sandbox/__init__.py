"""Where anything that a model wrote may run."""
