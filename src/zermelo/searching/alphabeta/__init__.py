"""Alpha-beta search: the kernel, what orders its moves, its table, and the proofs that build on it."""
