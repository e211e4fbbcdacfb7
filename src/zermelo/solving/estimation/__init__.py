"""Estimates of what a solve takes, from samples of the states."""
