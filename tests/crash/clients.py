"""Clients that write notes as fast as they are answered, in a separate process, and record all responses. It
takes its orders as lines of JSON on standard input:

    {"address": [host, port], "token": …, "clients": 16, "ledger": FILE, "seed": 7, …}
    {"stop": true}

and answers each order of the first kind with a line when its load has ended: because the server has ended,
because of "stop", or after "at_most" notes. With "kill", the client that receives the acknowledgement of that
number ends the server with SIGKILL, after a random delay."""
import json
import os
import pathlib
import random
import signal
import sys
import threading
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import ledger  # noqa: E402
import wire  # noqa: E402

PATIENCE = 120.0


class Load:
    """One order, from its start to its end."""

    def __init__(self, order):
        self.order = order
        self.stop = threading.Event()
        self.deadline = time.monotonic() + PATIENCE
        self.ledger = open(order["ledger"], "a", encoding="utf-8", buffering=1)
        self.lock = threading.Lock()
        self.sent = self.acknowledged = 0
        self.faults = []
        self.threads = [threading.Thread(target=self._client, args=(client,))
                        for client in range(order["clients"])]

    def run(self):
        for thread in self.threads:
            thread.start()
        for thread in self.threads:
            thread.join()
        self.ledger.close()
        return {"sent": self.sent, "acknowledged": self.acknowledged, "faults": self.faults}

    def _client(self, client):
        chance = random.Random(f"{self.order['seed']} {client}")
        try:
            with wire.Connection(self.order["address"], timeout=PATIENCE) as connection:
                while self._may_go_on() and self._leave_note(connection, client, chance):
                    pass
        except OSError:
            pass  # The server ended before the connection was made.
        except Exception:  # The test must report every exception.
            with self.lock:
                self.faults.append(traceback.format_exc())

    def _may_go_on(self):
        if time.monotonic() > self.deadline:
            raise TimeoutError(f"the load has not ended after {PATIENCE} s")
        return not self.stop.is_set() and self.sent < self.order.get("at_most", 10**9)

    def _leave_note(self, connection, client, chance):
        """False if the server has ended, or refuses."""
        with self.lock:
            number = self.sent + self.order["first"]
            self.sent += 1
        note = ledger.write_note(chance, client, number)
        response = answer_to(connection, self.order["token"], note)
        kept = response is not None and response.status == 201
        entry = ledger.Entry(note, response.json() if kept else None,
                             response.status if response else None, time.monotonic())
        with self.lock:
            self.ledger.write(entry.line())
            self.acknowledged += kept
            is_the_one = kept and self.acknowledged == self.order.get("kill", {}).get("after")
        if is_the_one:
            time.sleep(chance.random() * 0.004)  # A random delay, to vary the moment.
            os.kill(self.order["kill"]["pid"], signal.SIGKILL)
        return kept


def answer_to(connection, token, note):
    """None if the server ended before it answered."""
    body = json.dumps({"note": note}, ensure_ascii=False).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        connection.send(wire.request_bytes("POST", "/v1/api/audit", headers, body))
        return connection.read_response("POST")
    except OSError as failure:
        if isinstance(failure, TimeoutError):
            raise
        return None
    except AssertionError as failure:
        if "the server closed" in str(failure):
            return None
        raise


def take_orders(kind):
    """Runs until the end of the input; each order starts a load of this kind."""
    load = None
    for line in sys.stdin:
        order = json.loads(line)
        if "stop" in order:
            load.stop.set()
            continue
        load = kind(order)
        threading.Thread(target=lambda load=load: print(json.dumps(load.run()), flush=True)).start()


if __name__ == "__main__":
    take_orders(Load)
