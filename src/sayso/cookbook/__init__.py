"""Recipes as a translator: phrasings found by words and by meaning, slots filled from the request; any target's."""
