"""Adapters: games and positions of other libraries as Zermelo's, and the other way round."""
