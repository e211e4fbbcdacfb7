"""Compiled versions of library functions: bits, tuples, arrays, rules and keys."""
