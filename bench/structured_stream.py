#!/usr/bin/env python3
"""What a structured answer costs the others that the embedded model writes at the same time:

    bench/structured_stream.py [--rounds 9] [--tokens 96]

A round asks for 8 streamed answers at once, twice: all of them free text, and one of them in a format; which is first
changes from round to round. The figure is the median of the rounds' ratios of the tokens per second of the other seven.
Fails below 0.95."""
import argparse
import statistics
import sys
import time

import house
from embedded_model import CONTEXT, MODEL, Parley, THREADS, story
from streamed_answers import Answer, all_at_once

BAR = 0.95
STREAMS = 8
# It goes on until the limit of tokens.
FORMAT = {"type": "json_schema", "json_schema": {"name": "lines", "schema": {
    "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 200}, "minItems": 200, "maxItems": 400}}}


def speed_of_others(target, options, number, structured):
    """Tokens per second of all but the first answer, from the moment when all have begun to the first one's end."""
    def ask(each):
        more = {"response_format": FORMAT} if structured and each == 0 else {}
        return Answer(target, story(f"{number}{each:02}"), options.tokens, **more)
    answers = all_at_once(STREAMS, ask)
    assert all(answer.times for answer in answers)
    others = answers[1:]
    begin = max(answer.times[0] for answer in answers)
    end = min(answer.times[-1] for answer in answers)
    return sum(answer.pieces(begin, end) for answer in others) / (end - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tokens", type=int, default=96)
    options = parser.parse_args()
    with house.House(settings=[f"model.default={MODEL}", f"models.{MODEL}.context={CONTEXT}",
                               f"models.{MODEL}.threads={THREADS}"]) as home:
        target = Parley(home)
        print("parley:", home.version, "\n$", home.server.command, flush=True)
        Answer(target, story("0"), 4)
        ratios = []
        for number in range(options.rounds):
            kinds = (False, True) if number % 2 == 0 else (True, False)
            speeds = {}
            for kind in kinds:
                speeds[kind] = speed_of_others(target, options, f"{number:02}{kind:d}", kind)
                time.sleep(0.5)
            ratios.append(speeds[True] / speeds[False])
            print(f"  {speeds[False]:6.1f} tokens/s beside free text, {speeds[True]:6.1f} beside a format: "
                  f"{ratios[-1]:.3f}", flush=True)
    ratio = statistics.median(ratios)
    print(f"the other seven: {ratio:.3f} of their speed ({'ok' if ratio >= BAR else 'MISSED'}, bar {BAR})")
    sys.exit(ratio < BAR)


if __name__ == "__main__":
    main()
