"""Learned evaluations as data: what they read of a state, how they are computed, and their files."""
