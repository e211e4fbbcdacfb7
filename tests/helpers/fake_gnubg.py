"""A program that is started as gnubg is, and answers at its socket well or badly: `python fake_gnubg.py HOW`."""

import random
import socket
import sys
import time

from zermelo.games.backgammon import Backgammon
from zermelo.protocols.fibs_board import read_board
from zermelo.rules import legal_actions


class SlowBackgammon(Backgammon):
    native = False


def answer(how, line):
    """What is answered to a line; None closes the connection."""
    if line == "version":
        return "Interface: 2"
    if how in ("illegal", "closing", "long", "empty"):
        return {"illegal": "1/off(4)", "closing": None, "long": "x" * 70_000, "empty": ""}[how]
    if how == "silent":
        time.sleep(60)
    game = SlowBackgammon()
    state, _ = read_board(game, line)
    return game.move_text(state, random.Random(1).choice(legal_actions(game, state)))


def main(how):
    for line in sys.stdin:
        if how == "deaf":
            continue
        if line.startswith("external "):
            host, port = line.split()[1].split(":")
            with socket.create_server((host, int(port))) as listener, listener.accept()[0] as peer:
                for asked in peer.makefile():
                    said = answer(how, asked.strip())
                    if said is None:
                        return
                    peer.sendall(f"{said}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1])
