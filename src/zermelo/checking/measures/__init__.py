"""What a check measures, where there is nothing right or wrong: random play, and the cost of a rule."""
