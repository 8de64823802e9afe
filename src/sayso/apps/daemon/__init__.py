"""The background process that keeps the models loaded, and the thin client that talks to it."""
