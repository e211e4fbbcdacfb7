"""Morris, the mill games."""

from zermelo.games.morris.morris_games import (
    LaskerMorris,
    NineMensMorris,
    SixMensMorris,
    ThreeMensMorris,
    TwelveMensMorris,
)

__all__ = ["LaskerMorris", "NineMensMorris", "SixMensMorris", "ThreeMensMorris", "TwelveMensMorris"]
