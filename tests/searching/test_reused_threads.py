"""Threads that are used again: one after another they do all jobs, errors included, and a fork starts without them."""

import os
import threading

import pytest

from zermelo.searching.runtime.reused_threads import start_thread


def test_a_thread_that_is_idle_is_used_again():
    seen = []
    for number in range(20):
        running = start_thread(lambda number=number: seen.append((number, threading.get_ident())), "job")
        running.join()
        assert not running.is_alive()
    assert [number for number, _ in seen] == list(range(20))
    assert len({ident for _, ident in seen}) < 20


def test_jobs_run_at_once_and_have_their_names():
    go, together, names = threading.Event(), threading.Barrier(4), []

    def job():
        names.append(threading.current_thread().name)
        together.wait(20)
        go.wait(20)

    jobs = [start_thread(job, f"job {number}") for number in range(3)]
    together.wait(20)
    assert sorted(names) == ["job 0", "job 1", "job 2"]
    assert all(job.is_alive() for job in jobs)
    go.set()
    for job in jobs:
        job.join(20)
        assert not job.is_alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_ends_the_job_only():
    def fail():
        raise KeyError("nothing")

    failing = start_thread(fail, "failing")
    failing.join(20)
    assert not failing.is_alive()
    done = []
    start_thread(lambda: done.append(1), "next").join(20)
    assert done == [1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_copy_of_the_process_has_its_own():
    start_thread(lambda: None, "warm").join()
    child = os.fork()
    if child == 0:
        done = []
        running = start_thread(lambda: done.append(1), "child")
        running.join(20)
        os._exit(0 if done == [1] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
