"""The rows of the table that `make bench` prints: what is measured, and the bars that a figure is held against. A bar
has a number (B4), by which it can be run, and one or more rows (B4/8)."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Row:
    """`judged`: "value" (Parley's own figure), "cost" (Parley's figure divided by the peer's: less is better) or "gain"
    (how many times better than the peer: more is better). The peer that counts is the best one of `peers`; `beside` are
    others, whose figures are shown. `goal_judged` is for a goal of another kind than the bar."""
    name: str
    what: str
    unit: str
    judged: str
    bar: float | None
    goal: float | None
    peers: tuple = ()
    beside: tuple = ()
    more_is_better: bool = False  # Of the figure itself.
    goal_judged: str | None = None
    records_of: str | None = None  # The row whose records this one looks at.
    why: str = ""  # Why a bar or a goal is missed, for the page about performance.

    @property
    def title(self):
        return f"{self.what}, {self.unit}" if self.unit else self.what

    @property
    def number(self):
        return self.name.partition("/")[0]

    def is_at_most(self, judged):
        """Whether a figure of this kind has to stay below its bar."""
        return judged == "cost" or judged == "value" and not self.more_is_better


LLAMA = ("llama-server",)
CEILING = ("llama-batched-bench",)

ROWS = (
    Row("B0/hello", "small response over keep-alive, with a log line each", "µs CPU", "cost", 1.5, 1.0,
        ("nginx tuned",), ("nginx",)),

    Row("B1/relay", "chat completion passed on to a model's server, with token, limits and metrics", "µs CPU", "cost",
        2.5, 1.5, ("nginx",), ("Portkey", "LiteLLM")),
    Row("B1/gateways", "chat completion passed on, beside the better one of two gateways in Node and Python", "µs CPU", "gain",
        None, 30, ("Portkey", "LiteLLM"), records_of="B1/relay"),

    Row("B2/first", "time that a proxy adds to the first event of a stream", "µs", "cost", 1.5, 50, ("nginx",),
        goal_judged="value"),
    Row("B2/lost", "events lost in 64 streams of 64 events, 20 ms apart", "", "value", 0, 0, (), ("nginx",)),
    Row("B2/events", "events that a core can pass on, by the CPU time of such streams", "events/s", "value",
        None, 100_000, (), ("nginx",), more_is_better=True),

    Row("B3/stored", "8 streamed turns at a time, stored and synced: speed relative to turns that are not stored", "s", "gain",
        0.90, 0.97, ("not stored",)),

    Row("B4/1", "built-in model, 1 stream", "tokens/s", "gain", 1.0, 1.0, LLAMA, CEILING, True),
    Row("B4/4", "built-in model, 4 streams", "tokens/s", "gain", 1.0, 1.0, LLAMA, CEILING, True),
    Row("B4/8", "built-in model, 8 streams", "tokens/s", "gain", 1.0, 1.3, LLAMA, CEILING, True),
    Row("B4/16", "built-in model, 16 streams", "tokens/s", "gain", 1.0, 1.3, LLAMA, CEILING, True),

    Row("B5/shared", "8 new sessions at once with known instructions of 600 tokens: time to the first token", "s", "gain",
        15, 25, LLAMA),

    Row("B6/gap", "4 streams run, and a prompt of 3,000 tokens arrives: their longest gap", "s", "gain", 20, 60, LLAMA),

    Row("B7/next", "next turn of a session of 800 tokens: time to the first token", "s", "gain", 1.2, 1.8, LLAMA),
    Row("B7/restart", "next turn of such a session after a restart: time to the first token", "s", "gain", 15, 25, LLAMA),
    Row("B7/crash", "next turn of such a session after kill -9: time to the first token", "s", "gain", 5, 15, LLAMA),

    Row("B8/idle", "memory of each of 9,000 idle connections", "KiB", "value", 6, 3, (), LLAMA),
    Row("B8/streams", "memory of each of 9,000 open streams of running answers", "KiB", "value", 6, 3, (), LLAMA),

    Row("B9/questions", "stored questions with their answers, of 64 clients", "per second", "gain", 0.7, 0.9,
        ("raw SQLite",), more_is_better=True),
    Row("B9/notes", "stored notes in the audit log, of 64 clients", "per second", "gain", 0.7, 0.9,
        ("raw SQLite",), more_is_better=True),
    Row("B9/sessions", "the last page of a list of 100,000 sessions, relative to the first page", "µs", "cost", 1.2, 1.05,
        ("first page",)),
    Row("B9/messages", "the last page of a conversation of 20,000 messages, relative to the first page", "µs", "cost",
        1.2, 1.05, ("first page",)),

    Row("B10/one", "decision of the rate limiter, one user", "ns", "value", 200, 100, (), ("fixed window",)),
    Row("B10/thousand", "decision of the rate limiter, a thousand users in turn", "ns", "value", 200, 100, (), ("fixed window",)),
    Row("B10/over", "requests that the rate limiter admits over the limit, in a million", "", "value", 0, 0, (), ("fixed window",)),

    Row("B11/logins", "longest gaps (p99) of 100 streams during 50 logins at a time, relative to those without", "ms",
        "cost", 1.5, 1.2, ("without logins",)),

    Row("B12/memory", "memory of the server with its default model, idle after one answer", "MiB", "value", 1024, 400, (),
        LLAMA),
    Row("B12/ready", "second start until the model can answer", "s", "value", 2, 1, (), LLAMA),

    Row("B13/busy", "built-in model while another process computes on each core, relative to idle cores",
        "tokens/s", "gain", 0.3, 0.45, ("alone",), ("llama-server", "llama-server alone"), True),

    Row("B14/one", "CPU time of a stored question, three servers on PostgreSQL (its CPU time included), one user",
        "µs CPU", "cost", 4, 2.5, ("one server on SQLite",), ("one server on PostgreSQL",)),
    Row("B14/many", "CPU time of a stored question, three servers on PostgreSQL (its CPU time included), 32 users",
        "µs CPU", "cost", 4, 2.5, ("one server on SQLite",), ("one server on PostgreSQL",)),

    Row("B15/answer", "fresh clone until the first answer, nothing built before", "minutes", "value", 9, 6),
    Row("B15/test", "`make test` of a fresh clone, nothing built before", "minutes", "value", 35, 25),

    Row("B16/1", "model on a GPU, 1 stream", "tokens/s", "gain", 0.90, 0.97, CEILING, LLAMA, True),
    Row("B16/8", "model on a GPU, 8 streams", "tokens/s", "gain", 0.90, 0.97, CEILING, LLAMA, True),
    Row("B16/32", "model on a GPU, 32 streams", "tokens/s", "gain", 0.90, 0.97, CEILING, LLAMA, True),
    Row("B16/64", "model on a GPU, 64 streams", "tokens/s", "gain", 0.90, 0.97, CEILING, LLAMA, True),
    Row("B16/lost", "64 stored streams on a GPU: those that lost text", "", "value", None, 0),
    Row("B16/first", "64 stored streams on a GPU: time to the first token of one more question", "ms", "value", None, None),
    Row("B16/lag", "64 stored streams on a GPU: times that an event loop was late by more than 5 ms", "", "value", None, 0),
)

BY_NAME = {row.name: row for row in ROWS}
NUMBERS = list(dict.fromkeys(row.number for row in ROWS))
