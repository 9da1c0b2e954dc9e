#!/usr/bin/env python3
"""The memory of a server that is idle after one answer of its default model, and the time from its second start until
the model can answer; beside llama-server with the same model:

    bench/idle_server.py [--rounds 5]

Both have their default settings, and take turns. The memory is what is resident, files in memory included (VmRSS)."""
import argparse
import contextlib
import pathlib
import sys
import tempfile
import time

import contenders
import embedded_model
import results
from relay_vs_nginx import token_of
from streamed_answers import Answer

MEMORY, READY = "B12/memory", "B12/ready"
IDLE_SECONDS = 3


class Parley(contenders.Contender):
    name = "parley"
    model = embedded_model.MODEL
    ready_path = "/readyz"
    seconds_to_start = 120

    def __init__(self, folder):
        self.port = contenders.free_port()
        super().__init__([contenders.BINARY, "serve", "--data", folder / "data", "--listen", f"127.0.0.1:{self.port}"],
                         "/healthz", folder / "parley.log", None)
        self.headers = {"Authorization": f"Bearer {token_of(self, folder)}"}


class LlamaServer(contenders.Contender):
    name = "llama-server"
    model = embedded_model.MODEL
    headers = {}
    seconds_to_start = 120

    def __init__(self, folder, programs, weights):
        self.port = contenders.free_port()
        super().__init__([programs / "llama-server", "-m", weights, "--port", self.port], "/health",
                         folder / "llama-server.log", None)


def measure(target, number):
    target.restart()
    took = target.seconds_to_ready
    Answer(target, embedded_model.user("What is the capital of France?"), 16)
    time.sleep(IDLE_SECONDS)
    memory = contenders.resident_bytes(target.process.pid) / 2**20
    print(f"  {number + 1}. {target.name:13} ready after {took:6.2f} s   {memory:8.0f} MiB", flush=True)
    results.record(READY, target.name, took, number)
    results.record(MEMORY, target.name, memory, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    lacking = contenders.missing_tools()
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (make build)")
    programs, weights = embedded_model.made("--tools"), embedded_model.made("--weights")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        targets = [stack.enter_context(Parley(folder))]
        results.used("parley", contenders.Parley.version(), targets[0].command)
        if programs and weights:
            targets.append(stack.enter_context(LlamaServer(folder, programs, weights)))
            results.used("llama-server", embedded_model.version_of(programs), targets[1].command)
        else:
            for row in (MEMORY, READY):
                results.absent(row, "llama-server", "tools/llama --tools failed")
        for number in range(options.rounds):
            for target in targets[::1 if number % 2 == 0 else -1]:
                measure(target, number)
    sys.exit(results.verdict(MEMORY, READY))


if __name__ == "__main__":
    main()
