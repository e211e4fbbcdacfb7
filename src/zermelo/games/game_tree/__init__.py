"""GameTree: a hand-made tree as a game."""

from zermelo.games.game_tree.tree_game import GameTree

__all__ = ["GameTree"]
