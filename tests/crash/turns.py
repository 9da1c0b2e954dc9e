"""The ledger of chatting clients: every question, the server's response, and each frame. And its comparison
with a server after a crash."""
import dataclasses
import json
import re
import time

import feeds
from chats import text_of
from people import at, is_id

DIRECTIVE = re.compile(r"^\{delay_ms:\d+\} ", re.A)
SIGNATURE = re.compile(r"client (\S+) turn (\d+)", re.A)
NOTHING_LATER_THAN = 15.0  # Seconds after a start within which all interrupted runs have ended.


@dataclasses.dataclass
class Turn:
    key: str            # Its Idempotency-Key.
    body: dict          # As sent.
    status: int | None  # None if the connection ended before the response began.
    run: dict | None    # From a plain answer or a terminal event; otherwise as it had begun.
    frames: str         # All complete frames, from the first.
    cut: bool           # The server ended before the end of the stream.

    def line(self):
        return json.dumps(dataclasses.asdict(self)) + "\n"

    @property
    def has_ended(self):
        return self.run is not None and self.run["status"] in feeds.ENDED

    @property
    def numbers(self):
        return [int(number) for number in re.findall(r"^id: (\d+)$", self.frames, re.M)]


def read(file):
    with open(file, encoding="utf-8") as lines:
        return [Turn(**json.loads(line)) for line in lines if line.endswith("\n")]


def write_message(random, client, number):
    """A unique question of any characters; the scripted model answers slowly with all of it except the
    directive."""
    letters = "aZ09'\"\\/%;-\n\t\r\x01\x7fßñж中\u2028\ufeff\U0001f980"
    words = ["".join(random.choices(letters, k=random.randrange(1, 9)))
             for _ in range(random.choice((2, 8, 30)))]
    delay = random.choice((0, 0, 1, 5, 15))
    return f"{{delay_ms:{delay}}} client {client} turn {number} " + " ".join(words)


def reply_to(message):
    """The scripted model's answer, with or without a crash."""
    return DIRECTIVE.sub("", message)


class Settling:
    """Compares a restarted server with the clients' ledger: all responses are still true, and every run that
    was started ends as it would have without the crash."""

    def __init__(self, person, began=None, power_was_cut=False):
        self.person = person
        self.began = began or time.time()
        self.power_was_cut = power_was_cut

    def settle(self, turns):
        for turn in turns:
            if turn.status is not None and turn.status >= 400:
                self._check_refusal(turn)
                continue
            run = self._find(turn)
            self._check_run(turn, run)
            self._check_stream(turn, run)
            self._check_key(turn, run)
        for session in {turn.run["session_id"] for turn in turns if turn.run}:
            self._check_session(session, turns)

    def _find(self, turn):
        """The run of a turn, after its end. A request without a response is sent again."""
        if turn.run is None:
            response = self._ask_again(turn)
            assert response.status == 200, (turn, response.body)
            turn.run = response.json()
            return turn.run
        run = self.person.ended(turn.run["id"])
        # By its own time: on a slow machine, these comparisons of all turns take longer than the runs.
        assert at(run["completed_at"]) - self.began < NOTHING_LATER_THAN, f"too late: {turn}"
        return run

    def _ask_again(self, turn):
        body = {name: value for name, value in turn.body.items() if name in (
            "message", "session_id")}
        return self.person.request("POST", "/chat/query", body, {"Idempotency-Key": turn.key})

    def _check_run(self, turn, run):
        assert is_id(run["id"], "run") and run["status"] == "completed", (turn, run)
        assert text_of(run["user_message"]) == turn.body["message"], "another question"
        assert text_of(run["message"]) == reply_to(turn.body["message"]), (
            f"not what it would have been: {turn}, {run}")
        if turn.body.get("session_id"):
            assert run["session_id"] == turn.body["session_id"]
        if turn.has_ended and not (self.power_was_cut and turn.frames):
            assert run == turn.run, f"acknowledged, and changed: {turn.run} is now {run}"
        for name in ("id", "session_id", "created_at", "user_message"):
            assert run[name] == turn.run[name], f"acknowledged, and changed: {name} of {turn}"

    def _check_stream(self, turn, run):
        whole = self.person.events(run)
        assert whole[-1].data["run"] == run
        assert feeds.written(whole) == reply_to(turn.body["message"])
        seen = turn.frames.encode()
        if self.power_was_cut:
            self._check_resumed_after_power_cut(turn, run)
            return
        assert feeds.frames(whole).startswith(seen), f"other bytes than before: {turn}"
        last = len(turn.numbers)
        assert turn.numbers == list(range(1, last + 1)), turn
        if last == len(whole):
            with self.person.follow(run, last) as feed:
                assert feed.response.status == 204
        elif last:
            assert feeds.frames(self.person.events(run, last)) == feeds.frames(whole[last:])

    def _check_resumed_after_power_cut(self, turn, run):
        """Frames are not synced: a client that has seen more than was stored gets a snapshot."""
        with self.person.follow(run, len(turn.numbers)) as feed:
            if feed.response.status == 204:
                return
            first, *rest = feed.rest()
        if first.type == "run.snapshot":
            feeds.check_events(rest, first.number)
            text = text_of(first.data["message"]) + feeds.written(rest)
            assert text == reply_to(turn.body["message"]), turn
        else:
            feeds.check_events([first, *rest], len(turn.numbers))

    def _check_key(self, turn, run):
        again = self._ask_again(turn)
        assert again.status == 200 and again.json() == run, f"asked twice: {turn}"
        assert again.header("idempotency-replayed") == "true"

    def _check_refusal(self, turn):
        assert turn.status == 503, turn
        again = self._ask_again(turn)  # A refusal does not use up the key.
        assert again.status == 200 and again.header("idempotency-replayed") is None, turn
        turn.run = again.json()

    def _check_session(self, session, turns):
        """All of its questions were sent, each occurs once, and each has its answer."""
        messages = self.person.messages(session)
        assert [message["role"] for message in messages] == ["user", "assistant"] * (
            len(messages) // 2)
        questions = [text_of(message) for message in messages[::2]]
        assert len(set(questions)) == len(questions), f"asked twice: {questions}"
        sent = [turn.body["message"] for turn in turns if turn.run
                and turn.run["session_id"] == session]
        assert set(questions) == set(sent), f"lost, or sent by nobody: {questions}, {sent}"
        numbers = [int(SIGNATURE.search(question)[2]) for question in questions]
        if not any(turn.status and turn.status >= 400 for turn in turns):
            assert numbers == sorted(numbers), "a client waits for one answer before it asks on"
        for question, answer in zip(messages[::2], messages[1::2]):
            assert text_of(answer) == reply_to(text_of(question))
            assert answer["sibling_ids"] == [answer["id"]]


def check_all(person, turns):
    """At the end: exactly the expected sessions exist."""
    sessions = {session["id"] for session in person.pages("/chat/sessions", archived="all")}
    known = {turn.run["session_id"] for turn in turns if turn.run}
    assert sessions == known, f"lost: {known - sessions}; made by nobody: {sessions - known}"
    assert all(session["active_run_ids"] == [] for session in person.pages("/chat/sessions"))
