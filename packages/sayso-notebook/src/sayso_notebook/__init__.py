"""Weights for notebook cells, as bundles in the folder beside this file; sayso reads them and never imports this."""
