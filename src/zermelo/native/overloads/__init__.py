"""Numba overloads of the functions that rules and kernels call: bits, tuples, arrays, rules and keys."""
