"""The memory of a solve: a limit that is kept, files for what does not fit, and the same solution whatever it is."""

import errno
import gc
import mmap
import os

import numpy as np
import pytest

import zermelo as z
from solve_games import Depths, Rounds, Sparse, Squares, Stairs, Turns
from zermelo.solving import memory_budget
from zermelo.solving.memory_budget import MemoryBudget, available_memory

KINDS = [Stairs(), Depths(), Rounds(), Squares(), Turns(), Sparse()]


@pytest.fixture
def tiny(monkeypatch):
    """Every array counts, and there is memory for hardly one."""
    monkeypatch.setattr(memory_budget, "SMALL", 0)
    monkeypatch.setattr(memory_budget, "MIN_BUDGET", 1 << 12)
    monkeypatch.setattr(memory_budget, "CHUNK", 1 << 16)


def test_arrays_beyond_the_limit_are_files(tiny, tmp_path):
    budget = MemoryBudget(1 << 13, tmp_path)
    first, second = budget.zeros(1000), budget.zeros(1000)
    assert (budget.in_memory, budget.on_disk) == (8000, 1 << 16)
    second[:] = np.arange(1000)
    assert second.sum() == 499_500
    assert list(tmp_path.iterdir()) == []  # the file has no name
    part = first[10:20]
    del first, second
    gc.collect()
    assert (budget.in_memory, budget.on_disk) == (8000, 1 << 16)  # a part of an array, and the file for the next one
    del part
    gc.collect()
    assert budget.in_memory == 0


def test_an_array_that_shrinks_gives_its_memory_back(tiny):
    budget = MemoryBudget(1 << 20)
    array = budget.zeros(1 << 15)
    array[:] = np.arange(1 << 15)
    assert budget.in_memory == 1 << 18
    array = budget.shrink(array, 1000)
    assert budget.in_memory == 2 * mmap.PAGESIZE
    assert array.tolist() == list(range(1000))
    del array
    gc.collect()
    assert budget.in_memory == 0


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_the_file_does_not_depend_on_the_memory(game, tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    z.solve(game, tmp_path / "much", threads=2)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    z.solve(game, tmp_path / "little", threads=2, memory=0.001, scratch=scratch)
    assert (tmp_path / "little").read_bytes() == (tmp_path / "much").read_bytes()
    assert list(scratch.iterdir()) == []


def test_arenas_that_are_full_are_merged(tiny, tmp_path, monkeypatch):
    from zermelo.solving.enumeration import successor_parts
    from zermelo.solving.retrograde import acyclic_pass

    collected, collect = [], successor_parts.SuccessorParts.collect
    monkeypatch.setattr(successor_parts.SuccessorParts, "collect", lambda self: collected.append(1) or collect(self))
    rounds, look_up = [], acyclic_pass._Evaluation.look_up
    monkeypatch.setattr(acyclic_pass._Evaluation, "look_up", lambda self: rounds.append(1) or look_up(self))
    game = z.load("connect_four(5,4)")
    expected = z.solve(game, threads=2)
    once, at_once = len(collected), len(rounds)
    solution = z.solve(game, threads=2, memory=0.05, scratch=tmp_path)
    assert len(collected) > 3 * once
    assert len(rounds) > 3 * at_once
    assert solution.header.counts == expected.header.counts
    assert solution.value() == expected.value()


@pytest.mark.parametrize("into_file", [False, True])
def test_after_enumeration_its_arenas_are_free(into_file, tmp_path, monkeypatch):
    """Where play repeats, the backward pass needs the memory, and must not wait for a search for garbage."""
    from zermelo.solving import solver

    counted = []
    analyse = solver.Solver._analyse

    def counting(self, stage, keys):
        counted.append((self.budget.in_memory, len(keys)))
        return analyse(self, stage, keys)

    monkeypatch.setattr(solver.Solver, "_analyse", counting)
    gc.disable()
    try:
        z.solve(Rounds(), tmp_path / "file" if into_file else None)
    finally:
        gc.enable()
    assert counted
    assert not [both for both in counted if both[0] > 8 * both[1]]


def test_a_scratch_folder_that_is_not_there(tmp_path):
    with pytest.raises(z.GameError, match=r"solve of Stairs\(\): the scratch folder .*none is not there"):
        z.solve(Stairs(), scratch=tmp_path / "none")


def test_a_full_disk_is_a_sentence(tiny, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(z.FileError, match=r"cannot be used as scratch space for .*: no space left on device"):
        z.solve(Stairs(), memory=0.001, scratch=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("memory", ["much", 0, -1, "2TB", True])
def test_a_memory_that_is_none(memory):
    with pytest.raises(z.GameError, match=r"solve of Stairs\(\): memory must be a size of memory"):
        z.solve(Stairs(), memory=memory)


@pytest.mark.parametrize(
    "names", [("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")]
)
def test_the_limit_of_a_control_group_counts(names, tmp_path, monkeypatch):
    monkeypatch.setattr(memory_budget, "CGROUP", tmp_path)
    assert available_memory() > 1 << 20
    for name, text in zip(names, ("1000000\n", "400000\n"), strict=True):
        (tmp_path / name).write_text(text)
    assert available_memory() == 600_000
    (tmp_path / "memory.stat").write_text("active_file 7\ninactive_file 100000\n")  # free as soon as it is needed
    assert available_memory() == 700_000
    (tmp_path / names[0]).write_text("max\n")
    assert available_memory() > 1 << 20
