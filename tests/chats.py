"""Chatting with a server under test: questions, runs, answers. All paths here are relative to /v1/api."""
import contextlib
import signal
import urllib.parse

import feeds
import people
import wire

# For tests that are not about limits; the answers of the scripted model are known.
ROOMY = {**people.ROOMY, "limits.chat": 5000, "model.default": "scripted"}
# The same limits per second, which need a tenth of the disk space: for data that pytest keeps.
FRUGAL = {"limits.auth": 10, "limits.general": 300, "limits.chat": 300, "limits.window_s": 1,
          "model.default": "scripted"}

QUESTION_FIELDS = {"object", "id", "session_id", "parent_id", "role", "content", "created_at",
                   "metadata"}
ANSWER_FIELDS = QUESTION_FIELDS | {"stop_reason", "model", "run_id"}
RUN_FIELDS = {"object", "id", "status", "session_id", "automation_run_id", "model", "queue_position", "created_at",
              "started_at", "completed_at", "user_message", "message", "output", "usage", "error",
              "metadata"}
SESSION_FIELDS = {"object", "id", "title", "instructions", "model", "archived", "message_count",
                  "active_run_ids", "created_at", "updated_at", "last_message_at", "automation_id",
                  "keep", "metadata"}
USAGE_FIELDS = {"input_tokens", "output_tokens", "total_tokens", "cached_input_tokens"}
ABSENT = object()


def text_of(message):
    return "".join(part["text"] for part in message["content"])


def words(count):
    """The scripted model's answer to {words:count}."""
    return " ".join(f"w{number}" for number in range(1, count + 1))


class Person:
    """A user who chats, with one token."""

    def __init__(self, house, token):
        self.house = house
        self.token = token

    def request(self, method, path, body=None, headers=None):
        return self.house.ask(method, path, self.token, body, headers)

    def get(self, path):
        return self.house.get(path, self.token)

    def pages(self, path, limit=100, **query):
        """All entries of a list, page by page, with these parameters."""
        entries, after = [], {}
        while True:
            asked = urllib.parse.urlencode({"limit": limit, **query, **after})
            page = self.get(f"{path}?{asked}")
            entries += page["data"]
            if not page["has_more"]:
                return entries
            after = {"after": page["next_cursor"]}

    def query(self, message=ABSENT, headers=None, **more):
        """The response to a query; the message may be omitted."""
        return self.request("POST", "/chat/query", body_of(message, more), headers)

    def ask(self, message=ABSENT, headers=None, **more):
        """The completed run for this question."""
        response = self.query(message, headers, **more)
        assert response.status == 200, response.body
        return response.json()

    def begin(self, message=ABSENT, headers=None, **more):
        """A run in the background."""
        response = self.query(message, headers, background=True, **more)
        assert response.status == 202, response.body
        return response.json()

    def stream(self, message=ABSENT, headers=None, receive_buffer=None, **more):
        return feeds.Feed(self.house.server, "POST", "/chat/query", self.token,
                          body_of(message, {**more, "stream": True}), headers, receive_buffer)

    def follow(self, run, after=None, headers=None, **options):
        """The stream of a run, from its start or after a number; `run` may be its id."""
        path = f"/chat/runs/{name_of(run)}/events" + ("" if after is None else f"?after={after}")
        return feeds.Feed(self.house.server, "GET", path, self.token, headers=headers, **options)

    def events(self, run, after=None):
        """All events of a run; waits for its end."""
        events, last = [], after or 0
        while not events or not events[-1].is_last:
            # A reader that is slower than the model is disconnected, and resumes.
            with self.follow(run, last) as feed:
                more, _ = feed.until_cut()
            assert more, "a stream brought nothing"
            events += more
            last = events[-1].number
        return feeds.check_events(events, after or 0)

    def run(self, run):
        return self.get(f"/chat/runs/{name_of(run)}")

    def when(self, run, *statuses):
        """Waits until the run has one of these states."""
        def come_to():
            now = self.run(run)
            return now if now["status"] in statuses else None
        return people.until(come_to)

    def ended(self, run):
        return self.when(run, *feeds.ENDED)

    def cancel(self, run):
        response = self.request("POST", f"/chat/runs/{name_of(run)}/cancel")
        assert response.status == 200, response.body
        return response.json()

    def messages(self, session, **query):
        """The messages of one branch, oldest first by default."""
        return self.pages(f"/chat/sessions/{name_of(session)}/messages", **query)


def name_of(thing):
    return thing if isinstance(thing, str) else thing["id"]


def body_of(message, more):
    return more if message is ABSENT else {"message": message, **more}


def somebody(house, name, **options):
    """A new user with a personal token."""
    return Person(house, house.token_for(house.add(name), **options)["token"])


@contextlib.contextmanager
def house(settings=None):
    with people.house(settings={**ROOMY, **(settings or {})}) as opened:
        yield opened


class LastingHouse(people.House):
    """A house whose server can stop, and restart with the same data."""

    def __init__(self, start, directory, settings=None):
        self._begin = lambda: start("--data", directory, settings={**FRUGAL, **(settings or {})})
        super().__init__(self._begin())
        self.set_up()

    def kill(self):
        self.server.signal(signal.SIGKILL)
        assert self.server.wait() == -9

    def come_back(self):
        self.server = self._begin()

    def end_in_a_hurry(self):
        """As an operator who sends the signal twice: running runs are not waited for."""
        with wire.Connection(self.server.address) as connection:  # Otherwise it stops at once.
            assert connection.ask("GET", "/healthz").status == 200
            self.server.signal(signal.SIGTERM)
            self.server.wait_until_draining()
            self.server.signal(signal.SIGTERM)
        self.server.wait()

    def restart(self):
        """Stops it as an operator would, with patience, and starts it again."""
        self.server.stop()
        self.come_back()
