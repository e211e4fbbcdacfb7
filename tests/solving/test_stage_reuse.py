"""Stages that databases hold: read instead of solved, with the same result, unless they contradict the rules."""

from pathlib import Path

import pytest

import zermelo as z
from zermelo import GameError
from zermelo.games.chess_endgame.chess_endgame_rules import ChessEndgame
from zermelo.solving import stage_reuse
from zermelo.solving.solver import Solver
from zermelo.solving.stage_reuse import KnownStage, known_stages

ROOK = ChessEndgame("KRK")


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    """A folder with the whole of an ending, one with a stage of it, and files that are of no use in both."""
    folder = tmp_path_factory.mktemp("databases")
    (folder / "part").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        z.solve(ROOK, folder / "KRK.zermelo")
        z.solve(ROOK, folder / "part" / "KK.zermelo", stage=1)
    (folder / "part" / "other.zermelo").write_bytes(b"no database")
    kalah = Path(__file__).parent / "data" / "kalah.zermelo"
    (folder / "part" / "kalah.zermelo").write_bytes(kalah.read_bytes())
    return folder


def solved_stages(monkeypatch):
    """A list to which the solver will append the stages that it has solved; one may be solved inside another."""
    found, solve = [], Solver._solve_stage

    def noted(solver, stage, keys):
        solve(solver, stage, keys)
        found.append(stage)

    monkeypatch.setattr(Solver, "_solve_stage", noted)
    return found


def test_known_stages_are_not_solved_and_the_file_is_the_same(databases, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    solved = solved_stages(monkeypatch)
    solution = z.solve(ROOK, tmp_path / "again.zermelo", reuse=databases / "part")
    assert solved == [0]
    assert solution.counts() == {"win": 21959, "draw": 2796 + 462, "loss": 25260}
    assert (tmp_path / "again.zermelo").read_bytes() == (databases / "KRK.zermelo").read_bytes()
    assert str(z.solve(ROOK, reuse=databases).value()) == "win in 31"
    assert solved == [0]


def test_stages_of_other_endings_are_known_by_their_pieces(databases):
    rook = databases / "KRK.zermelo"
    for material, expected in (("KQKR", {2: 0, 3: 1}), ("KKR", {0: 0, 1: 1}), ("KRPKR", {17: 0, 20: 1})):
        found = known_stages(ChessEndgame(material), rook, wdl=False)
        assert {number: known.stage for number, known in found.items()} == expected, material
    assert known_stages(ChessEndgame("KQK"), databases, wdl=True) == {}


def test_entries_that_contradict_the_rules_are_refused(databases, monkeypatch):
    read = KnownStage.read

    def swapped(known, number, budget):
        stage = read(known, number, budget)
        stage.entries[::2], stage.entries[1::2] = stage.entries[1::2].copy(), stage.entries[::2].copy()
        return stage

    monkeypatch.setattr(stage_reuse.KnownStage, "read", swapped)
    with pytest.raises(GameError, match=r"stage 0 of .*KRK\.zermelo do not follow from their successors"):
        z.solve(ROOK, reuse=databases / "KRK.zermelo")


@pytest.mark.parametrize(
    ("game", "name", "why"),
    [("chess_endgame(KRK)", "none.zermelo", "no such file or folder"),
     ("chess_endgame(KRK)", "part/kalah.zermelo", "and no stage of this game"),
     ("chess_endgame(KRK)", "part/other.zermelo", "is not a file of Zermelo"),
     ("tic_tac_toe", "", "there is no `index`")],
)  # fmt: skip
def test_what_cannot_be_reused(databases, game, name, why):
    with pytest.raises(GameError, match=why):
        z.solve(z.load(game), reuse=databases / name)


@pytest.mark.slow
def test_pawns_with_the_endings_that_they_become(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for material in ("KQK", "KRK", "KBK"):
        z.solve(ChessEndgame(material), tmp_path / f"{material}.zermelo")
    whole, reused = tmp_path / "whole", tmp_path / "reused"
    z.solve(ChessEndgame("KPK"), whole)
    solved = solved_stages(monkeypatch)
    z.solve(ChessEndgame("KPK"), reused, reuse=tmp_path)
    assert [ChessEndgame("KPK").endings[stage] for stage in solved] == ["KNK", "KPK"]
    assert reused.read_bytes() == whole.read_bytes()
