"""Parsers of the commands. Each imports its command when it runs, so that help is quick."""
