"""Rules rewritten and jitted for Numba."""
