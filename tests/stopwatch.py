"""Measures how long the program takes. Moments in which the machine stands still do not count: a thread that only sleeps
wakes up late then. Programs that only get less of the cores than they want are not noticed."""
import functools
import threading
import time

STEP = 0.02  # Seconds of a sleep.


class Sleeper:
    """A thread that only sleeps; it sums up how late it wakes."""

    def __init__(self):
        self._lock = threading.Lock()
        self._late = 0.0
        self._due = time.monotonic() + STEP
        threading.Thread(target=self._sleep, daemon=True).start()

    def _sleep(self):
        while True:
            time.sleep(STEP)
            with self._lock:
                now = time.monotonic()
                self._late += max(0.0, now - self._due)
                self._due = now + STEP

    def late(self):
        """Also what it is late by at this moment: the thread that asks may wake first."""
        with self._lock:
            return self._late + max(0.0, time.monotonic() - self._due)


@functools.cache
def sleeper():
    return Sleeper()


class Stopwatch:
    """Runs from its creation on."""

    def __init__(self):
        self._late = sleeper().late()
        self._begun = time.monotonic()

    def withheld(self):
        """Seconds so far in which the machine did not let this process work."""
        return sleeper().late() - self._late

    def seconds(self):
        """All others."""
        return time.monotonic() - self._begun - self.withheld()
