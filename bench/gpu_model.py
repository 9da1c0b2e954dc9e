#!/usr/bin/env python3
"""A model on a GPU, beside llama-server with the same file, backend and GPU, in one run:

  bench/gpu_model.py --model FILE.gguf --programs FOLDER --backend libggml-cuda.so [--small FILE.gguf] [PART...]

FOLDER holds llama-server and llama-batched-bench of the same source (tools/llama --tools), which load the backend
as Parley does. bench/random_model.py writes a file for machines without one. The parts, all unless named:
- answers: whether the model --small answers on the GPU, wholly and with half of its layers, as it does without it
- speed: tokens per second of 1, 8, 32 and 64 answers at once, from the moment when all of them have begun to the
  first one's end; llama-batched-bench, which has no server around the model, is the ceiling
- same: whether both give the same answers, with the greatest probability at each token, as their code for the GPU is
  the same
- stored: the same for 64 answers that are stored, and the time to the first token of one more question meanwhile
- shared: time to the first token of 8 conversations that come at once, with instructions of 600 tokens that one
  conversation had before them
- long: the longest gap of 4 running answers while a prompt of 3,000 tokens is read
- next, restart: time to the first token of the next turn of a session with 800 tokens; the same after a restart

The clients are processes, so that reading the answers does not slow them down."""
import argparse
import multiprocessing
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

import contenders
import embedded_model
import house
import results
from embedded_model import story, user
from streamed_answers import Answer, all_at_once

CONTEXT = 4096
STREAMS = (1, 8, 32, 64)
SLOTS = 72  # More than streams, for one more question.
TOKENS = 384
PROMPT = 48  # About as many tokens as the questions have.
QUESTIONS = ("What is the capital of France?", "Write a story about a fox.", "Count to ten.",
             "Name three kinds of bread, and say why.", "What is water made of?", "Why is the sky blue?",
             "Write a poem about the sea.", "How do I boil an egg?")


class LlamaServer(contenders.Contender):
    name = "llama-server"
    model = "m"
    headers = {}
    seconds_to_start = 120

    def __init__(self, folder, options):
        self.port = contenders.free_port()
        super().__init__([options.programs / "llama-server", *options.device, "-m", options.model, "--port", self.port,
                          "-c", CONTEXT * SLOTS, "-np", SLOTS, "-ngl", options.gpu_layers, "-fa", "on"],
                         "/health", folder / "llama-server.log", None)


class BatchedBench:
    name = "llama-batched-bench"

    def __init__(self, options):
        self.command = list(map(str, [
            options.programs / "llama-batched-bench", *options.device, "-m", options.model, "-c", 512 * max(STREAMS), "-npp", PROMPT,
            "-ntg", TOKENS, "-ngl", options.gpu_layers, "-fa", "on", "-npl", ",".join(map(str, options.streams))]))

    def speeds(self):
        """Tokens per second by streams."""
        table = subprocess.run(self.command, check=True, capture_output=True, text=True, timeout=60).stdout
        rows = re.findall(rf"^\|\s*{PROMPT} \|\s*{TOKENS} \|\s*(\d+) \|(?:[^|]*\|){{4}}\s*([\d.]+) \|", table, re.M)
        return {int(streams): float(speed) for streams, speed in rows}


class Parley(embedded_model.Parley):
    model = "m"


contenders.Parley.seconds_to_start = 120  # The first use of a GPU takes long.


def crowd(count, ask):
    """The answers of `ask(number)` for each number, started together by several processes."""
    processes = min(count, 8)
    shares = [range(first, count, processes) for first in range(processes)]
    answers = multiprocessing.Queue()

    def read(share):
        try:
            answers.put(all_at_once(len(share), lambda each: ask(share[each])))
        except Exception as fault:  # pylint: disable=broad-except
            answers.put(fault)
    readers = [multiprocessing.Process(target=read, args=(share,), daemon=True) for share in shares]
    for reader in readers:
        reader.start()
    found = [answers.get(timeout=300) for _ in readers]
    for reader in readers:
        reader.join()
    for each in found:
        if isinstance(each, Exception):
            raise each
    return sum(found, [])


def tokens_between(answer, begin, end):
    """A piece of text may be several tokens."""
    return answer.pieces(begin, end) * answer.usage["completion_tokens"] / len(answer.times)


def rate(answers):
    begin = max(answer.times[0] for answer in answers)
    end = min(answer.times[-1] for answer in answers)
    return sum(tokens_between(answer, begin, end) for answer in answers) / (end - begin)


def speed(target, streams, number, **more):
    return rate(crowd(streams, lambda each: Answer(target, story(f"{number}{each}"), TOKENS, **more)))


def stored(target, number):
    """Tokens per second of 64 stored answers, and seconds to the first token of one more question."""
    def ask(each):
        if each < 64:
            return Answer(target, story(f"{number}{each}"), TOKENS, store=True)
        time.sleep(1)  # All others are running.
        return Answer(target, user("Hello"), 4)
    answers = crowd(65, ask)
    late = min(answers, key=lambda answer: answer.usage["completion_tokens"])
    answers.remove(late)
    lost = sum(answer.usage["completion_tokens"] < TOKENS for answer in answers)
    return rate(answers), late.first, lost


def long_prompt(target, number):
    text = " ".join(f"Sentence {each} of book {number} is short." for each in range(256))
    came = multiprocessing.Array("d", 2)

    def ask(each):
        if each < 4:
            return Answer(target, story(f"{number}{each}"), 3000, lambda: came[1] > 0)
        time.sleep(1)
        came[0] = time.perf_counter()
        answer = Answer(target, user(text), 2)
        came[1] = answer.times[0]
        return answer
    answers = crowd(5, ask)
    running = sorted(answers, key=lambda answer: answer.asked)[:4]
    if min(answer.times[-1] for answer in running) < came[0]:
        raise RuntimeError(f"{target.name}: an answer ended before the long prompt came")
    return max(answer.longest_gap(came[0], came[1]) for answer in running)


def compare(what, unit, ours, theirs, measure, rounds, higher_is_better=False, row=None):
    measured = {ours.name: [], theirs.name: []}
    for number in range(rounds):
        for target in (ours, theirs) if number % 2 == 0 else (theirs, ours):
            measured[target.name].append(measure(target, number))
            if row:
                results.record(row, target.name, measured[target.name][-1], number)
    ratio = statistics.median(one / other if higher_is_better else other / one
                              for one, other in zip(*measured.values()))
    one, other = map(statistics.median, measured.values())
    print(f"{what:44} parley {one:9.4g} {unit:4} llama-server {other:9.4g} {unit:4} {ratio:6.2f}x", flush=True)
    for name, figures in measured.items():
        print(f"{'':44} {name}:", *(f"{figure:.4g}" for figure in figures), flush=True)
    return one


def measure_answers(options):
    """Whether each question has the same answer on the GPU."""
    names = {"cpu": 0, "half": min(15, options.gpu_layers), "gpu": options.gpu_layers}
    settings = ["model.default=cpu"]
    for name, layers in names.items():
        settings += [f"models.{name}.path={options.small}", f"models.{name}.context=2048", f"models.{name}.slots=4",
                     f"models.{name}.gpu_layers={layers}"]
    with house.House(settings=settings) as home:
        target = Parley(home)
        texts = {}
        for name in names:
            target.model = name
            texts[name] = [Answer(target, user(question), 60).text for question in QUESTIONS]
    for name in ("half", "gpu"):
        pairs = list(zip(texts["cpu"], texts[name]))
        shared = [len(os.path.commonprefix(pair)) / max(1, len(pair[0])) for pair in pairs]
        print(f"answers of {name:5} equal to those of cpu: {sum(one == other for one, other in pairs)} of {len(pairs)}; "
              f"equal beginnings: {statistics.mean(shared):.0%} of the text", flush=True)
        for one, other in pairs:
            if one != other:
                print(f"  cpu:  {one!r}\n  {name}: {other!r}")
    print("  e.g.", repr(texts["gpu"][1]), flush=True)


def measure_speed(ours, server, options):
    ceiling = BatchedBench(options)
    print("$", *ceiling.command, flush=True)
    most = [ceiling.speeds() for _ in range(2)]
    for streams in options.streams:
        one = compare(f"tokens per second, {streams} streams", "t/s", ours, server,
                      lambda target, number, streams=streams: speed(target, streams, number), options.rounds, True,
                      f"B16/{streams}" if streams in STREAMS else None)
        best = max(speeds.get(streams, 0) for speeds in most)
        for number in range(options.rounds if best and streams in STREAMS else 0):
            results.record(f"B16/{streams}", ceiling.name, best, number)
        print(f"{'':44} {one / best if best else 0:.2f} of {ceiling.name} ({best:.1f} t/s)", flush=True)


def measure_same(ours, server):
    """Rounding depends on the shape of a batch, so that questions come one by one."""
    plain = {"repeat_penalty": 1, "cache_prompt": False}
    texts = {}
    for target in (ours, server):
        more = plain if target is server else {"repeat_penalty": 1}
        texts[target.name] = [Answer(target, [{"role": "system", "content": "You help."}, *user(question)], 100,
                                     **more) for question in QUESTIONS]
    pairs = list(zip(*texts.values()))
    same = sum(one.text == other.text for one, other in pairs)
    tokens = [tuple(answer.usage["prompt_tokens"] for answer in pair) for pair in pairs]
    print(f"{same} of {len(pairs)} answers are the same; tokens of the prompts: {tokens[:2]}", flush=True)
    for one, other in pairs:
        if one.text != other.text:
            shared = os.path.commonprefix([one.text, other.text])
            print(f"  equal: {len(shared)} of {len(one.text)} characters", flush=True)


def measure_stored(ours, options):
    for number in range(options.rounds):
        late = house.late_loops(options.metrics)
        tokens, first, lost = stored(ours, number)
        for row, value in (("lost", lost), ("first", first * 1e3), ("lag", house.late_loops(options.metrics) - late)):
            results.record(f"B16/{row}", ours.name, value, number)
        print(f"{'64 stored streams':44} parley {tokens:9.4g} t/s; one more question: first piece after "
              f"{first * 1e3:.1f} ms; {lost} answers were too short", flush=True)


def main():
    failed = 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=pathlib.Path)
    parser.add_argument("--small", type=pathlib.Path)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--backend", type=pathlib.Path, help="for llama.cpp's programs; Parley finds its own")
    parser.add_argument("--backend-device", default="CUDA0")
    parser.add_argument("--gpu-layers", type=int, default=999)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--streams", type=lambda text: list(map(int, text.split(","))), default=list(STREAMS))
    parser.add_argument("--set", action="append", default=[], help="more settings for Parley")
    parser.add_argument("parts", nargs="*", metavar="PART")
    options = parser.parse_args()
    parts = options.parts or ["answers", "same", "speed", "stored", "shared", "long", "next", "restart"]
    options.device = []
    if options.backend:  # It is loaded when a device is named, not for -ngl.
        os.environ["GGML_BACKEND_PATH"] = str(options.backend)
        options.device = ["-dev", options.backend_device]
    if "answers" in parts and options.small:
        measure_answers(options)
    if parts == ["answers"]:
        return 0
    metrics = f"127.0.0.1:{contenders.free_port()}"
    options.metrics = f"http://{metrics}/metrics"
    with tempfile.TemporaryDirectory() as folder, house.House(settings=[
            "model.default=m", f"models.m.path={options.model}", f"models.m.context={CONTEXT}",
            f"models.m.slots={SLOTS}", f"models.m.gpu_layers={options.gpu_layers}", f"metrics.listen={metrics}",
            *options.set]) as home, \
            LlamaServer(pathlib.Path(folder), options) as server:
        ours = Parley(home)
        results.used(ours.name, home.version, ours.command)
        results.used(server.name, embedded_model.version_of(options.programs), server.command)
        for target in (ours, server):
            Answer(target, user("Hello"), 4)
        measures = {
            "same": lambda: measure_same(ours, server),
            "speed": lambda: measure_speed(ours, server, options),
            "stored": lambda: measure_stored(ours, options),
            "shared": lambda: compare(
                "8 sessions, instructions known: first piece", "s", ours, server,
                lambda target, number: embedded_model.shared_instructions(target, number, True), options.rounds),
            "long": lambda: compare("3,000 tokens arrive: longest gap of 4", "s", ours, server, long_prompt,
                                    options.rounds),
            "next": lambda: compare("next turn of a session: first piece", "s", ours, server,
                                    embedded_model.next_turn, options.rounds),
            "restart": lambda: compare("next turn after a restart: first piece", "s", ours, server,
                                       embedded_model.next_turn_after_restart, options.rounds)}
        for part, measure in measures.items():
            if part not in parts:
                continue
            try:
                measure()
            except Exception:  # pylint: disable=broad-except
                failed = 1  # The time of such a machine is dear: the other parts are still measured.
                traceback.print_exc()
    rows = [f"B16/{streams}" for streams in STREAMS if "speed" in parts and streams in options.streams]
    rows += ["B16/lost", "B16/first", "B16/lag"] if "stored" in parts else []
    return results.verdict(*rows) or failed


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")  # The functions that ask are closures.
    sys.exit(main())
