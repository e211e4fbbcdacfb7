"""Showing: states drawn from their boards. Nothing here knows the rules of any game."""
