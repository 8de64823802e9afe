"""sayso: a request in English goes in, checked and ranked instructions come out."""

__version__ = "0.1.0"
