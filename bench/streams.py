#!/usr/bin/env python3
"""The cost and the punctuality of many simultaneous event streams:

    bench/streams.py [--streams 2000] [--words 1200] [--delay-ms 50]
    bench/streams.py --logins 50 [--streams 100]
    bench/streams.py --soak MINUTES [--streams 200]

First: all streams are requested at once, and one thread of this program reads them to their end. Every event
must be there, in order, with the right word. The delay of an event is its time less the time of its stream's
first event, less the pace times its number; and, stricter, relative to the most punctual event of its stream.
Delays of the reader count as well: if it was busy most of the time, the figures show the reader. Fails if an
event is missing.

--logins: the gaps between the events of a stream (p99), with and without this many logins at once, in turns.

--soak: clients that connect, disconnect in the middle or stay to the end, and connect again. Prints resident
memory, open files and threads over time. Fails if they grow by more than 5% from the end of the first third
to the end."""
import argparse
import gc
import itertools
import multiprocessing
import random
import socket
import statistics
import sys
import time

import event_streams
import house
import people
import program
import results

GAPS = "B11/logins"
GROWTH_BAR = 1.05
USERS = 20


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def open_streams(home, tokens, options, count, words):
    """This many streams, requested at once."""
    made = [event_streams.Stream(home.server.address, token, words, options.delay_ms)
            for token in itertools.islice(itertools.cycle(tokens), count)]
    crowd = event_streams.Crowd()
    for stream in made:
        crowd.add(stream)
    return crowd, made


def wait_until_all_talk(crowd, streams):
    deadline = time.monotonic() + 60
    while not crowd.faults and not all(stream.arrivals for stream in streams):
        if time.monotonic() > deadline:
            silent = sum(not stream.arrivals for stream in streams)
            sys.exit(f"FAILED: {silent} of {len(streams)} streams have no event after 60 s")
        crowd.read_for(0.2)


def report_faults(crowd):
    for fault in crowd.faults[:5]:
        print(f"  {fault[:500]}")
    if crowd.faults:
        sys.exit(f"FAILED: {len(crowd.faults)} streams were not as they should be")


def report_lateness(name, values):
    print(f"  {name:38} p50 {percentile(values, 0.5) * 1e3:8.2f} ms   "
          f"p99 {percentile(values, 0.99) * 1e3:8.2f} ms   "
          f"p99.9 {percentile(values, 0.999) * 1e3:8.2f} ms   most {max(values) * 1e3:8.2f} ms")


def measure_streams(home, options):
    tokens = home.tokens(USERS)
    crowd, streams = open_streams(home, tokens, options, min(50, options.streams), 20)  # Warm-up.
    crowd.read_for(30)
    report_faults(crowd)

    before = house.resident_bytes(home.pid)
    begun = time.monotonic()
    crowd, streams = open_streams(home, tokens, options, options.streams, options.words)
    wait_until_all_talk(crowd, streams)
    report_faults(crowd)
    steady = time.monotonic()
    cpu, own_cpu = house.processor_seconds(home.pid), time.process_time()
    length = options.words * options.delay_ms / 1000
    # While all of them run: the first to begin is the first to end.
    crowd.read_for(max(0.5, length - (steady - begun) - 1))
    seconds = time.monotonic() - steady
    cpu = house.processor_seconds(home.pid) - cpu
    own_cpu = time.process_time() - own_cpu
    resident = house.resident_bytes(home.pid)
    crowd.read_for(length + 30)
    report_faults(crowd)
    if crowd.streams:
        sys.exit(f"FAILED: {len(crowd.streams)} streams do not end")

    events = sum(steady <= at < steady + seconds for stream in streams for at in stream.arrivals)
    loose, strict = [], []
    for stream in streams:
        lateness = [late for late, at in zip(stream.lateness(), stream.arrivals) if at >= steady]
        loose += lateness
        earliest = min(stream.lateness())
        strict += [late - earliest for late in lateness]
    print(f"  {len(streams)} streams of {options.words} words, all talked after "
          f"{steady - begun:.2f} s; every event came, in order")
    report_lateness("late, against the first event", loose)
    report_lateness("late, against the most punctual one", strict)
    print(f"  server: {100 * cpu / seconds:.1f}% of a core, {cpu / max(1, events) * 1e6:.1f} µs per "
          f"event at {events / seconds:,.0f} events/s")
    print(f"  memory: {before / 2**20:.1f} MiB before, {resident / 2**20:.1f} MiB with them: "
          f"{(resident - before) / len(streams) / 1024:.2f} KiB per stream; "
          f"{house.resident_bytes(home.pid) / 2**20:.1f} MiB after them")
    print(f"  the reader was busy for {100 * own_cpu / seconds:.0f}% of the time")
    print("passed: no event was lost")


def login_again_and_again(address, token, count, gate, done):
    """A process: while the gate is open, keeps this many logins active. Reports how many succeeded, and how
    many were refused."""
    requests = [house.request("POST", "/auth/login", token, {
        "username": f"guest{number}", "password": people.password_of(f"guest{number}")})
        for number in range(count)]
    while True:
        gate.wait()
        waiting = [socket.create_connection(address) for _ in requests]
        answered = refused = 0
        while gate.is_set():
            for connection, text in zip(waiting, requests):
                connection.sendall(text)
            for connection in waiting:
                answer = whole_response(connection)
                answered += answer.startswith(b"HTTP/1.1 200 ")
                refused += not answer.startswith(b"HTTP/1.1 200 ")
        for connection in waiting:
            connection.close()
        done.put((answered, refused))


def whole_response(connection):
    """Reads a response with a Content-Length."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536) or b"\r\n\r\n"
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"\r\ncontent-length: ")[2].split(b"\r\n")[0] or b"0")
    while len(body) < length and (more := connection.recv(65536)):
        body += more
    return head


def gaps_between(streams, begin, end):
    return [late - soon for stream in streams
            for soon, late in zip(stream.arrivals, stream.arrivals[1:]) if begin <= soon < end]


def measure_logins(home, options):
    tokens = home.tokens(USERS)
    for number in range(options.logins):
        home.add(f"guest{number}")
    gate, done = multiprocessing.Event(), multiprocessing.Queue()
    others = multiprocessing.Process(
        target=login_again_and_again, daemon=True,
        args=(home.server.address, home.client_token, options.logins, gate, done))
    others.start()
    needed = (options.seconds * 2 + 3) * options.rounds + 5
    crowd, streams = open_streams(home, tokens, options, options.streams,
                                  min(20_000, int(needed * 1000 / options.delay_ms)))
    wait_until_all_talk(crowd, streams)
    crowd.read_for(1)
    quiet, busy, logins, refusals = [], [], 0, 0
    for _ in range(options.rounds):
        quiet.append(time.monotonic())
        crowd.read_for(options.seconds)
        gate.set()
        busy.append(time.monotonic())
        crowd.read_for(options.seconds)
        gate.clear()
        while done.empty() and others.is_alive():  # Waits for the last logins, so that the next round is quiet.
            crowd.read_for(0.1)
        answered, refused = done.get()
        logins, refusals = logins + answered, refusals + refused
    others.terminate()
    report_faults(crowd)
    # A gap counts for the time in which it began; one that began at the end may not be over.
    alone, beside = ([percentile(gaps_between(streams, begin, begin + options.seconds - 0.2), 0.99)
                      for begin in begins] for begins in (quiet, busy))
    for number, (with_, without) in enumerate(zip(beside, alone)):
        results.record(GAPS, results.PARLEY, with_ * 1e3, number)
        results.record(GAPS, "without logins", without * 1e3, number)
    print(f"  {options.streams} streams, {options.rounds} rounds of {options.seconds} s each way; "
          f"{logins} logins, {options.logins} at a time, and {refusals} refused")
    for name, values in (("without logins", alone), ("with logins", beside)):
        print(f"  p99 gap {name:15} {statistics.median(values) * 1e3:7.2f} ms   "
              + ", ".join(f"{value * 1e3:.2f}" for value in values))
    if not logins:
        sys.exit("FAILED: no login succeeded")
    sys.exit(results.verdict(GAPS))


def soak(home, options):
    tokens = home.tokens(USERS)
    crowd = event_streams.Crowd()
    chance = random.Random(7)
    done = left = events = 0
    seen = []

    def come():
        stream = event_streams.Stream(home.server.address, chance.choice(tokens),
                                      chance.choice((1, 20, 100, 400)),
                                      chance.choice((0, 5, 20, 50)))
        stream.leaves_after = chance.randrange(stream.words) if chance.random() < 0.3 else None
        crowd.add(stream)

    begun = time.monotonic()
    end, next_line = begun + options.soak * 60, begun + 10
    print("  seconds    RSS MiB  files  threads   streams ended    left     events")
    while (now := time.monotonic()) < end:
        while len(crowd.streams) < options.streams:
            come()
        for stream in crowd.read_for(0.1):
            done += 1
            events += len(stream.arrivals)
        for stream in list(crowd.streams.values()):
            if stream.leaves_after is not None and len(stream.arrivals) >= stream.leaves_after:
                left += 1
                events += len(stream.arrivals)
                crowd.remove(stream)
        if now >= next_line:
            next_line += 10
            figures = (house.resident_bytes(home.pid), house.open_files(home.pid),
                       house.threads(home.pid))
            seen.append(figures)
            print(f"  {now - begun:7.0f} {figures[0] / 2**20:10.1f} {figures[1]:6} {figures[2]:8} "
                  f"{done:15,} {left:7,} {events:10,}", flush=True)
    report_faults(crowd)
    if len(seen) < 6:
        sys.exit("too short to tell")
    passed = True
    tail = max(1, len(seen) // 10)
    for name, values in zip(("RSS", "open files", "threads"), zip(*seen)):
        third = len(values) // 3
        growth = statistics.median(values[-tail:]) / statistics.median(values[third:third + tail])
        passed = passed and growth <= GROWTH_BAR
        print(f"  {name}: {growth:.3f} of what it was after a third of the time")
    print(f"{'passed' if passed else 'FAILED'}: at most {GROWTH_BAR} is the bar")
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int)
    parser.add_argument("--words", type=int, default=1200)
    parser.add_argument("--delay-ms", type=int, default=50)
    parser.add_argument("--logins", type=int, metavar="AT_ONCE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="of each half of a round")
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    parser.add_argument("--folder", help="for the server's data; a temporary one by default")
    parser.add_argument("--set", action="append", default=[], help="a setting, KEY=VALUE")
    options = parser.parse_args()
    options.streams = options.streams or (100 if options.logins else 200 if options.soak else 2000)

    program.allow_many_descriptors()
    gc.disable()  # A pause of the reader would look like one of the server.
    with house.House(options.folder, options.set) as home:
        results.used(home.server.name, home.version, home.server.command)
        if options.logins:
            measure_logins(home, options)
        elif options.soak:
            gc.enable()
            passed = soak(home, options)
        else:
            measure_streams(home, options)
            passed = True
    sys.exit(not passed)


if __name__ == "__main__":
    main()
