"""Backgammon notation and board: plays such as 24/22 13/11*, positions as XGID, and the board with its stacks.

Here the checkers of a player are a tuple of 26 counts, from place 0, off the board, to place 25, the bar.
"""

import re
from collections import Counter

from zermelo.arguments import check_bool
from zermelo.board import Tables
from zermelo.game import GameError
from zermelo.games.backgammon.backgammon_checkers import BAR, PLACES_PER_WORD, count

PLACE = r"(?:bar|off|\d{1,2})"
MOVE = re.compile(rf"({PLACE}\*?(?:/{PLACE}\*?)+)(?:\((\d)\))?", re.IGNORECASE)
XGID = (
    ("[-A-Oa-o]{26}", "its checkers must be 26 signs, each of them - or a letter from A to O"),
    (r"\d+", "its cube must be a number"),
    ("-?[01]", "the owner of the cube must be 1, 0 or -1"),
    ("-?1", "who is to move must be 1 or -1"),
    (r"\d\d|opening", "its dice must be two digits, or opening"),
)
"""The parts of a position, and the error message for each."""


# -- setups ------------------------------------------------------------------------------------------------------------


def read_setup(text: str) -> tuple[int, ...]:
    """The checkers of `24(2) 13(5)`: a place each, `off` among them, and how many stand there if not one."""
    counts = [0] * (BAR + 1)
    for word in text.split():
        found = re.fullmatch(r"(off|\d{1,2})(?:\((\d{1,2})\))?", word)
        place = 0 if found is None or found[1] == "off" else int(found[1])
        if found is None or place > 24 or (place == 0 and found[1] != "off"):
            raise ValueError(f"{word!r} is no point with its checkers")
        counts[place] += int(found[2] or 1)
    return tuple(counts)


def check_setup(game) -> None:
    """Raise GameError if the setup of the game is invalid."""
    try:
        counts = read_setup(game.setup) if isinstance(game.setup, str) else ()
    except ValueError as error:
        raise GameError(f"{game!r}: setup must read like '24(2) 13(5) 8(3) 6(5)', and {error}.") from None
    if not 1 <= sum(counts) <= 15 or sum(counts) == counts[0]:
        raise GameError(f"{game!r}: setup must place 1 to 15 checkers, and not all of them off the board.")
    if any(counts[place] and counts[BAR - place] for place in range(1, PLACES_PER_WORD)):
        raise GameError(f"{game!r}: setup puts checkers of both players, who begin alike, on one point.")
    check_bool(repr(game), opening=game.opening)


def words(counts):
    """The counts in two words, `near` and `far`."""
    return tuple(
        sum(checkers << 4 * place for place, checkers in enumerate(part))
        for part in (counts[:PLACES_PER_WORD], counts[PLACES_PER_WORD:])
    )


def counts(near, far):
    return tuple(count(near, far, place) for place in range(BAR + 1))


# -- plays -------------------------------------------------------------------------------------------------------------


def play_text(steps) -> str:
    """A play such as `24/22 13/11*`, `bar/20`, `6/off`, `8/4(2)` or `24/18*/13`; `pass` where nothing can move."""
    hit: set[int] = set()
    texts = []
    for path, times in Counter(paths(steps)).items():
        text = "/".join(f"{_name(place)}*" if hits and place not in hit else _name(place) for place, hits in path)
        hit |= {place for place, hits in path if hits}
        texts.append(text if times == 1 else f"{text}({times})")
    return " ".join(texts) or "pass"


def _name(place: int) -> str:
    return {BAR: "bar", 0: "off"}.get(place, str(place))


def paths(steps):
    """Return the paths of checkers, as tuples of (place, hit there).

    A step that starts where another lands continues its path. Intermediate stops are kept only where a blot is hit.
    """
    ways = []
    for source, to, hits in steps:
        way = next((way for way in ways if way[-1][0] == source), None)
        if way is None:
            ways.append([(source, False), (to, hits)])
        else:
            way.append((to, hits))
    return [tuple(stop for i, stop in enumerate(way) if i in (0, len(way) - 1) or stop[1]) for way in ways]


def read_play(text: str):
    """Return the change on each place and the points with a star that a text describes; None if it is no play.

    >>> read_play("24/18*/13 6/off")
    ({24: -1, 13: 1, 6: -1, 0: 1}, {18})
    """
    change: dict[int, int] = {}
    stars = set()
    for word in text.split():
        found = MOVE.fullmatch(word)
        if found is None:
            return None
        stops = [_number(stop.rstrip("*").lower()) for stop in found[1].split("/")]
        stars |= {stop for stop, name in zip(stops, found[1].split("/"), strict=True) if name.endswith("*")}
        for place, sign in ((stops[0], -1), (stops[-1], 1)):
            change[place] = change.get(place, 0) + sign * int(found[2] or 1)
    return ({place: checkers for place, checkers in change.items() if checkers}, stars) if change else None


def _number(name: str) -> int:
    return {"bar": BAR, "off": 0}[name] if name.isalpha() else int(name)


def is_meant(wanted, steps):
    """Return whether a play is the one that was read: the same change, and hits where there is a star."""
    change, stars = wanted
    done = Counter(to for _, to, _ in steps)
    done.subtract(source for source, _, _ in steps)
    return {place: checkers for place, checkers in done.items() if checkers} == change and stars <= hit_points(steps)


def hit_points(steps):
    """The points on which a play hits."""
    return {to for _, to, hit in steps if hit}


# -- positions ---------------------------------------------------------------------------------------------------------


def position_text(first, second, player: int, dice: str) -> str:
    """An XGID without its name: checkers from the second player's bar to the first's, the cube, who moves, the dice."""
    letters = [_letter(second[BAR], "a")]
    letters += [
        _letter(first[place], "A") if first[place] else _letter(second[BAR - place], "a") for place in range(1, BAR)
    ]
    letters += [_letter(first[BAR], "A")]
    return f"{''.join(letters)}:0:0:{1 - 2 * player}:{dice}:0:0:0:0:10"


def _letter(checkers: int, one: str) -> str:
    return chr(ord(one) + checkers - 1) if checkers else "-"


def position_parts(text: str) -> list[str]:
    """Return the parts of an XGID; another text has fewer than five."""
    return text.strip().removeprefix("XGID=").split(":")


def read_position(parts: list[str], checkers: int):
    """The checkers of both players, who is to move, and the dice.

    Raise ValueError if a part is invalid.
    """
    for part, (pattern, what) in zip(parts, XGID, strict=False):
        if not re.fullmatch(pattern, part):
            raise ValueError(f"{what}, not {part!r}")
    letters, sides = parts[0], ([0] * (BAR + 1), [0] * (BAR + 1))
    for place, letter in enumerate(letters):
        if letter.isupper():
            sides[0][place] = ord(letter) - ord("A") + 1
        elif letter.islower():
            sides[1][BAR - place] = ord(letter) - ord("a") + 1
    if sides[0][0] or sides[1][0]:
        raise ValueError("a bar holds checkers of the wrong player")
    for side in sides:
        side[0] = checkers - sum(side)
        if side[0] < 0:
            raise ValueError(f"a player has more than {checkers} checkers")
    player = 0 if parts[3] == "1" else 1
    if sides[player][0] == checkers:
        raise ValueError("the player to move has borne off all checkers already")
    return tuple(sides[0]), tuple(sides[1]), player, _dice(parts[4])


def _dice(text: str) -> int:
    if text == "opening":
        return 1
    high, low = sorted(map(int, text), reverse=True)
    if high > 6 or (low == 0 and high > 0):
        raise ValueError(f"{text} is no roll")
    return 10 * high + low


# -- board -------------------------------------------------------------------------------------------------------------


COURSE = "from 24 to 1, and then off"
"""Where the checkers of both players go, who count the points each from their own end."""


def picture(first, second, player: int, dice: tuple[int, ...]) -> Tables:
    """Return the board seen by the first player, with points named as the player to move counts them."""
    points = tuple(first[place] - second[BAR - place] for place in range(1, BAR))
    names = tuple(str(_seen(place, player)) for place in range(1, BAR))
    bar, off = (first[BAR], second[BAR]), (first[0], second[0])
    return Tables(points, bar, off, names, dice, courses=(COURSE, COURSE))


def squares(steps, player: int) -> tuple[int, ...]:
    """Return the from- and to-square of each step."""
    return tuple(_square(place, player) for source, to, _ in steps for place in (source, to))


def _square(place: int, player: int) -> int:
    """Return the square of a player's place: points, then both bars, then both trays."""
    if 0 < place < BAR:
        return _seen(place, player) - 1
    return BAR - 1 + player + (0 if place == BAR else 2)


def _seen(place: int, player: int) -> int:
    """Convert between a player's count of a point and the first player's."""
    return place if player == 0 else BAR - place
