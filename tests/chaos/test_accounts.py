"""The comparison of the ledger notices what it must, and so does that of the servers' memory."""
import time
import types

import accounts
import pytest
from accounts import Asked
from world import Memory

LIMIT, WINDOW = 10, 5


def asked(*times, status=200, took=0.01):
    return [Asked("asked", time, time + took, status) for time in times]


def spread(count, begin, end):
    return [begin + (end - begin) * number / count for number in range(count)]


def test_one_admission_too_many_is_seen():
    at_limit = asked(*spread(LIMIT, 100, 104))
    assert accounts.over_limit(at_limit, LIMIT, WINDOW, []) == 0
    assert accounts.over_limit(at_limit + asked(104.9), LIMIT, WINDOW, []) == 1
    assert accounts.over_limit(at_limit + asked(105.1), LIMIT, WINDOW, []) == 0


def test_a_slow_answer_proves_nothing():
    assert accounts.over_limit(asked(*spread(LIMIT, 100, 104)) + asked(103, took=4), LIMIT, WINDOW, []) == 0


def test_admissions_that_a_crash_has_lost_do_not_count():
    admitted = asked(*spread(LIMIT, 100, 104)) + asked(104.9)
    assert accounts.over_limit(admitted, LIMIT, WINDOW, [(104.5, 106)]) == 0
    assert accounts.over_limit(admitted, LIMIT, WINDOW, [(107, 109)]) == 1


def test_an_early_refusal_is_seen():
    refusal = asked(104.5, status=429)
    assert not accounts.refused_too_early(asked(*spread(LIMIT, 100, 104)) + refusal, LIMIT, WINDOW)
    assert accounts.refused_too_early(asked(*spread(LIMIT - 1, 100, 104)) + refusal, LIMIT, WINDOW)
    failed = asked(97, status=503)  # It may be admitted later, by a server that was stopped.
    assert not accounts.refused_too_early(asked(*spread(LIMIT - 1, 100, 104)) + failed + refusal, LIMIT, WINDOW)


class Database:
    """Has these runs, and no servers."""
    people = ()

    def __init__(self, *runs):
        self.runs = runs

    def query(self, _):
        return self.runs


def turn(run, *digests):
    return accounts.Turn("turn", run, 1, run, "completed", 3, list(digests or ["d"]), 0.1, 1)


@pytest.mark.parametrize("turns, stored, complaint", [
    ([turn("a"), turn("b")], ("a",), "acknowledged, and lost"),
    ([turn("a")], ("a", "b"), "executed twice"),
    ([turn("a"), turn("a")], ("a",), "one run for two questions"),
    ([turn("a", "d", "other")], ("a",), "different bytes")])
def test_lost_and_doubled_answers_are_seen(turns, stored, complaint):
    with pytest.raises(AssertionError, match=complaint):
        accounts.check_turns(turns, Database(*stored))
    accounts.check_turns([turn("a"), turn("b")], Database("a", "b"))


def test_growing_memory_is_seen():
    sizes = [100, 60, 60]
    servers = [types.SimpleNamespace(resident_bytes=lambda one=number: sizes[one] << 20) for number in range(3)]
    memory = Memory(types.SimpleNamespace(servers=servers), time.monotonic())
    memory.look()
    sizes[1] = 150
    memory.look()  # It has looked already.
    memory.end()
    memory.check()
    sizes[2] = 151
    memory.end()
    with pytest.raises(AssertionError, match="have grown"):
        memory.check()
