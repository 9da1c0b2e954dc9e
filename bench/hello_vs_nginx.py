#!/usr/bin/env python3
"""The cost of a small response over keep-alive, compared with nginx serving a static file of the same size:

    bench/hello_vs_nginx.py [--rounds 7] [--seconds 3] [--connections 32]

Both servers run with one loop, pinned to the first core; the load generator (wrk) is pinned to the second.
They take turns, so that other load affects both. The figure is CPU time per request, user and system
together, from /proc; medians of all rounds. It is measured twice: with a log line per request, to a file, and
without. nginx is measured twice, too: in a usual configuration, and tuned for small files. Fails if Parley
costs more than 2.2 times the cheaper of them, all logging, or if a peer is missing."""
import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile

from contenders import NginxFiles, Parley, missing_tools, version_of, wrk

BAR = 2.2


def measure(contender, options):
    """Microseconds of processor time per request, and requests per second."""
    before = contender.cpu_seconds()
    requests, seconds = wrk(contender.url, options.connections, options.seconds, core=1)
    used = contender.cpu_seconds() - before
    return used / requests * 1e6, requests / seconds


def compare(title, contenders, options):
    """Measures the contenders in turns; returns the cost of the first relative to the cheapest other."""
    figures = {contender: [] for contender in contenders}
    for contender in contenders:
        wrk(contender.url, options.connections, 1, core=1)  # Warm-up.
    for number in range(options.rounds):
        order = contenders if number % 2 == 0 else contenders[::-1]
        for contender in order:
            figures[contender].append(measure(contender, options))
    costs = {}
    print(title)
    for contender, rounds in figures.items():
        cost, rate = (statistics.median(column) for column in zip(*rounds))
        least, most = min(rounds)[0], max(rounds)[0]
        costs[contender] = cost
        print(f"  {contender.name:12} {cost:6.2f} µs CPU per request ({least:.2f} to {most:.2f})"
              f"   {rate:9,.0f} requests/s")
    ours, *theirs = contenders
    for peer in theirs:
        print(f"  {ours.name} / {peer.name} = {costs[ours] / costs[peer]:.2f}")
    return costs[ours] / min(costs[peer] for peer in theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()

    lacking = missing_tools("nginx", "wrk", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")

    print(f"nginx {version_of('nginx')}, wrk {version_of('wrk')}, {Parley.version()}; "
          f"{options.rounds} rounds of {options.seconds} s, {options.connections} connections")
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        for logging in (True, False):
            title = "With a log line per request:" if logging else "Without logs:"
            place = pathlib.Path(folder) / ("logging" if logging else "silent")
            place.mkdir()
            with contextlib.ExitStack() as stack:
                parley = stack.enter_context(Parley(place, logging, core=0))
                peers = [stack.enter_context(NginxFiles(place, logging, parley.body(), 0, tuned))
                         for tuned in (False, True)]
                print()
                for contender in (parley, *peers):
                    print(f"{contender.name:12} {contender.command}")
                ratios[logging] = compare(title, [parley, *peers], options)
    passed = ratios[True] <= BAR
    print(f"\n{'passed' if passed else 'FAILED'}: {ratios[True]:.2f} times nginx, "
          f"at most {BAR} is the bar ({ratios[False]:.2f} without logs)")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
