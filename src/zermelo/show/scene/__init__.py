"""Boards laid out in the plane."""
