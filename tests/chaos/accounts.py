"""The observations of the clients (talkers.py), compared with the servers: every accepted question was
answered once, with the same bytes for all readers, and no limit was exceeded."""
import bisect
import collections
import dataclasses
import json
import math

import chats
import feeds

# The memory of a refusal, and what a request may take to be sent or answered.
REFUSAL_IS_KEPT = 0.05
# PostgreSQL writes its log at least as often, if a commit does not wait for it.
UNSYNCED = 1.0


@dataclasses.dataclass
class Turn:
    """A question, which has one key, and its answer."""
    kind: str
    key: str
    words: int
    run: str
    status: str
    events: int
    digests: list    # One of the whole stream for each of its readers.
    silence: float   # The longest time without an event.
    connections: int


@dataclasses.dataclass
class Asked:
    """A request that counts for a limit."""
    kind: str
    sent: float
    answered: float
    status: int | None  # None: it is unknown whether it was admitted.


@dataclasses.dataclass
class Logged:
    """An event of the user's event log, as it was streamed."""
    kind: str
    number: int
    type: str
    subject: str


KINDS = {"turn": Turn, "asked": Asked, "logged": Logged}


def read(file):
    """The entries by kind."""
    entries = collections.defaultdict(list)
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            entries[entry["kind"]].append(KINDS[entry["kind"]](**entry))
    return entries


def check_turns(turns, world):
    """Against the database and, for the last ones, against each server."""
    for turn in turns:
        assert len(set(turn.digests)) == 1, f"readers saw different bytes: {turn}"
    runs = collections.Counter(turn.run for turn in turns)
    assert max(runs.values()) == 1, f"one run for two questions: {runs.most_common(1)}"
    stored = collections.Counter(world.query("SELECT encode(id, 'escape') FROM runs"))
    lost = set(runs) - set(stored)
    assert not lost, f"acknowledged, and lost: {sorted(lost)[:3]}"
    more = set(stored) - set(runs)
    assert not more, f"questions were executed twice: {sorted(more)[:3]}"
    for person in world.people:
        for turn in turns[-200:]:  # Within the limit of requests.
            events = person.events(turn.run)
            assert feeds.digest(events) == turn.digests[0], f"other bytes than before: {turn}"
            assert events[-1].data["run"]["status"] == turn.status
            if turn.status == "completed":
                assert feeds.written(events) == chats.words(turn.words)


def check_log(logged, turns, person):
    """The event log as it was followed is the one that is stored, and has each run once."""
    stored = [(event["sequence_number"], event["type"], event["data"]["id"])
              for event in person.pages("/events", types="chat.run.*")]
    assert [(each.number, each.type, each.subject) for each in logged] == stored
    begun = [subject for _, kind, subject in stored if kind == "chat.run.created"]
    ended = [subject for _, kind, subject in stored if kind != "chat.run.created"]
    assert sorted(begun) == sorted(ended) == sorted(turn.run for turn in turns)


def over_limit(asked, limit, window, crashes):
    """The most admissions above the limit that were certainly within one window; 0 is right. Those that were
    not synced when the database crashed are not counted by anybody."""
    def is_forgotten(each):
        return any(begun - UNSYNCED <= each.answered <= end for begun, end in crashes)
    admitted = [each for each in asked if each.status == 200 and each.answered - each.sent < window and
                not is_forgotten(each)]
    most = 0
    ends = sorted(each.answered for each in admitted)
    starts = sorted(each.sent for each in admitted)
    for begin in starts:
        # Those sent since `begin` and answered before the window ends.
        within = bisect.bisect_right(ends, begin + window) - bisect.bisect_left(starts, begin)
        most = max(most, within)
    return max(0, most - limit)


def refused_too_early(asked, limit, window):
    """Refusals at a time when certainly fewer requests than the limit had been admitted. A request that failed
    was perhaps admitted, and perhaps later: by a server that was stopped, or when its words reached the
    database."""
    maybe = [each for each in asked if each.status != 429]
    sent = sorted(each.sent for each in maybe)
    answered = sorted(each.answered if each.status == 200 else math.inf for each in maybe)
    early = []
    for each in asked:
        if each.status != 429:
            continue
        begin = each.sent - REFUSAL_IS_KEPT - window
        counted = bisect.bisect_right(sent, each.answered) - bisect.bisect_left(answered, begin)
        if counted < limit:
            early.append((each, counted))
    return early
