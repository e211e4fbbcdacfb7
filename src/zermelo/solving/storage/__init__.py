"""Storage: databases and checkpoints on disk, validated before use."""
