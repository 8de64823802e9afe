"""Requests made from calls, as Okapi was made, and what is wrong with those that people wrote."""
