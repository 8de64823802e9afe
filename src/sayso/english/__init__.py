"""Requests as typed tokens, stems, names, spelling, grains and vocabularies; the word lists of English."""
