"""A file without a game."""

ANSWER = 42
