"""One module per command; main.py dispatches."""
