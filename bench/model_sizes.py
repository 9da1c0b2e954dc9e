#!/usr/bin/env python3
"""Right answers, speed and memory of local models, as in the guide "Choosing a model":

    bench/model_sizes.py [--binary build/release/parley] [--show] [FILE.gguf …]

The embedded model and each of the files answer the questions of answers.json one after the other, at temperature 0, on
one core. An answer is right if it fits its pattern and does not repeat itself. The speed is that of writing a story, in
processor time, so that other work on the machine counts less. The memory is the estimate of `parley model list`, with
one full conversation."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from answers import HERE, Server, score

GIB = 1 << 30
ROUNDS = 3
STORY = {"temperature": 0.8, "seed": 1}


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(binary, file):
    """In bytes, as the program estimates it."""
    with tempfile.TemporaryDirectory(prefix="parley-sizes-") as data:
        if file:
            subprocess.run([binary, "model", "add", file, "--name", "measured", "--link", "--data", data], check=True,
                           capture_output=True)
        listed = subprocess.run([binary, "model", "list", "--json", "--data", data], check=True, capture_output=True,
                                text=True).stdout
    found = (json.loads(line) for line in listed.splitlines())
    model = next(each for each in found if each["name"] == "measured" or not file and each["embedded"])
    return model["memory_bytes"] + model["conversation_bytes"]


def speed_of(server):
    """Tokens per second: a long answer without what a short one takes, which is mostly reading."""
    def story(most):
        begun = processor_seconds(server.pid)
        answer = server.complete("Write a long story about the sea.", {**STORY, "max_tokens": most})
        return answer["usage"]["completion_tokens"], processor_seconds(server.pid) - begun
    speeds = []
    for _ in range(ROUNDS):
        (few, short), (many, long) = story(2), story(66)
        speeds.append((many - few) / (long - short))
    return statistics.median(speeds)


def measure(binary, file, questions, show):
    """(right answers, those that repeat themselves, tokens per second)"""
    right = loops = 0
    server = Server(binary, 1, file, slots=1)
    try:
        server.ask("Hello", {"max_tokens": 4})
        speed = speed_of(server)
        for question in questions:
            text = server.ask(question["question"], {"temperature": 0})
            scored = score(question, text)
            right += scored["right"] and not scored["loop"]
            loops += scored["loop"]
            if show:
                print(f"--- {question['question']} {scored}\n{text}\n", flush=True)
        return right, loops, speed
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/parley")
    parser.add_argument("--show", action="store_true", help="print all answers")
    parser.add_argument("files", nargs="*", metavar="FILE.gguf")
    options = parser.parse_args()
    questions = json.loads((HERE / "answers.json").read_text("utf-8"))
    print(f"{'right':>5} {'loops':>5} {'tokens/s':>8} {'GiB':>5}  of {len(questions)} questions")
    for file in (None, *options.files):
        right, loops, speed = measure(options.binary, file, questions, options.show)
        size = memory_of(options.binary, file) / GIB
        name = pathlib.Path(file).stem if file else "embedded"
        print(f"{right:5} {loops:5} {speed:8.1f} {size:5.2f}  {name}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
