"""Clients that chat as fast as they are answered, in a separate process, and record all responses (turns.py).
It takes its orders as clients.py does:

    {"address": [host, port], "token": …, "clients": 8, "ledger": FILE, "seed": 7, …}
    {"stop": true}

With "kill", the client that gets the frame or answer of that number ends the server with SIGKILL, after a
random delay; with "freeze", the server is stopped for a moment before. With "calmly", clients continue after
refusals, and end only at "stop"."""
import os
import pathlib
import random
import signal
import sys
import time
import traceback
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import clients  # noqa: E402
import feeds  # noqa: E402
import turns  # noqa: E402

FORMS = ("stream", "stream", "plain", "background")


class Chats(clients.Load):
    """One order, from its start to its end."""

    def __init__(self, order):
        super().__init__(order)
        self.server = types.SimpleNamespace(address=tuple(order["address"]))
        self.seen = 0
        self.killed = False

    def _client(self, client):
        chance = random.Random(f"{self.order['seed']} {client}")
        session = None
        try:
            while self._may_go_on():
                turn = self._take_turn(client, session, chance)
                with self.lock:
                    self.ledger.write(turn.line())
                if turn.status is not None and turn.status >= 400:
                    if not self.order.get("calmly"):
                        return
                    time.sleep(0.05)  # Like Retry-After, but sooner.
                elif turn.cut:
                    return
                else:
                    session = turn.run["session_id"] if chance.random() < 0.8 else None
        except Exception:  # The test must report every exception.
            with self.lock:
                self.faults.append(traceback.format_exc())

    def _take_turn(self, client, session, chance):
        with self.lock:
            number = self.sent + self.order["first"]
            self.sent += 1
        form = chance.choice(FORMS)
        body = {"message": turns.write_message(chance, client, number),
                **({"session_id": session} if session else {}),
                **({form: True} if form != "plain" else {})}
        turn = turns.Turn(f"{self.order['seed']}-{number}", body, None, None, "", True)
        try:
            self._ask(turn, chance)
            turn.cut = False
        except (feeds.Cut, ConnectionError):
            pass  # The server has ended during the request.
        except AssertionError as failure:
            if "the server closed" not in str(failure):
                raise
        return turn

    def _ask(self, turn, chance):
        with self._feed("POST", "/chat/query", turn.body, {"Idempotency-Key": turn.key}) as feed:
            self._read(turn, feed, chance)
        if turn.status == 202:
            with self._feed("GET", f"/chat/runs/{turn.run['id']}/events") as feed:
                self._read(turn, feed, chance)

    def _feed(self, method, path, body=None, headers=None):
        return feeds.Feed(self.server, method, path, self.order["token"], body, headers)

    def _read(self, turn, feed, chance):
        response = feed.response
        if (response.header("content-type") or "").startswith("text/event-stream"):
            if turn.status is None:
                turn.status = response.status
            while event := feed.next():
                turn.frames += event.frame.decode()
                if "run" in event.data:
                    turn.run = event.data["run"]
                self._count(chance)
            assert turn.has_ended, f"a stream without an end: {turn}"
            return
        turn.status = response.status
        if response.status < 300:
            turn.run = response.json()
            self._count(chance)

    def _count(self, chance):
        with self.lock:
            self.seen += 1
            self.acknowledged += 1
            kill = self.order.get("kill")
            is_the_one = kill and not self.killed and self.seen >= kill["after"]
            self.killed = self.killed or bool(is_the_one)
        if not is_the_one:
            return
        time.sleep(chance.random() * 0.004)  # A random delay, to vary the moment.
        if kill.get("freeze"):
            os.kill(kill["pid"], signal.SIGSTOP)
            time.sleep(chance.random() * 0.1)
        os.kill(kill["pid"], signal.SIGKILL)


if __name__ == "__main__":
    clients.take_orders(Chats)
