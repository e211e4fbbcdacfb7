"""Random games with every option of the search: one compiled class serves hundreds of them, since a state is its game.

A node's `mode` says what its game is like, by adding up NOISE, FORCING, FEW, TWICE and SEEDS times any number. All is
decided by hashing, so judgements are often wrong, noisy moves are not always good, and whoever passes may do better
than by any move.
"""

from typing import NamedTuple

import numpy as np

from zermelo import DRAW, LOSS, ONGOING, WIN, Game, bits

NOISE = 1  # some moves are noisy
FORCING = 2  # some states force the reply
FEW = 4  # many ways, short and long, lead to each state
TWICE = 8  # a player may move twice in a row
SEEDS = 16  # the number of the game

CODES = 12
"""How many codes there are in a game of FEW states."""


class Node(NamedTuple):
    code: np.uint64
    left: int  # plies before every line ends
    mode: int
    mirrored: int  # 0 or 1: the moves are numbered from the other end
    player: int


class Optional(Game):
    """A random game with judgements, noisy moves, forcing states and a symmetry."""

    def initial(self):
        return Node(1, 6, 0, 0, 0)

    def moves(self, node):
        for move in range(count(node)):
            yield move

    def play(self, node, move):
        move = count(node) - 1 - move if node.mirrored else move
        mixed = hashed(node, move)
        code, left = mixed, node.left - 1
        if node.mode & FEW:
            code, left = bits.remainder(mixed, CODES), max(left - move % 2, 0)
        again = node.mode & TWICE and bits.remainder(bits.shift_right(mixed, 40), 4) == 0
        mirrored = node.mirrored ^ bits.remainder(bits.shift_right(mixed, 30), 2)
        return Node(code, left, node.mode, mirrored, node.player if again else 1 - node.player)

    def result(self, node):
        if node.left == 0:
            return bits.remainder(hashed(node, 11), 3) - 1
        if node.mode & FEW:
            return ONGOING
        return WIN if bits.remainder(node.code, 17) == 3 else LOSS if bits.remainder(node.code, 13) == 3 else ONGOING

    def mover(self, node):
        return node.player

    def evaluate(self, node):
        return bits.remainder(hashed(node, 55), 41) / 4 - 5

    def order(self, node, move):
        move = count(node) - 1 - move if node.mirrored else move
        return bits.remainder(hashed(node, 77 + move), 3)

    def noisy(self, node, move):
        move = count(node) - 1 - move if node.mirrored else move
        return bool(node.mode & NOISE) and bits.remainder(hashed(node, 99 + move), 2) == 0

    def forcing(self, node):
        return bool(node.mode & FORCING) and bits.remainder(hashed(node, 22), 3) == 0

    def canonical(self, node):
        return Node(node.code, node.left, node.mode, 0, node.player)


class Daring(Optional):
    """The same with every selective fact on, and null moves, none of which is to be trusted here."""

    reductions = True
    futility = 1.0
    singular = 0.01

    def skip(self, node):
        if bits.remainder(hashed(node, 44), 3) == 0:
            return node
        mixed = hashed(node, 33)
        code = bits.remainder(mixed, CODES) if node.mode & FEW else mixed
        return Node(code, max(node.left - 1, 0), node.mode, node.mirrored, 1 - node.player)


class Round(Game):
    """A random game in which play may go round for ever; a place has the mode of its game."""

    loops = True

    def initial(self):
        return Place(0, 2)

    def moves(self, place):
        for move in range(1 + bits.remainder(hashed(place, 50), 3)):
            yield move

    def play(self, place, move):
        return Place(bits.remainder(hashed(place, move), CODES), place.mode)

    def result(self, place):
        number = bits.remainder(hashed(place, 60), 20)
        return LOSS if number < 3 else WIN if number == 3 else DRAW if number == 4 else ONGOING

    def evaluate(self, place):
        return bits.remainder(hashed(place, 70), 9) - 4

    def noisy(self, place, move):
        return bool(place.mode & NOISE) and bits.remainder(hashed(place, 80 + move), 2) == 0


class Place(NamedTuple):
    code: np.uint64
    mode: int


def count(node):
    """How many moves a node has: one to six."""
    return 1 + bits.remainder(hashed(node, 66), 5 if node.mode & FEW else 6)


def hashed(node, salt):
    """A random number for each state, of its game, and each salt."""
    return bits.mix(bits.add(bits.mix(bits.add(node.code, node.mode * CODES)), salt))


def nodes(count, *modes):
    """So many nodes in which the game goes on, of these modes by turns, with one to ten plies left, six in trees."""
    found = []
    code = 0
    while len(found) < count:
        code += 1
        mode = modes[len(found) % len(modes)] + SEEDS * code
        left = 1 + code % (10 if mode & FEW else 6)
        node = Node(code % CODES if mode & FEW else bits.mix(code), left, mode, code % 2, code // 2 % 2)
        if Optional().result(node) == ONGOING:
            found.append(node)
    return found


def places(count, mode):
    """So many places in which the game goes on, each in a game of its own."""
    found = [Place(0, mode + SEEDS * seed) for seed in range(3 * count)]
    return [place for place in found if Round().result(place) == ONGOING][:count]
