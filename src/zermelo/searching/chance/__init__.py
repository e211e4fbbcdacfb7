"""Search in games of chance: Star2, its table, and chance sampling."""
