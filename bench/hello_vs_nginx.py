#!/usr/bin/env python3
"""The cost of a small response over keep-alive, compared with nginx serving a static file of the same size:

    bench/hello_vs_nginx.py [--rounds 7] [--seconds 3] [--connections 32] [--silent]

Both servers run with one loop, pinned to the first core; the load generator (wrk) is pinned to the second. They take
turns, so that other load affects both. The figure is CPU time per request, user and system together, from /proc, with a
log line per request, to a file; with --silent also without. nginx is measured twice: in a usual configuration, and
tuned for small files."""
import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile

import results
from contenders import NginxFiles, Parley, missing_tools, version_of, wrk

ROW = "B0/hello"


def measure(contender, options):
    """Microseconds of processor time per request, and requests per second."""
    before = contender.cpu_seconds()
    requests, seconds = wrk(contender.url, options.connections, options.seconds, core=1)
    used = contender.cpu_seconds() - before
    return used / requests * 1e6, requests / seconds


def compare(contenders, options, row):
    """Measures the contenders in turns, for a row of the table if one is given."""
    rates = {contender: [] for contender in contenders}
    for contender in contenders:
        wrk(contender.url, options.connections, 1, core=1)  # Warm-up.
    for number in range(options.rounds):
        for contender in contenders if number % 2 == 0 else contenders[::-1]:
            cost, rate = measure(contender, options)
            rates[contender].append(rate)
            if row:
                results.record(row, contender.name, cost, number)
            print(f"  {number + 1}. {contender.name:12} {cost:6.2f} µs CPU per request", flush=True)
    for contender, values in rates.items():
        print(f"  {contender.name:12} {statistics.median(values):9,.0f} requests/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--silent", action="store_true", help="measure without logs, too")
    options = parser.parse_args()

    lacking = missing_tools("nginx", "wrk", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")

    print(f"{options.rounds} rounds of {options.seconds} s, {options.connections} connections")
    results.used("wrk", version_of("wrk"))
    with tempfile.TemporaryDirectory() as folder:
        for logging in (True, False) if options.silent else (True,):
            place = pathlib.Path(folder) / ("logging" if logging else "silent")
            place.mkdir()
            with contextlib.ExitStack() as stack:
                parley = stack.enter_context(Parley(place, logging, core=0))
                peers = [stack.enter_context(NginxFiles(place, logging, parley.body(), 0, tuned))
                         for tuned in (False, True)]
                print("With a log line per request:" if logging else "Without logs:")
                if logging:
                    for each in (parley, *peers):
                        results.used(each.name, Parley.version() if each is parley else version_of("nginx"), each.command)
                compare([parley, *peers], options, ROW if logging else None)
    sys.exit(results.verdict(ROW))


if __name__ == "__main__":
    main()
