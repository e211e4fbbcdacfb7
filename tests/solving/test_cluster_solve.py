"""Solves by the tasks of a cluster, in one process: the same file to the bit, whatever is lost, damaged or killed."""

import random

import pytest

import zermelo as z
from inline_cluster import InlineExecutor, solve_inline
from solve_games import Boxes, Depths, Lots, Overflow, Rooms, Rounds, Scores, Squares, Stairs, Throws, Turns
from zermelo.game import GameError
from zermelo.solving.cluster import stage_plan
from zermelo.solving.cluster.task_outcomes import LOST, MEMORY, OUT_OF_MEMORY, Outcome


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.setattr(stage_plan, "SMALL_PART", 16)
    monkeypatch.setattr(stage_plan, "LARGE_PART", 256)


def reference(game, path, **options):
    z.solve(game, path, threads=1, **options)
    return path.read_bytes()


GAMES = {
    "stages": (Stairs(), {}),
    "two words": (Depths(), {}),
    "no distances": (Stairs(), {"wdl": True}),
    "points": (Scores(), {}),
    "chance": (Throws(), {}),
    "plies": (Turns(), {}),
    "loops": (Rooms(), {}),
    "one stage": (Rounds(), {}),
    "chance and loops": (Lots(), {}),
    "numbered": (Squares(), {}),
    "numbered, chance": (Boxes(), {}),
    "wider numbers": (Overflow(), {}),
}


SLOW = ("two words", "one stage", "loops", "chance", "chance and loops", "numbered, chance")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in GAMES])
def test_the_file_is_that_of_one_machine(name, tmp_path):
    game, options = GAMES[name]
    expected = reference(game, tmp_path / "one", **options)
    executor = InlineExecutor()
    solution = solve_inline(game, tmp_path / "many", executor, **options)
    assert (tmp_path / "many").read_bytes() == expected
    if name not in ("numbered", "numbered, chance", "wider numbers"):  # these begin again when they know more
        assert set(executor.run.values()) == {1}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many", "one"]
    assert len(solution) == len(z.Solution.open(tmp_path / "one", game))


def test_the_class_of_the_driver_stays_as_it_is(tmp_path):
    rules = dict(vars(Stairs))
    solve_inline(Stairs(), tmp_path / "many")
    assert dict(vars(Stairs)) == rules


def test_large_stages_are_divided(tmp_path, monkeypatch):
    monkeypatch.setattr(stage_plan, "LARGE_PART", 1 << 12)
    game = z.load("connect_four(4,4)")
    expected = reference(game, tmp_path / "one")
    executor = InlineExecutor(5)
    solve_inline(game, tmp_path / "many", executor)
    assert (tmp_path / "many").read_bytes() == expected
    assert sum(task.startswith("expand") for task in executor.run) > 40


def test_a_driver_that_was_killed_computes_nothing_twice(tmp_path):
    """The driver ends at any task; the next one finds what is finished."""
    game = Stairs()
    expected = reference(game, tmp_path / "one")
    dice, total, kills = random.Random(7), {}, 0

    def kill(task, job):
        if dice.random() < 0.1:
            raise KeyboardInterrupt

    while not (tmp_path / "many").exists():
        executor = InlineExecutor(3, kill)
        try:
            solve_inline(game, tmp_path / "many", executor)
        except KeyboardInterrupt:
            kills += 1
        for task, times in executor.run.items():
            total[task] = total.get(task, 0) + times
    assert kills > 5
    assert set(total.values()) == {1}
    assert (tmp_path / "many").read_bytes() == expected


@pytest.mark.parametrize("name", ["stages", "numbered", "plies"])
def test_damaged_parts_are_made_again(name, tmp_path):
    """Before some tasks, a part that somebody may still read is changed, cut, emptied or deleted."""
    game, options = GAMES[name]
    expected = reference(game, tmp_path / "one", **options)
    dice, damages = random.Random(3), []

    def damage(task, job):
        parts = sorted(tmp_path.glob("many.parts/*/*.part"))
        if parts and dice.random() < (0.4 if name == "numbered" else 0.1):
            path = dice.choice(parts)
            data, place = path.read_bytes(), 0
            place = dice.randrange(len(data))
            kind = dice.randrange(3)
            if kind == 2:
                path.unlink()
            else:
                path.write_bytes(data[:place] + (b"" if kind else bytes([data[place] ^ 255]) + data[place + 1 :]))
            damages.append(path.name)

    executor = InlineExecutor(3, damage)
    solve_inline(game, tmp_path / "many", executor, **options)
    assert (tmp_path / "many").read_bytes() == expected
    assert len(damages) >= 2
    if name == "stages":
        assert max(executor.run.values()) > 1


def test_parts_of_somebody_else_are_not_used(tmp_path):
    """A part with the right checksums and another key is made again; those who trust the storage share a key."""
    game = Stairs()
    expected = reference(game, tmp_path / "one")

    def stop(task, job):
        if task.kind == "evaluate":
            raise KeyboardInterrupt

    for trust, anew in ((True, False), (False, True)):
        with pytest.raises(KeyboardInterrupt):
            solve_inline(game, tmp_path / "many", InlineExecutor(3, stop), trust=True)
        executor = InlineExecutor(3)
        solve_inline(game, tmp_path / "many", executor, trust=trust)
        assert any(task.startswith("expand") for task in executor.run) == anew
        assert (tmp_path / "many").read_bytes() == expected
        (tmp_path / "many").unlink()


def test_fresh_begins_anew(tmp_path):
    def stop(task, job):
        if task.kind == "evaluate":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_inline(Stairs(), tmp_path / "many", InlineExecutor(3, stop))
    executor = InlineExecutor(3)
    solve_inline(Stairs(), tmp_path / "many", executor, fresh=True)
    assert any(task.startswith("expand") for task in executor.run)


def test_lost_tasks_are_repeated_with_more_room(tmp_path):
    expected = reference(Stairs(), tmp_path / "one")
    lost = set()

    def lose(task, job):
        if task.kind == "expand" and task not in lost:
            lost.add(task)
            return Outcome(MEMORY if task.part else LOST, "the node died")
        return None

    executor = InlineExecutor(3, lose)
    solve_inline(Stairs(), tmp_path / "many", executor)
    assert (tmp_path / "many").read_bytes() == expected
    assert all(executor.cpus[task] == 1 + bool(task.part) for task in lost)


def test_a_task_that_always_fails_is_a_sentence(tmp_path):
    with pytest.raises(GameError, match=r"the task evaluate-\d+-\d failed 8 times: its worker died"):
        solve_inline(
            Stairs(), tmp_path / "many",
            InlineExecutor(3, lambda task, job: Outcome(LOST, "its worker died") if task.kind == "evaluate" else None),
        )  # fmt: skip
    with pytest.raises(GameError, match="its worker has too little memory"):
        solve_inline(
            Stairs(), tmp_path / "many", InlineExecutor(3, lambda task, job: Outcome(MEMORY, OUT_OF_MEMORY)), fresh=True
        )


class Slide(Stairs):
    """Some moves stay in a stage, though play never repeats."""

    def stage(self, spot):
        return 0 if spot.game == 0 else spot.place // 4 + 1


def test_a_stage_that_moves_stay_in_is_not_divided(tmp_path):
    expected = reference(Slide(), tmp_path / "one")
    executor = InlineExecutor(3)
    solve_inline(Slide(), tmp_path / "many", executor)
    assert (tmp_path / "many").read_bytes() == expected
    assert {task for task in executor.run if task.startswith("evaluate")} <= {f"evaluate-{i}-0" for i in range(9)}


def test_storage_may_be_a_url(tmp_path):
    expected = reference(Stairs(), tmp_path / "one")
    solve_inline(Stairs(), tmp_path / "many", scratch="memory://somewhere")
    assert (tmp_path / "many").read_bytes() == expected


def test_two_drivers_do_not_share_a_folder(tmp_path):
    def another(task, job):
        with pytest.raises(GameError, match="in use"):
            solve_inline(Stairs(), tmp_path / "many")

    solve_inline(Stairs(), tmp_path / "many", InlineExecutor(3, another))


def test_errors_of_rules_are_sentences(tmp_path):
    class Back(Stairs):
        def stage(self, spot):
            return 30 - spot.place

    with pytest.raises(GameError, match="a move never leads to a lower stage"):
        solve_inline(Back(), tmp_path / "many")


@pytest.mark.slow
def test_play_that_repeats_is_an_error(tmp_path):
    class Endless(Rounds):
        loops = False

    with pytest.raises(GameError, match="repeats earlier states, although the game does not say loops = True"):
        solve_inline(Endless(), tmp_path / "endless")
