"""English and instruction text: tokens, grains, vocabularies, spelling."""
