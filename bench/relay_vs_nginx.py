#!/usr/bin/env python3
"""The cost of relaying a chat completion to a model's server, compared with nginx as a proxy, and with two gateways for
language models (gateways.py):

    bench/relay_vs_nginx.py [--rounds 5] [--seconds 3] [--connections 32]

Parley also checks the token, counts the limit and writes its metrics and its log; nginx only relays and logs. All have
one loop, pinned to the first core; the model's server (another nginx with a fixed response) and the load generator
(wrk) share the second. They take turns. The figure is CPU time per request, user and system together, from /proc."""
import argparse
import contextlib
import json
import pathlib
import sys
import tempfile
import urllib.request

import gateways
import house
import results
from contenders import Nginx, Parley, missing_tools, version_of, wrk

ROW = "B1/relay"
PATIENCE = "20s"  # Of wrk: a gateway may need seconds for its first requests.
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


def script_for(contender, headers, folder):
    """The request of each client of wrk."""
    file = folder / f"{contender.name}.lua"
    lines = ["wrk.method = 'POST'", f"wrk.body = [[{json.dumps(QUESTION)}]]"]
    lines += [f"wrk.headers['{name}'] = '{value}'"
              for name, value in {"Content-Type": "application/json", **headers}.items()]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def check(contender, headers):
    """The answer of the model's server comes back."""
    request = urllib.request.Request(f"http://127.0.0.1:{contender.port}{PATH}", json.dumps(QUESTION).encode(),
                                     {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=60) as response:
        found = json.load(response)["choices"][0]["message"]["content"]
    if found != ANSWER["choices"][0]["message"]["content"]:
        raise RuntimeError(f"answers something else: {found[:100]!r}")


def load(contender, script, options, seconds):
    return wrk(f"http://127.0.0.1:{contender.port}{PATH}", options.connections, seconds, 1, "--timeout", PATIENCE,
               "-s", script)


def measure(contender, script, options):
    before = contender.cpu_seconds()
    requests, seconds = load(contender, script, options, options.seconds)
    return (contender.cpu_seconds() - before) / requests * 1e6, requests / seconds


def start_gateways(stack, folder, model):
    """Those that can be installed and started here."""
    started = []
    for gateway in gateways.ALL:
        try:
            one = stack.enter_context(gateway(folder, 0, model.port))
            check(one, one.headers)
            started.append(one)
        except Exception as fault:  # pylint: disable=broad-except
            give_up(gateway, fault)
    return started


def give_up(gateway, fault):
    reason = (str(fault).strip().splitlines() or [type(fault).__name__])[-1][:200]
    print(f"{gateway.name} cannot be measured: {fault}", flush=True)
    results.absent(ROW, gateway.name, reason)


def measure_all(scripts, options):
    for contender, script in scripts.items():
        with contextlib.suppress(RuntimeError):  # The first requests of a gateway may be slow.
            load(contender, script, options, 1)
    for number in range(options.rounds):
        for contender in list(scripts)[::1 if number % 2 == 0 else -1]:
            try:
                cost, rate = measure(contender, scripts[contender], options)
            except RuntimeError as fault:
                if not isinstance(contender, gateways.Gateway):
                    raise
                give_up(contender, fault)
                del scripts[contender]
                continue
            results.record(ROW, contender.name, cost, number)
            print(f"  {number + 1}. {contender.name:8} {cost:9.2f} µs CPU per request   {rate:9,.0f} requests/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    lacking = missing_tools("nginx", "wrk", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")
    print(f"{options.rounds} rounds of {options.seconds} s, {options.connections} connections")
    results.used("wrk", version_of("wrk"))

    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        model = stack.enter_context(model_server(folder))
        ours = stack.enter_context(parley(folder, model))
        theirs = stack.enter_context(proxy(folder, model))
        headers = {"Authorization": f"Bearer {token_of(ours, folder)}"}
        scripts = {each: script_for(each, headers, folder) for each in (ours, theirs)}
        results.used(ours.name, Parley.version(), ours.command)
        results.used(theirs.name, version_of("nginx"), theirs.command)
        for gateway in start_gateways(stack, folder, model):
            scripts[gateway] = script_for(gateway, gateway.headers, folder)
            results.used(gateway.name, gateway.version(), gateway.command)
        measure_all(scripts, options)
    sys.exit(results.verdict(ROW, "B1/gateways"))


if __name__ == "__main__":
    main()
