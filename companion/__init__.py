"""Companion: a table companion and scorekeeper for TWEAK!, the card game of quick sums."""

__version__ = "0.1.0"
