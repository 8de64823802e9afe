"""Weights for Okapi's tasks, as bundles in the folder beside this file; sayso reads them and never imports this."""
