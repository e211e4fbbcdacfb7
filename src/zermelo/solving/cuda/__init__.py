"""Solving on a GPU: the same stages, keys and entries as on the CPU."""
