"""What a terminal user runs: translators, bundles, verification; no torch here."""
