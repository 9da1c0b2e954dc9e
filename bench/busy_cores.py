#!/usr/bin/env python3
"""The speed of an answer of the built-in model while another process computes on each core, compared with a machine of
its own; beside llama-server with the same weights and threads:

    bench/busy_cores.py [--rounds 5] [--tokens 64]

All take turns. An answer that takes longer than 20 seconds counts as far as it came."""
import argparse
import contextlib
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

import embedded_model
import house
import results
from embedded_model import MODEL, Parley, story, user
from streamed_answers import Answer

ROW = "B13/busy"
LONGEST = 20


def compute(core):
    os.sched_setaffinity(0, {core})
    while True:
        sum(range(1000))


@contextlib.contextmanager
def busy_cores():
    """Processes of the usual priority, one for each core."""
    processes = [multiprocessing.Process(target=compute, args=(core,), daemon=True) for core in os.sched_getaffinity(0)]
    for process in processes:
        process.start()
    time.sleep(0.5)
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def speed(target, number, tokens):
    """Tokens per second, from the first one on."""
    end = time.perf_counter() + LONGEST
    answer = Answer(target, story(number), tokens, lambda: time.perf_counter() > end)
    if len(answer.times) < 2:
        return len(answer.times) / (answer.ended - answer.asked)
    return (len(answer.times) - 1) / (answer.times[-1] - answer.times[0])


def measure(target, options, number):
    ours = target.name == results.PARLEY
    for busy in (True, False) if number % 2 else (False, True):
        with busy_cores() if busy else contextlib.nullcontext():
            found = speed(target, number, options.tokens)
        alone = "alone" if ours else f"{target.name} alone"
        results.record(ROW, target.name if busy else alone, found, number)
        print(f"  {number + 1}. {target.name:13} {'busy' if busy else 'alone':6} {found:7.1f} tokens/s", flush=True)
        time.sleep(0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=64)
    options = parser.parse_args()
    programs, weights = embedded_model.made("--tools"), embedded_model.made("--weights")
    embedded_model.THREADS = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        home = stack.enter_context(house.House(settings=[
            f"model.default={MODEL}", f"models.{MODEL}.threads={embedded_model.THREADS}"]))
        targets = [Parley(home)]
        results.used("parley", home.version, targets[0].command)
        if programs and weights:
            targets.append(stack.enter_context(embedded_model.LlamaServer(pathlib.Path(folder), programs, weights)))
            results.used("llama-server", embedded_model.version_of(programs), targets[1].command)
        else:
            results.absent(ROW, "llama-server", "tools/llama --tools failed")
        for target in targets:
            Answer(target, user("Hello"), 4)
        for number in range(options.rounds):
            for target in targets[::1 if number % 2 == 0 else -1]:
                measure(target, options, number)
    sys.exit(results.verdict(ROW))


if __name__ == "__main__":
    main()
