"""Link kernels, which are compiled once, with the compiled rules of a game."""
