"""Open changed files, one after the other, and say what came of each: a sentence, a right answer, or something else.

A process of its own, since what must not happen would end it: `python hostile_worker.py KIND FIRST COUNT`.
"""

import contextlib
import json
import os
import random
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"

import hostile
import zermelo as z
from solve_games import Depths, Lots, Rooms, Squares, Stairs, Turns
from zermelo.solving import game_identity as identity
from zermelo.solving.storage import checkpoint, store

identity.FINGERPRINT_GAMES = 3  # files are made and read here alone
store.SAVE_INTERVAL = 0.0

GAMES = {
    "listed": lambda: hostile.interpreted("nim(piles=(2, 3))"),
    "chance": lambda: hostile.interpreted("pig(target=6)"),
    "four": lambda: z.load("connect_four(width=4, height=4)"),
    "stairs": Stairs,
    "depths": Depths,
    "squares": Squares,
    "lots": Lots,
    "turns": Turns,
    "rooms": Rooms,
}
SEARCHED = ("listed", "chance", "four")
"""Kinds that are searched as well: machine code of a search takes long to make."""

SAMPLE = 200
"""States whose values are compared."""


def told(value):
    return str(value), value.score


class Judge:
    """What a game's true values are, and what a file that may say anything is worth."""

    def __init__(self, kind):
        self.game = GAMES[kind]()
        self.searched = kind in SEARCHED
        values = list(z.solve(self.game).items())
        some = random.Random(1).sample(values, min(SAMPLE, len(values)))
        self.truth = {state: told(value) for state, value in some}

    def agrees(self, solution):
        """Whether no state has a wrong value: one that is not there is said not to be."""
        for state, true in self.truth.items():
            with contextlib.suppress(z.GameError):
                if told(solution.value(state)) != true:
                    return False
        return True

    def used(self, solution):
        """Ask a solution whatever can be asked."""
        solution.longest()
        solution.to_dict()
        str(solution)
        if self.searched:
            z.search(self.game, limit=z.Limit(depth=2), database=solution)
        elif self.game.native is None:
            solution.state_tables()

    def of(self, solution):
        """A lie that agrees with itself is one that verify finds."""
        if self.agrees(solution):
            self.used(solution)
            return "right"
        z.verify(solution, sample=0)
        return "WRONG, and verify finds nothing"

    def judged(self, ask):
        try:
            return self.of(ask())
        except z.GameError as error:
            return "sentence" if "\n" not in str(error) and len(str(error)) < 2000 else f"ODD SENTENCE: {error}"
        except Exception:
            return f"TRACEBACK {traceback.format_exc()}"


def databases(kind, folder):
    """Each change of a database, opened with all checks and without."""
    judge, whole, changed = Judge(kind), folder / "whole", folder / "changed"
    game = judge.game
    z.solve(game, whole)

    def change(seed):
        hostile.change_archive(whole, changed, seed)
        check = seed % 2 == 0
        return judge.judged(lambda: z.Solution.open(changed, game, check=check))

    return change


class Interrupted(Exception):
    pass


def interrupted(game, path, after):
    """Leave so many layers of a solve."""
    put, left = checkpoint.Checkpoint.put, [after]

    def limited(self, name, sections=(), /, **items):
        if left[0] == 0:
            raise Interrupted
        left[0] -= 1
        put(self, name, sections, **items)

    checkpoint.Checkpoint.put = limited
    try:
        z.solve(game, path)
    except Interrupted:
        return True
    finally:
        checkpoint.Checkpoint.put = put
    return False


def checkpoints(kind, folder):
    """Each change to the folder of a solve that was interrupted, which then goes on."""
    judge, whole, path = Judge(kind), folder / "whole", folder / "file"
    game = judge.game
    z.solve(game, whole)
    layers = 0
    moments = []
    while interrupted(game, folder / f"left{layers}", layers + 1):
        moments.append(folder / f"left{layers}.partial")
        layers += 1 + layers // 4  # not all of them, where there are many

    def change(seed):
        dice = random.Random(seed)
        shutil.rmtree(f"{path}.partial", ignore_errors=True)
        path.unlink(missing_ok=True)
        shutil.copytree(dice.choice(moments), f"{path}.partial")
        change_folder(Path(f"{path}.partial"), dice)

        def solved():
            solution = z.solve(game, path, trust=True)  # without, none of them would be looked at
            if path.read_bytes() != whole.read_bytes():
                z.verify(solution, sample=0)
            return solution

        return judge.judged(solved)

    return change


def change_folder(folder, dice):
    """Lose, swap, copy, cut or change a layer, or add a stray file."""
    layers = sorted(folder.glob("*.layer"))
    one, other = dice.choice(layers), dice.choice(layers)
    way = dice.choice(("lose", "lose", "swap", "copy", "cut", "change", "change", "stray", "identity"))
    if way == "lose":
        one.unlink()
    elif way == "swap":
        here, there = one.read_bytes(), other.read_bytes()
        one.write_bytes(there)
        other.write_bytes(here)
    elif way == "copy":
        name = dice.choice(("forward-000009", "solved-000099", "pending-000003", "forward-x", "copy", one.stem + "-2"))
        (folder / f"{name}.layer").write_bytes(one.read_bytes())
    elif way == "cut":
        one.write_bytes(one.read_bytes()[: dice.randrange(one.stat().st_size)])
    elif way == "change":
        changed = folder.parent / "layer"
        hostile.change_archive(one, changed, dice.random())
        changed.replace(one)
    elif way == "stray":
        name = dice.choice(("notes.txt", "forward-abc.layer", "x.layer", "-.layer", "solved-1.layer", "keys_0"))
        (folder / name).write_bytes(dice.choice((b"", b"hello", one.read_bytes())))
    else:
        changed = folder.parent / "layer"
        hostile.change_archive(folder / "identity", changed, dice.random())
        changed.replace(folder / "identity")


def main(what, first, count):
    """Each answer is a line, so that the last one tells where a process ended."""
    ways, _, kind = what.partition("-")
    with tempfile.TemporaryDirectory() as folder:
        change = {"database": databases, "checkpoint": checkpoints}[ways](kind, Path(folder))
        for seed in range(first, first + count):
            print(json.dumps([seed, change(seed)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
