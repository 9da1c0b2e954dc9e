#!/usr/bin/env python3
"""The embedded model beside llama-server of the same source, weights and threads, in one run.

  bench/embedded_model.py [--rounds N]     what is measured, and the bars: PERFORMANCE.md, B4 to B7

The two are asked in turn, the other one being idle; medians of the rounds count. llama-batched-bench,
which has no server around the model, is the ceiling of tokens per second."""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import contenders
import house
from streamed_answers import Answer, all_at_once

MODEL = "smollm2-135m"
CONTEXT = 4096
SLOTS = 16
THREADS = 2
STREAMS = (1, 4, 8, 16)


def made(*options):
    """What tools/llama prints: a folder or a file."""
    return pathlib.Path(subprocess.run([contenders.ROOT / "tools/llama", *options], check=True,
                                       stdout=subprocess.PIPE, text=True).stdout.strip())


class LlamaServer(contenders.Contender):
    name = "llama-server"
    model = MODEL
    headers = {}

    def __init__(self, folder, programs, weights):
        self.port = contenders.free_port()
        super().__init__([programs / "llama-server", "-m", weights, "--port", self.port,
                          "-c", CONTEXT * SLOTS, "-np", SLOTS, "-t", THREADS, "-tb", THREADS],
                         "/health", folder / "llama-server.log", None)


class Parley:
    name = "parley"
    model = MODEL

    def __init__(self, home):
        self.port = home.server.port
        self.command = home.server.command
        self.headers = {"Authorization": f"Bearer {home.tokens(1)[0]}"}


def user(text):
    return [{"role": "user", "content": text}]


def speed(target, streams, number):
    """Tokens per second of so many answers at once, all of them written."""
    answers = all_at_once(streams, lambda each: Answer(
        target, user(f"Write a long story about animal number {number}{each}."), 128))
    first = min(answer.times[0] for answer in answers)
    return sum(answer.tokens for answer in answers) / (
        max(answer.times[-1] for answer in answers) - first)


def shared_instructions(target, number):
    """Mean seconds to the first piece of 8 new conversations with 600 tokens in common."""
    rules = " ".join(f"Rule {rule} of house {number}: be kind, be brief and mention tea."
                     for rule in range(36))
    answers = all_at_once(8, lambda each: Answer(
        target, [{"role": "system", "content": rules}, *user(f"Hello, I am guest {each}.")], 8))
    return statistics.mean(answer.first for answer in answers)


def long_prompt(target, number):
    """The longest gap of 4 answers while a prompt of 3,000 tokens is read."""
    text = " ".join(f"Sentence {each} of book {number} is short." for each in range(340))
    stretch = []

    def ask(each):
        if each < 4:
            return Answer(target, user(f"Write a long story about animal number {number}{each}."),
                          1200)
        time.sleep(2)
        begin = time.perf_counter()
        answer = Answer(target, user(text), 2)
        stretch.extend([begin, answer.times[0]])
        return answer
    answers = all_at_once(5, ask)
    return max(answer.longest_gap(*stretch) for answer in answers[:4])


def next_turn(target, number):
    """Seconds to the first piece of a question after a conversation of 800 tokens."""
    text = " ".join(f"Sentence {each} of letter {number} is short." for each in range(90))
    stored = {"store": True} if target.name == "parley" else {}
    first = Answer(target, user(text), 32, **stored)
    if stored:
        stored["metadata"] = {"session_id": first_session(target)}
    history = [*user(text), {"role": "assistant", "content": first.text}]
    return Answer(target, [*history, *user("And what is the next sentence?")], 4, **stored).first


def first_session(target):
    listed = subprocess.run(["curl", "-s", "-H", "Authorization: " + target.headers["Authorization"],
                             f"http://127.0.0.1:{target.port}/v1/api/chat/sessions?limit=1"],
                            check=True, capture_output=True, text=True).stdout
    return re.search(r'"id":"(ses_\w+)"', listed)[1]


def ceiling(programs, weights):
    command = [programs / "llama-batched-bench", "-m", weights, "-c", 512 * SLOTS, "-npp", 32,
               "-ntg", 128, "-npl", ",".join(map(str, STREAMS)), "-t", THREADS, "-tb", THREADS]
    print("$", *command)
    table = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^\|\s*32 \|\s*128 \|\s*(\d+) \|(?:[^|]*\|){4}\s*([\d.]+) \|", table, re.M)
    return {int(streams): float(rate) for streams, rate in rows}


def report(what, unit, measured, higher_is_better, bar):
    ours, theirs = (statistics.median(measured[name]) for name in ("parley", "llama-server"))
    ratio = ours / theirs if higher_is_better else theirs / ours
    verdict = "ok" if ratio >= bar else "MISSED"
    print(f"{what:44} parley {ours:9.3f} {unit:5} llama-server {theirs:9.3f} {unit:5} "
          f"{ratio:6.2f}x (bar {bar}) {verdict}", flush=True)
    return ratio >= bar


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = range(parser.parse_args().rounds)
    programs, weights = made("--tools"), made("--weights")
    print("llama.cpp:", subprocess.run([programs / "llama-server", "--version"], check=True,
                                       capture_output=True, text=True).stderr.splitlines()[0])
    good = True
    with tempfile.TemporaryDirectory() as folder, house.House(settings=[
            f"model.default={MODEL}", f"models.{MODEL}.context={CONTEXT}"]) as home, LlamaServer(
                pathlib.Path(folder), programs, weights) as server:
        ours = Parley(home)
        print("parley:", home.version, "\n$", ours.command, "\n$", server.command, flush=True)
        for target in (ours, server):
            Answer(target, user("Hello"), 4)

        def compare(what, unit, measure, higher_is_better, bar):
            measured = {"parley": [], "llama-server": []}
            for number in rounds:
                for target in (ours, server):
                    measured[target.name].append(measure(target, number))
            return report(what, unit, measured, higher_is_better, bar), measured["parley"]

        most = ceiling(programs, weights)
        for streams in STREAMS:
            met, rates = compare(f"tokens per second, {streams} streams", "t/s",
                                 lambda target, number, streams=streams: speed(
                                     target, streams, number), True, 1.0)
            good &= met
            print(f"{'':44} {statistics.median(rates) / most[streams]:.2f} of llama-batched-bench "
                  f"({most[streams]:.0f} t/s; goal 0.97)")
        good &= compare("8 sessions, 600 tokens shared: first piece", "s", shared_instructions,
                        False, 8)[0]
        good &= compare("3,000 tokens arrive: longest gap of 4", "s", long_prompt, False, 10)[0]
        good &= compare("next turn of a session: first piece", "s", next_turn, False, 1.0)[0]
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
