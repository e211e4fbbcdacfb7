"""Chess endgames solved: every count and every longest mate, against published endgame tables."""

import numpy as np
import pytest

import zermelo as z
from zermelo.solving.retrograde.entries import DECIDED

PASSANT = 1806 * 16
"""Numbers of KPKP, the last ones, with an en passant capture; endgame statistics leave them out."""

# Source: the Gaviota endgame tables of three and four pieces, all positions probed, counted up to symmetry without en
# passant: (won, drawn, lost, plies of the longest win, of the longest loss), White to move and Black to move.
TABLES = {
    "KBvK": ((0, 24178, 0, 0, 0), (0, 28056, 0, 0, 0)),
    "KNvK": ((0, 25750, 0, 0, 0), (0, 28056, 0, 0, 0)),
    "KPvK": ((62480, 19184, 0, 55, 0), (0, 35210, 48802, 0, 56)),
    "KQvK": ((18081, 0, 0, 19, 0), (0, 2896, 25160, 0, 20)),
    "KRvK": ((21959, 0, 0, 31, 0), (0, 2796, 25260, 0, 32)),
    "KBBvK": ((312951, 322599, 0, 37, 0), (0, 502483, 351755, 0, 38)),
    "KBvKB": ((52, 1479132, 14, 1, 0), (52, 1479132, 14, 1, 0)),
    "KBvKN": ((2, 1479195, 1, 1, 0), (5, 1567216, 1, 1, 0)),
    "KBvKP": ((104, 4212608, 232968, 1, 38), (1174317, 3807159, 28, 57, 0)),
    "KBNvK": ((1352913, 6665, 0, 65, 0), (0, 309147, 1398741, 0, 66)),
    "KBPvK": ((4141811, 174804, 0, 61, 0), (0, 859923, 4264809, 0, 62)),
    "KNvKN": ((5, 1567216, 1, 1, 0), (5, 1567216, 1, 1, 0)),
    "KNvKP": ((208, 4095612, 608446, 13, 56), (1622140, 3359329, 35, 57, 12)),
    "KNNvK": ((77, 719053, 0, 1, 0), (0, 854223, 15, 0, 0)),
    "KNPvK": ((4405320, 169405, 0, 53, 0), (0, 947832, 4176900, 0, 56)),
    "KPvKP": ((1606514, 1242545, 868985, 65, 66), (1606514, 1242545, 868985, 65, 66)),
    "KPPvK": ((1777515, 29156, 0, 63, 0), (0, 151343, 1761029, 0, 64)),
    "KQBvK": ((962339, 0, 0, 15, 0), (0, 160147, 1547741, 0, 20)),
    "KQvKB": ((1115754, 3462, 0, 33, 0), (0, 342019, 1137179, 0, 34)),
    "KQvKN": ((1111906, 7310, 0, 41, 0), (0, 305896, 1261326, 0, 42)),
    "KQvKP": ((3349631, 21317, 20, 55, 20), (385976, 601733, 3993795, 57, 56)),
    "KQvKQ": ((467214, 646911, 5091, 25, 24), (467214, 646911, 5091, 25, 24)),
    "KQvKR": ((1108111, 8963, 2142, 69, 36), (386313, 78518, 883075, 37, 70)),
    "KQNvK": ((1030802, 0, 0, 17, 0), (0, 164666, 1543222, 0, 20)),
    "KQPvK": ((3273697, 0, 0, 19, 0), (0, 145936, 4978796, 0, 56)),
    "KQQvK": ((353793, 0, 0, 7, 0), (0, 17672, 836566, 0, 20)),
    "KQRvK": ((864052, 0, 0, 11, 0), (0, 17684, 1690204, 0, 32)),
    "KRBvK": ((1170995, 0, 0, 31, 0), (0, 150238, 1557650, 0, 32)),
    "KRvKB": ((473447, 874459, 0, 57, 0), (0, 1431462, 47736, 0, 58)),
    "KRvKN": ((651492, 696413, 1, 79, 0), (4, 1396546, 170672, 1, 80)),
    "KRvKP": ((3703102, 340191, 6727, 51, 84), (816810, 871949, 3292745, 85, 64)),
    "KRvKR": ((392459, 946389, 9058, 37, 38), (392459, 946389, 9058, 37, 38)),
    "KRNvK": ((1238446, 0, 0, 31, 0), (0, 156789, 1551099, 0, 32)),
    "KRPvK": ((3938586, 0, 0, 31, 0), (0, 125934, 4998798, 0, 56)),
    "KRRvK": ((520702, 0, 0, 13, 0), (0, 2468, 851770, 0, 32)),
}


def counted(entries):
    """Won, drawn and lost entries, and the longest of each."""
    won, lost = entries[(entries >= DECIDED) & (entries & 1 == 0)], entries[(entries >= DECIDED) & (entries & 1 == 1)]
    drawn = int(((entries > 0) & (entries < DECIDED)).sum())
    longest = [int(each.max() - DECIDED) // 2 if len(each) else 0 for each in (won, lost)]
    return len(won), drawn, len(lost), *longest


def published(endgame):
    """Return what the tables say of an endgame such as KKR, White's pieces first."""
    pieces = "K", "K"
    cut = endgame.index("K", 1)
    pieces = endgame[:cut], endgame[cut:]
    if "v".join(pieces) in TABLES:
        return TABLES["v".join(pieces)]
    return TABLES["v".join(pieces[::-1])][::-1]


def agree(material):
    """Solve an endgame, and compare all stages of it."""
    solution = z.solve(z.load(f"chess_endgame({material})"))
    compared = 0
    for stage, endgame in enumerate(solution.game.endings):
        if stage not in solution.tables or endgame == "KK":
            continue
        entries = solution.tables[stage].all()
        if endgame == "KPKP":
            entries = entries[:-PASSANT]
        cut = endgame.index("K", 1)
        halves = [entries] if endgame[:cut] == endgame[cut:] else np.split(entries, 2)
        for half, expected in zip(halves, published(endgame), strict=False):
            assert counted(half) == expected, endgame
        compared += 1
    return compared


@pytest.mark.parametrize("material", ["KRK", pytest.param("KPK", marks=pytest.mark.slow)])
def test_three_pieces(material):
    assert agree(material) == {"KRK": 1, "KPK": 5}[material]


@pytest.mark.slow
@pytest.mark.parametrize("material", ["KBK", "KNK", "KQK", "KQKR", "KRKB", "KBNK"])
def test_four_pieces(material):
    assert agree(material) >= 1


@pytest.mark.slow
@pytest.mark.parametrize(("material", "endgames"), [("KPKP", 20), ("KPPK", 20)])
def test_pawns_and_all_that_they_become(material, endgames):
    assert agree(material) == endgames


@pytest.mark.slow
def test_two_bishops_against_a_knight():
    """Five pieces: the longest mates for White (78 moves) and Black (one) are those that Kryukov lists."""
    solution = z.solve(z.load("chess_endgame(KBBKN)"))
    assert str(solution.value()) == "win in 155"
    white, black = (counted(half) for half in np.split(solution.tables[0].all(), 2))
    assert (white[3], black[3]) == (155, 1)
    assert [white[i] + black[i] for i in range(3)] == [18_522_175, 50_962_387, 15_928_122]
