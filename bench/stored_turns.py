#!/usr/bin/env python3
"""The price of durability: whole turns with the embedded model, stored and synced, against the same turns that
nothing is kept of:

    bench/stored_turns.py [--rounds 9] [--streams 8] [--tokens 48]

A round asks as many streamed answers at once, stored and unstored in turns; which is first changes from round
to round. The figure is the median of the rounds' ratios of time, unstored to stored."""
import argparse
import sys
import time

import house
import results
from embedded_model import MODEL, THREADS, Parley, story
from streamed_answers import Answer, all_at_once

ROW = "B3/stored"


def seconds(target, options, number, store):
    """The time of a batch of turns, from the first request to the last end."""
    begin = time.perf_counter()
    answers = all_at_once(options.streams, lambda each: Answer(
        target, story(f"{number:03}{each:02}"), options.tokens, store=store))
    assert all(answer.times for answer in answers)
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--streams", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=48)
    options = parser.parse_args()
    settings = [f"model.default={MODEL}", f"models.{MODEL}.threads={THREADS}"]
    with house.House(settings=settings) as home:
        target = Parley(home)
        results.used(target.name, home.version, target.command)
        seconds(target, options, 999, False)  # Warm-up; loads the model.
        for number in range(options.rounds):
            for store in (True, False) if number % 2 else (False, True):
                took = seconds(target, options, 2 * number + store, store)
                results.record(ROW, target.name if store else "not stored", took, number)
                print(f"  {number + 1}. {'stored' if store else 'not stored':10} {took:6.2f} s for {options.streams} turns "
                      f"of {options.tokens} tokens", flush=True)
    sys.exit(results.verdict(ROW))


if __name__ == "__main__":
    main()
