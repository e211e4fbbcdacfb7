"""Alpha-beta search: the kernel, move ordering, the transposition table, selective search, and proofs of values."""
