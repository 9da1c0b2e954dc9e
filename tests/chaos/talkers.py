"""Clients of servers to which disasters happen, in a separate process: they ask questions, read each answer to
its end over as many connections as it takes, follow the event log, and try to exceed a limit. They write
everything down (accounts.py). The order is a line of JSON on standard input; the end of the input ends them:

    {"address": [host, port], "token": …, "limited": …, "talkers": 6, "ledger": FILE, "seed": 7}"""
import dataclasses
import json
import pathlib
import random
import sys
import threading
import time
import traceback
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import accounts  # noqa: E402
import chats  # noqa: E402
import feeds  # noqa: E402
import wire  # noqa: E402

PATIENCE = 150.0  # Without any progress.
SILENCE = 25.0  # On one connection: a living one brings a ping every 15 s.
TEMPORARY = (429, 500, 502, 503, 504)  # 500 only of HAProxy.


class Load:
    """All clients, until `stop`."""

    def __init__(self, order):
        self.order = order
        self.server = types.SimpleNamespace(address=tuple(order["address"]))
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.ledger = open(order["ledger"], "a", encoding="utf-8", buffering=1)
        self.faults = []
        self.turns = 0
        self.talkers_are_done = threading.Event()

    def run(self):
        names = [f"talker {number}" for number in range(self.order["talkers"])]
        threads = [threading.Thread(target=self.guarded, args=(self._talk, name)) for name in names]
        threads += [threading.Thread(target=self.guarded, args=(self._ask_too_much, None)) for _ in range(2)]
        log = threading.Thread(target=self.guarded, args=(self._follow_log, None))
        for thread in [*threads, log]:
            thread.start()
        for thread in threads:
            thread.join()
        self.talkers_are_done.set()
        log.join()
        self.ledger.close()
        return {"turns": self.turns, "faults": self.faults}

    def note(self, entry):
        with self.lock:
            self.ledger.write(json.dumps(dataclasses.asdict(entry)) + "\n")

    def guarded(self, work, name):
        try:
            work(name)
        except Exception:  # pylint: disable=broad-exception-caught
            with self.lock:
                self.faults.append(f"{name}: {traceback.format_exc()}")
            print(json.dumps({"fault": self.faults[-1]}), flush=True)

    def _talk(self, name):
        chance = random.Random(f"{self.order['seed']} {name}")
        session = None
        while not self.stop.is_set():
            with self.lock:
                self.turns += 1
                key = f"{self.order['seed']}-{self.turns}"
            session = Question(self, chance, key, session).ask()
            if chance.random() < 0.3:
                session = None

    def _ask_too_much(self, _):
        request = wire.request_bytes("GET", "/v1/api/me", {"Authorization": "Bearer " + self.order["limited"]})
        while not self.stop.is_set():
            sent = time.monotonic()
            status = status_of(self.server.address, request)
            self.note(accounts.Asked("asked", sent, time.monotonic(), status))
            time.sleep(0.04)

    def _follow_log(self, _):
        """To the end of the last run."""
        last = 0
        while not self.talkers_are_done.is_set() or self._has_more(last):
            path = f"/events?types=chat.run.*&after={last}"
            try:
                with feeds.Feed(self.server, "GET", path, self.order["token"]) as feed:
                    feed.socket.settimeout(5)  # Pings are rarer: so it looks whether it is done.
                    while feed.response.status == 200 and (event := feed.next()):
                        assert event.number > last, (event.number, last)
                        last = event.number
                        self.note(accounts.Logged("logged", last, event.type, event.data["data"]["id"]))
            except (OSError, feeds.Cut):
                time.sleep(0.1)

    def _has_more(self, last):
        try:
            with wire.Connection(self.server.address) as connection:
                answer = connection.ask("GET", f"/v1/api/events?types=chat.run.*&after={last}&limit=1",
                                        {"Authorization": "Bearer " + self.order["token"]})
        except (OSError, AssertionError):  # The last disaster may not be over.
            return True
        if answer.status in TEMPORARY:
            time.sleep(0.1)
            return True
        assert answer.status == 200, answer.body
        return bool(answer.json()["data"])


def status_of(address, request):
    """None if it is unknown whether the request was executed."""
    try:
        with wire.Connection(address, timeout=5) as connection:
            connection.send(request)
            answer = connection.read_response()
            return answer and answer.status
    except OSError:
        return None
    except AssertionError as failure:
        if "the server closed" in str(failure):
            return None
        raise


class Stream:
    """The events of a run, as one reader sees them."""

    def __init__(self):
        self.events = []
        self.silence = 0.0
        self.connections = 0
        self._heard = time.monotonic()

    @property
    def last(self):
        return self.events[-1].number if self.events else 0

    @property
    def has_ended(self):
        return bool(self.events) and self.events[-1].is_last

    def check_patience(self, what):
        assert time.monotonic() - self._heard < PATIENCE, f"nothing new of {what} after {self.last}"

    def read(self, feed, until=None):
        """Up to the end, a number, or a cut."""
        self.connections += 1
        while event := feed.next():
            assert event.number == self.last + 1, (
                f"{event.frame} after {[each.frame for each in self.events[-2:]]}, on connection {self.connections}")
            now = time.monotonic()
            self.silence, self._heard = max(self.silence, now - self._heard), now
            self.events.append(event)
            if event.number == until:
                return


class Question:
    """One question with one key."""

    def __init__(self, load, chance, key, session):
        self.load = load
        self.chance = chance
        self.key = key
        self.words = chance.randint(5, 160)
        self.form = chance.choice(("stream", "stream", "plain", "background"))
        self.body = {"message": f"{{words:{self.words}}} {{delay_ms:25}}",
                     **({"session_id": session} if session else {}),
                     **({self.form: True} if self.form != "plain" else {})}
        self.stream = Stream()
        self.run = None

    def ask(self):
        """Returns the session."""
        cancel_at = self.chance.randint(2, 60) if self.chance.random() < 0.1 else None
        while self.run is None:
            self._attempt(self._begin)
        other = self._second_reader() if self.chance.random() < 0.3 else None
        if cancel_at:
            self._follow(self.stream, cancel_at)
            if not self.stream.has_ended:
                self._cancel()
        self._follow(self.stream)
        digests = [self._checked(self.stream, cancel_at)]
        if other:
            thread, stream = other
            thread.join()
            digests.append(self._checked(stream, cancel_at))
        run = self.stream.events[-1].data["run"]
        self.load.note(accounts.Turn("turn", self.key, self.words, self.run, run["status"], len(self.stream.events),
                                     digests, self.stream.silence, self.stream.connections))
        return run["session_id"]

    def _attempt(self, work):
        """As a client does that knows what may be repeated: everything, as questions have keys."""
        self.stream.check_patience(self.run or self.key)
        try:
            work()
        except (OSError, feeds.Cut):  # Also a timeout.
            time.sleep(0.05)

    def _feed(self, method, path, body=None, headers=None):
        feed = feeds.Feed(self.load.server, method, path, self.load.order["token"], body, headers)
        feed.socket.settimeout(SILENCE)
        return feed

    def _begin(self):
        with self._feed("POST", "/chat/query", self.body, {"Idempotency-Key": self.key}) as feed:
            response = feed.response
            if response.status in TEMPORARY:
                return time.sleep(0.1)
            assert response.status in (200, 202), (response.status, response.body)
            self.run = feed.run_id or response.json()["id"]
            if self.form == "stream":
                self.stream.read(feed)

    def _follow(self, stream, until=None):
        while not stream.has_ended and (until is None or stream.last < until):
            self._attempt(lambda: self._resume(stream, until))

    def _resume(self, stream, until):
        with self._feed("GET", f"/chat/runs/{self.run}/events?after={stream.last}") as feed:
            status = feed.response.status
            if status in TEMPORARY:
                return time.sleep(0.1)
            assert status == 200, (status, feed.response.body, self.run, stream.last)
            stream.read(feed, until)

    def _second_reader(self):
        stream = Stream()
        thread = threading.Thread(target=self.load.guarded, args=(lambda _: self._follow(stream), "second reader"))
        thread.start()
        return thread, stream

    def _cancel(self):
        def cancel():
            with self._feed("POST", f"/chat/runs/{self.run}/cancel") as feed:
                done.append(feed.response.status)
        done = []
        while not done or done[-1] in TEMPORARY:
            self._attempt(cancel)
        assert done[-1] in (200, 409), done  # 409: it has ended meanwhile.

    def _checked(self, stream, was_cancelled):
        events = feeds.check_events(stream.events)
        whole, written = chats.words(self.words), feeds.written(events)
        status = events[-1].data["run"]["status"]
        if was_cancelled and status == "cancelled":
            assert whole.startswith(written), self.run
        else:
            assert status == "completed" and written == whole, (self.run, status, written)
        return feeds.digest(events)


def main():
    load = Load(json.loads(sys.stdin.readline()))
    threading.Thread(target=lambda: (sys.stdin.read(), load.stop.set()), daemon=True).start()
    print(json.dumps(load.run()), flush=True)


if __name__ == "__main__":
    main()
