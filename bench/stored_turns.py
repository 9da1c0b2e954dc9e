#!/usr/bin/env python3
"""The price of durability: whole turns with the embedded model, stored and synced, against the same turns that
nothing is kept of:

    bench/stored_turns.py [--rounds 9] [--streams 8] [--tokens 48]

A round asks as many streamed answers at once, stored and unstored in turns; which is first changes from round
to round. The figure is the median of the rounds' ratios of time, unstored to stored. Fails below 0.90."""
import argparse
import statistics
import sys
import time

import house
from embedded_model import MODEL, THREADS, Parley, story
from streamed_answers import Answer, all_at_once

BAR = 0.90


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
        seconds(target, options, 999, False)  # Warm-up; loads the model.
        rounds = []
        for number in range(options.rounds):
            order = (True, False) if number % 2 else (False, True)
            rounds.append({store: seconds(target, options, 2 * number + store, store) for store in order})
        ratios = [each[False] / each[True] for each in rounds]
        low, ratio, high = statistics.quantiles(ratios, n=4)
        for store, name in ((True, "stored"), (False, "unstored")):
            print(f"  {name:9} {statistics.median(each[store] for each in rounds):6.2f} s for {options.streams} "
                  f"turns of {options.tokens} tokens")
        print(f"  stored / unstored = {ratio:.3f} of the speed (quartiles {low:.3f} to {high:.3f}; "
              f"bar {BAR}), {home.version}")
        sys.exit(ratio < BAR)


if __name__ == "__main__":
    main()
