"""Grammars learned from pairs alone: rules, how they nest, and answers only where a derivation is sure."""

from sayso.induction.grammar import Grammar
from sayso.induction.induce import Settings
from sayso.induction.learn import learn
from sayso.induction.storing import from_json, load_grammar, save_grammar, to_json

__all__ = ["Grammar", "Settings", "from_json", "learn", "load_grammar", "save_grammar", "to_json"]
