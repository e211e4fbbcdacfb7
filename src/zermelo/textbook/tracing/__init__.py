"""Traces: every step of an algorithm, to print, to draw and to replay."""
