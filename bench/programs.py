"""The programs that bench/run starts, and how long they take on two cores with five rounds."""
import dataclasses

import machine
from contenders import ROOT

GPU_BACKEND = ROOT / "build/release/backends/libggml-cuda.so"


@dataclasses.dataclass(frozen=True)
class Program:
    """`rounds`: as a function of those that were asked for. `needs`: what is made before the first one starts."""
    name: str
    bars: tuple = ()
    minutes: float = 1
    arguments: tuple = ()
    rounds: object = lambda count: count
    needs: tuple = ()
    hours: float = 0.5  # After which it is ended.

    def command(self, rounds):
        counted = ["--rounds", str(self.rounds(rounds))] if self.bars and self.rounds else []
        return [f"{self.name}.py", *counted, *self.arguments]


MEASUREMENTS = (
    Program("hello_vs_nginx", ("B0",), 1),
    Program("relay_vs_nginx", ("B1",), 2.5, needs=("gateways",)),
    Program("relay_streams", ("B2",), 0.7),
    Program("stored_turns", ("B3",), 1.2, rounds=lambda count: 2 * count - 1),  # Short rounds, and a small difference.
    Program("embedded_model", ("B4",), 6, ("speed",), needs=("llama",)),
    Program("embedded_model", ("B5",), 1.5, ("shared",), needs=("llama",)),
    Program("embedded_model", ("B6",), 3.5, ("long",), needs=("llama",)),
    Program("embedded_model", ("B7",), 5.5, ("next", "restart", "crash"), needs=("llama",)),
    Program("idle_connections", ("B8",), 3.5, needs=("llama",)),
    Program("durable_questions", ("B9",), 0.8, needs=("bench_durable_raw_questions",)),
    Program("durable_operations", ("B9",), 0.5, needs=("bench_durable_raw_sqlite",)),
    Program("pages", ("B9",), 2.5),
    Program("limiter", ("B10",), 0.7, needs=("bench_limits",)),
    Program("streams", ("B11",), 1.5, ("--logins", "50")),
    Program("idle_server", ("B12",), 2, needs=("llama",)),
    Program("busy_cores", ("B13",), 2.5, needs=("llama",)),
    Program("shared_servers", ("B14",), 2.5, ("--seconds", "3")),
    Program("fresh_clone", ("B15",), 60, rounds=None, hours=3),
    Program("gpu_model", ("B16",), 10, rounds=lambda count: max(1, count - 2), needs=("llama", "random model"), hours=1),
)
# Without a bar of the table; each says itself whether it is content.
OTHERS = (
    Program("durable_store", needs=("bench_durable_store", "bench_durable_raw_sqlite"), minutes=0.7),
    Program("token_check", needs=("bench_token_check",), minutes=0.3),
    Program("structured_stream", minutes=3),
    Program("health_while_decoding", minutes=0.6),
    Program("due_automations", minutes=3),
    Program("search", minutes=8),
    Program("imports", minutes=3),
    Program("followed_runs", minutes=1.5),
    Program("event_log", minutes=1.5),
)
ONLY_WHEN_NAMED = {"B15": "takes an hour; make bench ARGS=B15"}


def impossible():
    """Bars that cannot be measured here, with the reason."""
    if not machine.gpus():
        return {"B16": "there is no NVIDIA GPU in this machine"}
    if not GPU_BACKEND.is_file():
        return {"B16": "Parley was built without CUDA (cmake --preset release -DPARLEY_CUDA=ON)"}
    return {}


def chosen(words):
    """The programs that these words name: numbers of bars, names of programs, `others`; without words, all that have a
    bar, except for those that take very long. Raises KeyError with an unknown word."""
    if not words:
        return [each for each in MEASUREMENTS if not set(each.bars) & set(ONLY_WHEN_NAMED)]
    found = []
    for word in words:
        named = [each for each in MEASUREMENTS + OTHERS if word in (each.name, *each.bars)]
        named = list(OTHERS) if word == "others" else named
        if not named:
            raise KeyError(word)
        found += [each for each in named if each not in found]
    return found
