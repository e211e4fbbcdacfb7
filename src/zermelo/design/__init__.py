"""Figures for the designers of games: length, fairness, drama, skill, and rules that never matter."""
