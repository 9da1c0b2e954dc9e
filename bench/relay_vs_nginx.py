#!/usr/bin/env python3
"""The cost of relaying a chat completion to a model's server, compared with nginx as a proxy:

    bench/relay_vs_nginx.py [--rounds 5] [--seconds 3] [--connections 32]

Parley also checks the token, counts the limit and writes its metrics and its log; nginx only relays and logs.
Both have one loop, pinned to the first core; the model's server (another nginx with a fixed response) and the
load generator (wrk) share the second. They take turns. The figure is CPU time per request, user and system
together, from /proc; medians of all rounds. Fails if Parley costs more than 3 times nginx, or if a peer is
missing."""
import argparse
import contextlib
import json
import pathlib
import statistics
import sys
import tempfile

import house
from contenders import Nginx, Parley, missing_tools, version_of, wrk

BAR = 3.0
PATH = "/v1/chat/completions"
QUESTION = {"model": "m", "messages": [{"role": "system", "content": "You are a helpful assistant."},
                                       {"role": "user", "content": "What is the capital of France?"}],
            "max_tokens": 64, "temperature": 0.7}
ANSWER = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [
    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content":
        "The capital of France is Paris. " * 8}}],
    "usage": {"prompt_tokens": 20, "completion_tokens": 64, "total_tokens": 84}}


class NginxAnswers(Nginx):
    """Sends a fixed response, or relays all requests."""

    def __init__(self, name, folder, core, answer, upstream="", logging=False):
        super().__init__(name, folder, core, PATH, upstream, f"location / {{ {answer} }}", logging)


def model_server(folder):
    return NginxAnswers("model", folder, 1, f"return 200 '{json.dumps(ANSWER)}';")


def proxy(folder, model):
    return NginxAnswers("nginx", folder, 0, "proxy_pass http://model; proxy_http_version 1.1; "
                 "proxy_set_header Connection '';",
                 f"upstream model {{ server 127.0.0.1:{model.port}; keepalive 128; }}", True)


def parley(folder, model):
    settings = ["limits.window_s=1", "limits.chat=200000", "limits.general=20000",
                "models.m.engine=upstream",
                f"models.m.base_url=http://127.0.0.1:{model.port}/v1"]
    return Parley(folder, True, 0, settings)


def token_of(contender, folder):
    """The token of a new user who may chat."""
    contender.address = ("127.0.0.1", contender.port)
    contender.data = folder / "data"
    house.people.until((contender.data / "server-address").exists)
    opened = house.people.House(contender)
    opened.setup_code = lambda: (contender.data / "setup-link").read_text().partition("#setup=")[2].strip()
    house.people.until((contender.data / "setup-link").exists)
    opened.set_up()
    return opened.token_for(opened.add("ana"))["token"]


def load(contender, script, options, seconds):
    return wrk(f"http://127.0.0.1:{contender.port}{PATH}", options.connections, seconds, 1, "-s", script)


def measure(contender, script, options):
    before = contender.cpu_seconds()
    requests, seconds = load(contender, script, options, options.seconds)
    return (contender.cpu_seconds() - before) / requests * 1e6, requests / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    lacking = missing_tools("nginx", "wrk", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")
    print(f"nginx {version_of('nginx')}, wrk {version_of('wrk')}, {Parley.version()}; "
          f"{options.rounds} rounds of {options.seconds} s, {options.connections} connections")

    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        model = stack.enter_context(model_server(folder))
        ours = stack.enter_context(parley(folder, model))
        theirs = stack.enter_context(proxy(folder, model))
        script = folder / "ask.lua"
        script.write_text(
            f"wrk.method = 'POST'\nwrk.body = [[{json.dumps(QUESTION)}]]\n"
            "wrk.headers['Content-Type'] = 'application/json'\n"
            f"wrk.headers['Authorization'] = 'Bearer {token_of(ours, folder)}'\n", "utf-8")
        figures = {ours: [], theirs: []}
        for contender in figures:
            load(contender, script, options, 1)  # Warm-up.
        for number in range(options.rounds):
            for contender in list(figures)[::1 if number % 2 == 0 else -1]:
                figures[contender].append(measure(contender, script, options))
        costs = {}
        for contender, rounds in figures.items():
            cost, rate = (statistics.median(column) for column in zip(*rounds))
            costs[contender] = cost
            print(f"  {contender.name:8} {cost:6.2f} µs CPU per request ({min(rounds)[0]:.2f} to "
                  f"{max(rounds)[0]:.2f})   {rate:9,.0f} requests/s")
    ratio = costs[ours] / costs[theirs]
    print(f"{'passed' if ratio <= BAR else 'FAILED'}: {ratio:.2f} times nginx, at most {BAR} is the bar")
    sys.exit(ratio > BAR)


if __name__ == "__main__":
    main()
