"""Enumeration: every reachable state, stage by stage, and the tables that hold them."""
