"""Drivers of the kernels: lifecycle, iterative deepening, proofs, threads, memory, background compilation."""
