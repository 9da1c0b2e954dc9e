"""The language model inside the program: real answers, streamed, also across a crash."""
import os
import time

import pytest

import chats
import feeds
import program
import terminals
import wire
from chats import text_of
from replicas import Replicas

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
# Small slots, so that the server starts at once.
SETTINGS = {"model.default": "smollm2-135m", "models.smollm2-135m.engine": "llama",
            "models.smollm2-135m.context": 1024}
FRANCE = "What is the capital of France?"

pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")


@pytest.fixture(autouse=True)
def one_core():
    """Compute threads that wait for each other are slow when other tests use the cores."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    yield
    os.sched_setaffinity(0, allowed)


@pytest.fixture(name="home")
def lasting_house(start, tmp_path):
    return chats.LastingHouse(start, tmp_path / "data", SETTINGS)


@pytest.fixture(name="ana")
def somebody(home):
    return chats.somebody(home, "ana")


def test_it_knows_the_capital_of_france_and_what_was_said_before(home, ana):
    with ana.stream(FRANCE, temperature=0, max_output_tokens=24) as feed:
        events = feeds.check_events(feed.rest())
    assert "Paris" in feeds.written(events), feeds.written(events)
    assert len(events) > 4, "it comes in pieces"
    run = events[-1].data["run"]
    assert run["model"] == "smollm2-135m" and run["usage"]["input_tokens"] > 10, run

    again = ana.ask("And of Italy?", session_id=run["session_id"], temperature=0,
                    max_output_tokens=8)
    assert again["usage"]["cached_input_tokens"] >= run["usage"]["input_tokens"] - 8, again["usage"]
    with wire.Connection(home.server.address) as connection:
        assert connection.ask("GET", "/readyz").status == 200

    status = home.get("/status", home.admin)
    taken = {model["id"]: model["memory_bytes"] for model in status["models"]}["smollm2-135m"]
    assert 0.9 * WEIGHTS.stat().st_size < taken < status["memory_bytes"], status


@pytest.mark.parametrize("settings, told", [({}, None), (SETTINGS, "smollm2-135m")], ids=["left out", "offered"])
def test_the_web_app_is_told_of_the_demonstration_beside_another_default(start, settings, told):
    server = start(settings={**settings, "model.default": "scripted"})
    with wire.Connection(server.address) as connection:
        app = connection.ask("GET", "/app.json").json()
    assert (app["default_model"], app["note"], app["demonstration_model"]) == ("scripted", None, told)


def test_an_answer_goes_on_after_a_kill_in_the_same_stream(home, ana):
    asked = {"temperature": 0, "max_output_tokens": 48}
    whole = text_of(ana.ask("Tell me a story about a fox.", **asked)["message"])
    with ana.stream("Tell me a story about a fox.", **asked) as feed:
        begun = feed.until(lambda event: event.number == 12)
        run = feed.run_id
    home.kill()
    home.come_back()
    rest = ana.events(run, after=begun[-1].number)
    feeds.check_events([*begun, *rest])
    assert rest[-1].type == "run.completed", rest[-1].data
    told = feeds.written([*begun, *rest])
    assert told == text_of(ana.run(run)["message"])
    # The earlier text is now computed in one batch, which may round differently: not exactly equal.
    assert told[:len(whole) // 3] == whole[:len(whole) // 3]


def test_an_answer_goes_on_on_another_server(start, tmp_path):
    two = Replicas(start, tmp_path, 2, SETTINGS)
    owner, other = two.people
    # So long that it does not end before the server is killed, also on a busy machine.
    with owner.stream("Tell me a story about a fox.", temperature=0, max_output_tokens=160) as feed:
        begun = feed.until(lambda event: event.number == 12)
        two.kill(0)
    rest = other.events(feed.run_id, after=begun[-1].number)
    feeds.check_events([*begun, *rest])
    assert rest[-1].type == "run.completed", rest[-1].data
    assert feeds.written([*begun, *rest]) == text_of(other.run(feed.run_id)["message"])
    assert two.server_of(feed.run_id) == 1


def test_what_was_read_is_forgotten_when_another_server_deletes_it(start, tmp_path):
    two = Replicas(start, tmp_path, 2, SETTINGS)
    owner, other = two.people
    asked = owner.ask("Name three rivers.", temperature=0, max_output_tokens=8)
    assert other.request("DELETE", f"/chat/sessions/{asked['session_id']}").status == 204
    time.sleep(8)  # The second in which it hears of it, and what a busy machine needs more.
    two.servers[0].stop()
    assert not list((tmp_path / "data0/model-cache").iterdir()), "no file, as if it had never read it"


def test_what_was_read_is_known_after_a_restart_unless_it_was_deleted(home, ana, tmp_path):
    cache = tmp_path / "data/model-cache"
    kept, deleted, gone = (ana.ask(f"Name three {what}.", temperature=0, max_output_tokens=8)
                               for what in ("rivers", "cities", "trees"))
    ana.request("DELETE", f"/chat/sessions/{gone['session_id']}")
    home.server.stop()
    assert [file.stat().st_mode & 0o777 for file in cache.iterdir()] == [0o600]
    home.come_back()

    ana.request("DELETE", f"/chat/sessions/{deleted['session_id']}")
    again = ana.ask("And a fourth?", session_id=kept["session_id"], temperature=0,
                    max_output_tokens=8)
    assert again["usage"]["cached_input_tokens"] >= kept["usage"]["input_tokens"] - 8, again
    assert list(cache.iterdir()) == [], "what is forgotten now is forgotten everywhere"
    home.server.stop()
    assert list(cache.iterdir())
    assert program.run("user", "remove", "ana", "--yes", "--data", tmp_path / "data").returncode == 0
    assert not cache.exists(), "no model was there to forget her"
    home.come_back()


def test_nobody_learns_what_others_have_written(home, ana):
    """The number of cached tokens would confirm a guess of another user's text."""
    half = "My diary of Monday: I have met my old friend Eve at the harbour of Lisbon."
    text = half + " We have hidden the golden key under the third bridge, behind the mill."

    def cached(person, message):
        run = person.ask(message, temperature=0, max_output_tokens=1)
        return run["usage"]["cached_input_tokens"]

    told = [cached(chats.somebody(home, "guesser1"), text)]
    assert cached(ana, half) == 0
    told.append(cached(chats.somebody(home, "guesser2"), text))
    assert cached(ana, text) > 20, "her own words serve her in every session"
    told.append(cached(chats.somebody(home, "guesser3"), text))
    home.restart()
    told.append(cached(chats.somebody(home, "guesser4"), text))
    assert told == [0, 0, 0, 0], "nothing asked, half of it, all of it, after a restart"
    assert cached(ana, text) > 40


def test_a_cancelled_answer_leaves_the_model_to_others(ana):
    long = ana.begin("Write a very long story.", max_output_tokens=900)
    with ana.follow(long) as feed:
        feed.until(lambda event: event.type == "message.delta")
    ana.cancel(long)
    assert ana.ended(long)["status"] == "cancelled"
    assert "Paris" in text_of(ana.ask(FRANCE, temperature=0, max_output_tokens=24)["message"])


def test_those_who_chat_on_a_terminal_are_told_that_it_is_a_demonstration(home, ana, tmp_path):
    """At the start of a conversation, and after a single answer."""
    assert ana.ask("Hi", max_output_tokens=1)["model"] == "smollm2-135m"
    chat = ("chat", "--data", str(home.server.data), "--user", "olga")
    for words in ((), ("What is the capital of France? Answer in one word.",)):
        command = terminals.Terminal(*chat, *words, home=tmp_path)
        try:
            command.read_until("smollm2-135m is a demonstration: it is very small and often wrong")
        finally:
            command.close()
