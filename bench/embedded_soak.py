#!/usr/bin/env python3
"""Long-term use of the embedded model: constant memory, and no lost run.

    bench/embedded_soak.py [--minutes 30] [--clients 8]

The clients use all ways to ask: plain, streamed, streamed with a disconnect and resumption, in the
background, cancelled, through OpenAI's API, in new and old sessions, with long and short questions; and they
delete sessions. Every accepted run must have ended correctly, and its streams must match the stored answer.
Resident memory may grow by 5% from the end of the first third, when all caches are full, to the end; the
prompt cache is small enough for that."""
import argparse
import collections
import http.client
import json
import random
import statistics
import sys
import threading
import time

import house

GROWTH_BAR = 1.05
MODEL = "smollm2-135m"
ASKED = ("What is the capital of France?", "Say hello.", "Name three colours.",
         "Tell a story of a sailor. " * 40)


class Lost(Exception):
    """An expected result is missing."""


def expect(is_so, what):
    if not is_so:
        raise Lost(what)


class Client:
    """A client that asks in one way after the other."""

    def __init__(self, home, token, number):
        self.address, self.token = home.server.address, token
        self.chance = random.Random(number)
        self.sessions = []
        self.done = collections.Counter()
        self.ways = [self.plain, self.streamed, self.left_and_resumed, self.background,
                     self.cancelled, self.completion, self.delete]

    def open(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(*self.address, timeout=600)
        connection.request(method, path, None if body is None else json.dumps(body), {
            "Authorization": "Bearer " + self.token, "Content-Type": "application/json",
            **(headers or {})})
        return connection, connection.getresponse()

    def ask(self, method, path, body=None, wanted=200):
        connection, response = self.open(method, path, body)
        text = response.read()
        connection.close()
        expect(response.status == wanted, f"{method} {path}: {response.status} {text[:300]!r}")
        return json.loads(text) if text else None

    def question(self, **more):
        in_old_session = self.sessions and self.chance.random() < 0.6
        return {"message": self.chance.choice(ASKED),
                "max_output_tokens": self.chance.choice((4, 16, 48)),
                **({"session_id": self.chance.choice(self.sessions)} if in_old_session else {}),
                **more}

    def keep(self, run, status="completed"):
        """The expected state of every run at the end."""
        run = self.ask("GET", f"/v1/api/chat/runs/{run['id']}")
        expect(run["status"] == status, f"{run['id']} is {run['status']}: {run['error']}")
        if run["session_id"] not in self.sessions:
            self.sessions.append(run["session_id"])
        return "".join(part["text"] for part in run["message"]["content"]) if run["message"] else ""

    def plain(self):
        self.keep(self.ask("POST", "/v1/api/chat/query", self.question()))

    def events(self, response, last=0, leave_after=None):
        """The data of the events up to the last one, or of the first ones; each number once."""
        found = []
        while line := response.readline():
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[6:])
            expect(event["sequence_number"] == last + len(found) + 1, f"a gap before {event}")
            found.append(event)
            if leave_after and len(found) >= leave_after:
                break
        return found

    def streamed(self, leave_after=None):
        connection, response = self.open("POST", "/v1/api/chat/query", self.question(stream=True))
        expect(response.status == 200, f"a stream was refused: {response.status}")
        events = self.events(response, leave_after=leave_after)
        connection.close()
        run = events[0]["run"]
        if events[-1]["type"].startswith("run.") and len(events) > 1:
            return self.told(events, run)
        expect(leave_after, f"the stream of {run['id']} was cut")
        connection, response = self.open("GET", f"/v1/api/chat/runs/{run['id']}/events",
                                         headers={"Last-Event-ID": str(len(events))})
        events += self.events(response, last=len(events))
        connection.close()
        return self.told(events, run)

    def told(self, events, run):
        expect(events[-1]["type"] == "run.completed", f"{run['id']}: {events[-1]['type']}")
        text = "".join(event["delta"]["text"] for event in events if event["type"] == "message.delta")
        expect(text == self.keep(run), f"{run['id']}: its stream told something else")

    def left_and_resumed(self):
        self.streamed(leave_after=self.chance.randrange(1, 8))

    def ended_in_background(self, cancel=False):
        run = self.ask("POST", "/v1/api/chat/query", self.question(background=True), 202)
        if cancel:
            self.ask("POST", f"/v1/api/chat/runs/{run['id']}/cancel")
        deadline = time.monotonic() + 600
        while self.ask("GET", f"/v1/api/chat/runs/{run['id']}")["status"] in ("queued", "running"):
            expect(time.monotonic() < deadline, f"{run['id']} does not end")
            time.sleep(0.3)
        return run

    def background(self):
        self.keep(self.ended_in_background())

    def cancelled(self):
        run = self.ended_in_background(cancel=True)
        status = self.ask("GET", f"/v1/api/chat/runs/{run['id']}")["status"]
        expect(status in ("cancelled", "completed"), f"{run['id']} is {status}")

    def completion(self):
        answer = self.ask("POST", "/v1/chat/completions", {
            "messages": [{"role": "user", "content": self.chance.choice(ASKED)}], "max_tokens": 16})
        expect(answer["choices"][0]["message"]["content"], "an empty completion")

    def delete(self):
        if len(self.sessions) > 5:
            self.ask("DELETE", f"/v1/api/chat/sessions/{self.sessions.pop(0)}", wanted=204)

    def go_on(self, end, faults):
        try:
            while time.monotonic() < end and not faults:
                way = self.chance.choice(self.ways)
                way()
                self.done[way.__name__] += 1
        except Exception as fault:  # pylint: disable=broad-except
            faults.append(f"{type(fault).__name__}: {fault}")


def watch(home, end, faults):
    """Records resident memory every ten seconds."""
    seen, begun = [], time.monotonic()
    while time.monotonic() < end and not faults:
        time.sleep(10)
        seen.append(house.resident_bytes(home.pid))
        if len(seen) % 6 == 0:
            print(f"  {time.monotonic() - begun:5.0f} s  {seen[-1] / 2**20:8.1f} MiB  "
                  f"{house.open_files(home.pid)} files", flush=True)
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=8)
    options = parser.parse_args()
    with house.House(settings=[f"model.default={MODEL}", f"models.{MODEL}.context=4096",
                               f"models.{MODEL}.cache_mib=256"]) as home:
        print(f"{home.version}; {options.clients} clients for {options.minutes:g} minutes")
        clients = [Client(home, token, number)
                   for number, token in enumerate(home.tokens(options.clients))]
        end, faults = time.monotonic() + options.minutes * 60, []
        threads = [threading.Thread(target=client.go_on, args=(end, faults)) for client in clients]
        for thread in threads:
            thread.start()
        seen = watch(home, end, faults)
        for thread in threads:
            thread.join()
    done = sum((client.done for client in clients), collections.Counter())
    print("  " + ", ".join(f"{name} {count}" for name, count in sorted(done.items())))
    if faults:
        sys.exit("FAILED: " + faults[0])
    if len(seen) < 12:
        sys.exit("too short to tell")
    third, tail = len(seen) // 3, len(seen) // 10
    growth = statistics.median(seen[-tail:]) / statistics.median(seen[third:third + tail])
    passed = growth <= GROWTH_BAR
    print(f"{'passed' if passed else 'FAILED'}: no run was lost; memory is {growth:.3f} of what it was "
          f"after a third of the time; the bar is {GROWTH_BAR}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
