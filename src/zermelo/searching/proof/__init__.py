"""Proof-number search: whether a player can force a result."""
