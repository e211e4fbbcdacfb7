"""Memory that grows in place: one address, counted in the budget, and files where that ends."""

import os
import subprocess
import sys

import numpy as np
import pytest

from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MIN_BUDGET, MemoryBudget


def test_it_grows_in_place_and_keeps_what_it_holds():
    budget = MemoryBudget(MIN_BUDGET)
    memory = GrowingMemory(budget, MIN_BUDGET)
    small = memory.words(1 << 18)
    small[5] = 7
    large = memory.words(1 << 20)
    assert (small.address, large[5], len(large)) == (large.address, 7, 1 << 20)
    assert budget.in_memory == memory.held == 8 << 20
    assert len(memory.words(10)) == 10
    assert budget.in_memory == 8 << 20


def test_more_than_was_reserved_is_new_memory():
    budget = MemoryBudget(MIN_BUDGET)
    memory = GrowingMemory(budget, 1 << 21)
    before = memory.words(1 << 18)
    after = memory.words(1 << 20)
    assert before.address != after.address
    assert budget.in_memory == memory.held + (2 << 20)
    del before
    assert budget.in_memory == memory.held == 8 << 20


def test_what_the_budget_does_not_allow_is_in_a_file(tmp_path):
    budget = MemoryBudget(MIN_BUDGET, tmp_path)
    memory = GrowingMemory(budget, MIN_BUDGET)
    words = memory.words(2 * MIN_BUDGET // 8)
    assert (budget.in_memory, memory.held) == (0, 0)
    assert budget.on_disk >= 2 * MIN_BUDGET
    assert not words.array.any()


def test_what_can_be_read_again_makes_room():
    budget = MemoryBudget(MIN_BUDGET)
    kept = [budget.zeros(MIN_BUDGET // 8)]
    budget.relieve = lambda size: kept.clear()
    memory = GrowingMemory(budget, 0)
    assert len(memory.words(1 << 20)) == 1 << 20
    assert (budget.in_memory, budget.on_disk) == (8 << 20, 0)


def test_released_memory_is_counted_no_more():
    budget = MemoryBudget(MIN_BUDGET)
    memory = GrowingMemory(budget, MIN_BUDGET)
    memory.words(1 << 20)
    memory.release()
    assert (budget.in_memory, memory.held) == (0, 0)
    assert np.all(memory.words(1 << 18).array == 0)


FORK = """
import os
from zermelo.solving.growing_memory import GrowingMemory
from zermelo.solving.memory_budget import MIN_BUDGET, MemoryBudget
machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
arenas = [GrowingMemory(MemoryBudget(MIN_BUDGET), int(0.6 * machine)) for _ in range(2)]
words = [arena.words(1 << 18) for arena in arenas]
child = os.fork()
if child == 0:
    os._exit(len(words))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_reserved_addresses_do_not_keep_a_process_from_forking():
    ran = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("2\n", "")
