"""What games share: parameters, positions, notation, symmetries, and game files."""
