"""Learning: evaluations from self-play, for any game, with no feature written by its author."""
