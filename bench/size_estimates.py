"""Estimates against known numbers of states: `python bench/size_estimates.py [GAME ...]`.

Prints a table of Markdown: the game, the number of states, the estimate, their ratio, the method, and
seconds of processor time. Published counts of Connect Four are of positions (Böck, arXiv:2507.05267, 2025): twice the
states, up to the few that are their own reflections. The others were counted by `zermelo solve`.
"""

from __future__ import annotations

import sys
import time

import zermelo as z

KNOWN = {
    "tic_tac_toe": 765,
    "nim((7,9,11,13))": 1_938,
    "sim": 3_729,
    "othello(4)": 14_772,
    "chomp(10,8)": 43_758,
    'chess_endgame("KRK")': 50_477,
    "connect_four(4,4)": 80_541,
    "kalah(3,4)": 213_841,
    "y(5)": 557_907,
    "fox_and_geese": 783_184,
    "hexapawn(5,5)": 938_329,
    "dots_and_boxes(3,3)": 1_267_718,
    "connect_four(5,4)": 1_974_174,
    "domineering(6,5)": 2_166_543,
    'chess_endgame("KQKR")': 2_563_736,
    "six_mens_morris": 3_101_822,
    "hex(4)": 4_693_575,
    "kalah(4,3)": 5_255_649,
    "teeko": 12_063_947,
    "connect_four(5,5)": 69_763_700 // 2,
    "breakthrough(4,5)": 98_846_466,
    "connect_four(8,3)": 362_940_958 // 2,
    "connect_four(5,6)": 1_044_334_437 // 2,
    "connect_four(7,4)": 2_265_792_710 // 2,
    "connect_four(6,5)": 1_409_488_535,
    "connect_four(6,6)": 69_173_028_785 // 2,
    "connect_four(7,5)": 112_829_665_923 // 2,
    "connect_four(7,6)": 4_531_985_219_092 // 2,
    "connect_four(8,6)": 290_433_534_225_566 // 2,
}


def main(names: list[str]) -> None:
    """Print a row for each game."""
    print("| game | states | estimate | ratio | method | CPU seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names or KNOWN:
        game = z.load(name)
        z.estimate(game, quick=True)  # what is compiled does not count
        started = time.process_time()
        found = z.estimate(game)
        seconds = time.process_time() - started
        counts = f"{KNOWN[name]:.4g} | {found.states:.4g} | {found.states / KNOWN[name]:.2f}"
        print(f"| {name} | {counts} | {found.method} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
