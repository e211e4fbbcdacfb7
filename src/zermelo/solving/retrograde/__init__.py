"""Retrograde analysis: the values of a stage, from its last states backward."""
