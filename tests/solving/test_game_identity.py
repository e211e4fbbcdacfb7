"""Game identity: files of Zermelo's own games open after a rewrite of the rules, and of nothing else."""

from dataclasses import replace

import pytest

import zermelo as z
from taking import Takes
from zermelo.solving.game_identity import GameIdentity

MORRIS = z.load("three_mens_morris")


def test_a_file_of_the_same_rules_is_accepted():
    for game in (MORRIS, Takes()):
        GameIdentity.of(game).check(game, "file")


def test_an_own_game_may_be_rewritten():
    """A renamed variable changes the bytecode. Files made before `numbering` was stored have none."""
    rewritten = replace(GameIdentity.of(MORRIS), rules="other")
    rewritten.check(MORRIS, "file")
    replace(rewritten, numbering="").check(MORRIS, "file")


@pytest.mark.parametrize("part", ["behaviour", "numbering", "game"])
def test_an_own_game_that_behaves_or_counts_otherwise_is_refused(part):
    with pytest.raises(z.GameError, match="was made for"):
        replace(GameIdentity.of(MORRIS), rules="other", **{part: "other"}).check(MORRIS, "file")


def test_other_bytecode_of_an_author_s_game_is_refused():
    with pytest.raises(z.GameError, match=r"was made for other rules of .*; solve it anew\."):
        replace(GameIdentity.of(Takes()), rules="other").check(Takes(), "file")


def test_under_another_python_behaviour_decides():
    game = Takes()
    other = replace(GameIdentity.of(game), rules="other", python="3.0")
    other.check(game, "file")
    with pytest.raises(z.GameError, match="other rules"):
        replace(other, behaviour="other").check(game, "file")
