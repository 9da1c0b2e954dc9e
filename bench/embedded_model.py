#!/usr/bin/env python3
"""The embedded model beside llama-server of the same source, weights and threads, in one run.

  bench/embedded_model.py [--rounds N] [PART...]    parts: speed shared long next restart crash; also new, if named

The two are asked in turn, the other one being idle. A round's two figures are made within seconds of
each other, who is first changes from round to round, and the median of the rounds' ratios counts:
machines are faster in one minute than in the next. Parts:
- speed: tokens per second of 1, 4, 8 and 16 answers at once, from the moment when all of them have
  begun to the first one's end. llama-batched-bench, which has no server around the model, is the ceiling.
- shared: time to the first token of 8 new conversations that come at once, with instructions of 600
  tokens that one conversation had before them; new: that none had.
- long: the longest gap of 4 running answers while a prompt of 3,000 tokens is read.
- next: time to the first token of the next turn of a session with 800 tokens.
- restart, crash: the same, after both have been ended, or killed, and started again in between.

If the instructions are new to both, each has to read them once, and llama-server reads them 8 times:
its mean time is that of reading 3,500 tokens (in batches of 2,048), so no server can be more than 5 times
sooner. Without llama-server, Parley is measured alone."""
import argparse
import contextlib
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
import results
from streamed_answers import Answer, all_at_once

MODEL = "smollm2-135m"
CONTEXT = 4096
SLOTS = 16
THREADS = 2
STREAMS = (1, 4, 8, 16)
TOKENS = 48
PARTS = ("speed", "shared", "long", "next", "restart", "crash")
ROWS = {"speed": [f"B4/{streams}" for streams in STREAMS], "shared": ["B5/shared"], "long": ["B6/gap"],
        "next": ["B7/next"], "restart": ["B7/restart"], "crash": ["B7/crash"], "new": []}


def made(*options):
    """The output of tools/llama: a folder or a file. None if it fails; it has said why."""
    done = subprocess.run([contenders.ROOT / "tools/llama", *options], check=False,
                          stdout=subprocess.PIPE, text=True)
    return pathlib.Path(done.stdout.strip()) if done.returncode == 0 else None


def version_of(programs):
    """The version of llama.cpp, and of the package that its source comes from."""
    told = subprocess.run([programs / "llama-server", "--version"], check=True, capture_output=True, text=True)
    found = re.search(r"version: (.*)", told.stdout + told.stderr)
    package = re.search(r"^llama-cpp-python==\S+", (contenders.ROOT / "third_party/llama.txt").read_text("utf-8"), re.M)
    return f"{found[1] if found else 'unknown'}, of {package[0]}"


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
        self.crash = home.server.crash
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


def next_turn_after_crash(target, number):
    def crash(target):
        target.crash()
        Answer(target, user("Hello"), 4)
    return next_turn(target, f"{number} of the burnt house", crash)


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
    """Asks all in turn."""

    def __init__(self, targets, rounds):
        self.targets, self.rounds = targets, rounds

    def compare(self, what, measure, row=None, ceiling=None, more=1):
        """Figures of a row of the table, if one is given."""
        in_turn = [*self.targets, *filter(None, [ceiling])]
        print(f"{what}:", flush=True)
        for number in range(more * self.rounds):
            for target in in_turn if number % 2 == 0 else reversed(in_turn):
                value = measure(target, number)
                print(f"  {number + 1}. {target.name:20} {value:9.3f}", flush=True)
                if row:
                    results.record(row, target.name, value, number)
                time.sleep(0.5)  # Its compute threads fall asleep.


def measure_speed(comparison, ceiling):
    """Short ones in twice as many rounds, so that both run under the same conditions."""
    for streams in STREAMS:
        comparison.compare(f"tokens per second, {streams} streams",
                           lambda target, number, streams=streams: speed(target, streams, number),
                           f"B4/{streams}", ceiling, 2 if streams < 8 else 1)


def measure(parts, comparison, ceiling):
    if "speed" in parts:
        measure_speed(comparison, ceiling)
    if "shared" in parts:
        comparison.compare("8 sessions, instructions known: first piece after seconds",
                           lambda target, number: shared_instructions(target, number, True), "B5/shared")
    if "new" in parts:
        comparison.compare("8 sessions, new instructions: first piece after seconds",
                           lambda target, number: shared_instructions(target, number, False))
    if "long" in parts:
        comparison.compare("3,000 tokens arrive: longest gap of 4, in seconds", long_prompt, "B6/gap")
    if "next" in parts:
        comparison.compare("next turn of a session: first piece after seconds", next_turn, "B7/next")
    if "restart" in parts:
        comparison.compare("next turn after a restart: first piece after seconds", next_turn_after_restart, "B7/restart")
    if "crash" in parts:
        comparison.compare("next turn after kill -9: first piece after seconds", next_turn_after_crash, "B7/crash")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(ROWS))
    options = parser.parse_args()
    options.parts = options.parts or PARTS
    if unknown := set(options.parts) - set(ROWS):
        parser.error(f"no such part: {', '.join(unknown)}")
    rows = [row for part in options.parts for row in ROWS[part]]
    programs, weights = made("--tools"), made("--weights")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        ours = Parley(stack.enter_context(house.House(settings=[
            f"model.default={MODEL}", f"models.{MODEL}.context={CONTEXT}", f"models.{MODEL}.threads={THREADS}"])))
        results.used(ours.name, contenders.Parley.version(), ours.command)
        targets, ceiling = [ours], None
        if programs and weights:
            server = stack.enter_context(LlamaServer(pathlib.Path(folder), programs, weights))
            targets.append(server)
            ceiling = BatchedBench(programs, weights)
            results.used(server.name, version_of(programs), server.command)
            results.used(ceiling.name, version_of(programs), " ".join(map(str, ceiling.command)))
        else:
            for row in rows:
                results.absent(row, LlamaServer.name, "tools/llama --tools failed")
        for target in targets:
            Answer(target, user("Hello"), 4)
        measure(options.parts, Comparison(targets, options.rounds), ceiling)
    sys.exit(results.verdict(*rows))


if __name__ == "__main__":
    main()
