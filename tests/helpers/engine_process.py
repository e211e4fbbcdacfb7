"""Zermelo as an engine of XBoard or GTP with interpreted rules: `python engine_process.py PROTOCOL`."""

import sys

from zermelo.games.chess.chess_rules import Chess
from zermelo.games.hex import Hex
from zermelo.protocols.gtp import GtpProtocol
from zermelo.protocols.xboard import XboardProtocol


class SlowChess(Chess):
    native = False


class SlowHex(Hex):
    native = False


def write(line):
    print(line, flush=True)


if __name__ == "__main__":
    engine = XboardProtocol(SlowChess, write) if sys.argv[1] == "xboard" else GtpProtocol(lambda: SlowHex(3), write)
    engine.run(sys.stdin.buffer)
