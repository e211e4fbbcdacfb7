"""Matches: players against each other, paired openings, Elo with intervals, sequential tests, tournaments."""
