"""Packages built for real: sources, scripts and what lies below them go in, recorded outcomes come out."""
