#!/usr/bin/env python3
"""The embedded model beside llama-server of the same source, weights and threads, in one run.

  bench/embedded_model.py [--rounds N] [PART...]    parts: speed shared long next restart; all, unless named

The two are asked in turn, the other one being idle. A round's two figures are made within seconds of
each other, who is first changes from round to round, and the median of the rounds' ratios counts:
machines are faster in one minute than in the next. What is measured:
- speed: tokens per second of 1, 4, 8 and 16 answers at once, from the moment when all of them have
  begun to the first one's end. llama-batched-bench, which has no server around the model, is the ceiling.
- shared: time to the first token of 8 new conversations that come at once, with instructions of 600
  tokens that one conversation had before them (bar), or none (no bar: see below).
- long: the longest gap of 4 running answers while a prompt of 3,000 tokens is read.
- next: time to the first token of the next turn of a session with 800 tokens.
- restart: the same, after both have been ended and started again in between.

If the instructions are new to both, each has to read them once, and llama-server reads them 8 times:
its mean time is that of reading 3,500 tokens (in batches of 2,048), so no server can be more than 5 times
sooner."""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import contenders
import house
from streamed_answers import Answer, all_at_once

MODEL = "smollm2-135m"
CONTEXT = 4096
SLOTS = 16
THREADS = 2
STREAMS = (1, 4, 8, 16)
TOKENS = 48


def made(*options):
    """The output of tools/llama: a folder or a file."""
    done = subprocess.run([contenders.ROOT / "tools/llama", *options], check=False,
                          stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("missing: llama-server (tools/llama --tools)")
    return pathlib.Path(done.stdout.strip())


class LlamaServer(contenders.Contender):
    name = "llama-server"
    model = MODEL
    headers = {}
    seconds_to_start = 120

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
        self.restart = home.server.restart
        self.headers = {"Authorization": f"Bearer {home.tokens(1)[0]}"}


def user(text):
    return [{"role": "user", "content": text}]


def story(number):
    return user(f"Write a long story about animal number {number}.")


def speed(target, streams, number):
    if isinstance(target, BatchedBench):
        return target.speed(streams)
    answers = all_at_once(streams, lambda each: Answer(target, story(f"{number}{each}"), TOKENS))
    begin = max(answer.times[0] for answer in answers)
    end = min(answer.times[-1] for answer in answers)
    return sum(answer.pieces(begin, end) for answer in answers) / (end - begin)


def shared_instructions(target, number, known):
    """Mean seconds to the first piece."""
    rules = " ".join(f"Rule {rule} of {'old' if known else 'new'} house {number}: be kind, be brief."
                     for rule in range(40))
    system = [{"role": "system", "content": rules}]
    if known:
        Answer(target, [*system, *user("Hello, I was here before.")], 4)
    answers = all_at_once(8, lambda each: Answer(
        target, [*system, *user(f"Hello, I am guest {each}.")], 8))
    return statistics.mean(answer.first for answer in answers)


def long_prompt(target, number):
    text = " ".join(f"Sentence {each} of book {number} is short." for each in range(256))
    stretch = []

    def ask(each):
        if each < 4:
            return Answer(target, story(f"{number}{each}"), 1500, lambda: len(stretch) == 2)
        time.sleep(3)
        stretch.append(time.perf_counter())
        answer = Answer(target, user(text), 2)
        stretch.append(answer.times[0])
        return answer
    answers = all_at_once(5, ask)
    if min(answer.times[-1] for answer in answers[:4]) < stretch[0]:
        raise RuntimeError(f"{target.name}: an answer ended before the long prompt came")
    return max(answer.longest_gap(*stretch) for answer in answers[:4])


def next_turn(target, number, before=lambda target: None):
    text = " ".join(f"Sentence {each} of letter {number} is short." for each in range(68))
    stored = {"store": True} if target.name == "parley" else {}
    first = Answer(target, user(text), 32, **stored)
    if stored:
        stored["metadata"] = {"session_id": first_session(target)}
    before(target)
    history = [*user(text), {"role": "assistant", "content": first.text}]
    return Answer(target, [*history, *user("And what is the next sentence?")], 4, **stored).first


def next_turn_after_restart(target, number):
    def restart(target):
        target.restart()
        Answer(target, user("Hello"), 4)
    return next_turn(target, f"{number} of the old house", restart)


def first_session(target):
    request = urllib.request.Request(f"http://127.0.0.1:{target.port}/v1/api/chat/sessions?limit=1",
                                     headers=target.headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return re.search(r'"id":"(ses_\w+)"', response.read().decode())[1]


class BatchedBench:
    """The model without a server."""
    name = "llama-batched-bench"

    def __init__(self, programs, weights):
        self.command = [programs / "llama-batched-bench", "-m", weights, "-c", 512 * SLOTS, "-npp", 48,
                        "-ntg", TOKENS, "-t", THREADS, "-tb", THREADS, "-npl"]

    def speed(self, streams):
        table = subprocess.run([*map(str, self.command), str(streams)], check=True,
                               capture_output=True, text=True).stdout
        row = re.search(rf"^\|\s*48 \|\s*{TOKENS} \|\s*{streams} \|(?:[^|]*\|){{4}}\s*([\d.]+) \|",
                        table, re.M)
        return float(row[1])


class Comparison:
    """Asks both in turn, and reports whether the limits were met."""

    def __init__(self, targets, rounds):
        self.targets, self.rounds, self.good = targets, rounds, True

    def compare(self, what, unit, measure, bar, higher_is_better=False, ceiling=None,
                more=1):
        in_turn = [*self.targets, *filter(None, [ceiling])]
        measured = {target.name: [] for target in in_turn}
        for number in range(more * self.rounds):
            for target in in_turn if number % 2 == 0 else reversed(in_turn):
                measured[target.name].append(measure(target, number))
                time.sleep(0.5)  # Its compute threads fall asleep.
        ours, theirs, *most = map(statistics.median, measured.values())
        ratio = statistics.median(one / other if higher_is_better else other / one
                                  for one, other, *_ in zip(*measured.values()))
        verdict = "no bar" if bar is None else f"bar {bar}: {'ok' if ratio >= bar else 'MISSED'}"
        print(f"{what:46} parley {ours:7.3f} {unit:4} llama-server {theirs:7.3f} {unit:4} "
              f"{ratio:6.2f}x ({verdict})", flush=True)
        if ceiling:
            print(f"{'':46} {ours / most[0]:.2f} of {ceiling.name} ({most[0]:.1f} {unit}; goal 0.97)")
        for name, figures in measured.items():
            print(f"{'':46} {name}:", *(f"{figure:.3f}" for figure in figures), flush=True)
        self.good &= bar is None or ratio >= bar


def measure_speed(comparison, ceiling):
    """In twice as many rounds: short ones, so that both run under the same conditions."""
    print("$", *ceiling.command, "N", flush=True)
    for streams in STREAMS:
        comparison.compare(f"tokens per second, {streams} streams", "t/s",
                           lambda target, number, streams=streams: speed(target, streams, number),
                           1.0, True, ceiling, more=2)


def measure_shared(comparison):
    comparison.compare("8 sessions, instructions known: first piece", "s",
                       lambda target, number: shared_instructions(target, number, True), 8)
    comparison.compare("8 sessions, new instructions: first piece", "s",
                       lambda target, number: shared_instructions(target, number, False), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("parts", nargs="*", metavar="PART",
                        help="speed, shared, long, next, restart; all unless named")
    options = parser.parse_args()
    parts = options.parts or ["speed", "shared", "long", "next", "restart"]
    programs, weights = made("--tools"), made("--weights")
    version = subprocess.run([programs / "llama-server", "--version"], check=True,
                             capture_output=True, text=True)
    print("llama.cpp:", (version.stdout + version.stderr).splitlines()[0])
    with tempfile.TemporaryDirectory() as folder, house.House(settings=[
            f"model.default={MODEL}", f"models.{MODEL}.context={CONTEXT}",
            f"models.{MODEL}.threads={THREADS}"]) as home, LlamaServer(
                pathlib.Path(folder), programs, weights) as server:
        ours = Parley(home)
        print("parley:", home.version, "\n$", ours.command, "\n$", server.command, flush=True)
        for target in (ours, server):
            Answer(target, user("Hello"), 4)
        comparison = Comparison((ours, server), options.rounds)
        if "speed" in parts:
            measure_speed(comparison, BatchedBench(programs, weights))
        if "shared" in parts:
            measure_shared(comparison)
        if "long" in parts:
            comparison.compare("3,000 tokens arrive: longest gap of 4", "s", long_prompt, 10)
        if "next" in parts:
            comparison.compare("next turn of a session: first piece", "s", next_turn, 1.0)
        if "restart" in parts:
            comparison.compare("next turn after a restart: first piece", "s",
                               next_turn_after_restart, 8)
    sys.exit(0 if comparison.good else 1)


if __name__ == "__main__":
    main()
