"""Solving on a cluster: tasks over parts on storage that all nodes see."""
