"""Rewrite and jit the rules of a game."""
