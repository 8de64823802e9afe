"""Notebooks as examples: read, mined (JuICe §3.1), curated (§3.2), counted (§4)."""
