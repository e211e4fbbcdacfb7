"""Traces: every step of an algorithm, to read, to draw and to replay."""
