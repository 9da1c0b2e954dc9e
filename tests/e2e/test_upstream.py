"""Models on other servers, `engine = "upstream"`, without failures: requests and responses."""
import pytest

import chats
import completions
import program
import receivers
import upstream_ways as ways
import upstreams

GOOD = ("ok", "all_at_once", "no_usage", "length", "empty", "restarting", "silent")


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(mock, tmp_path_factory):
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    settings = upstreams.settings_of(mock, key, *GOOD)
    with receivers.closed_port() as port:
        settings |= {"models.second.engine": "upstream",
                     "models.second.base_url": f"http://127.0.0.1:{port}/v1,{mock.base_url('ok')}",
                     "models.second.api_key_file": f",{key}"}
        with chats.house(settings) as opened:
            yield opened
        assert ways.KEY not in opened.server.log.text()


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def test_an_answer_comes_from_there(ana, mock):
    run = ana.ask("What is two?", model="ok", temperature=0.5, top_p=0.9, seed=7, stop=["END"],
                  max_output_tokens=50)
    assert chats.text_of(run["message"]) == ways.TEXT
    assert run["message"]["stop_reason"] == "end_turn"
    assert run["usage"] == {"input_tokens": 11, "output_tokens": 5, "total_tokens": 16,
                            "cached_input_tokens": 4}
    asked = mock.asked("ok")[-1]
    assert asked == {"model": "there", "messages": [{"role": "user", "content": "What is two?"}],
                     "stream": True, "stream_options": {"include_usage": True}, "max_tokens": 50,
                     "temperature": 0.5, "top_p": 0.9, "seed": 7, "stop": ["END"]}
    how, head, _ = mock.questions[-1]
    assert how == "ok" and head["authorization"] == f"Bearer {ways.KEY}"


def test_all_that_a_question_says_of_sampling_arrives_there(ana, mock):
    """Also after it was stored with the run; and nothing else arrives."""
    sampling = {"top_k": 40, "min_p": 0.05, "repeat_penalty": 1.1, "presence_penalty": -0.5,
                "frequency_penalty": 0.25}
    usual = {"model": "there", "messages": [{"role": "user", "content": "What is two?"}],
             "stream": True, "stream_options": {"include_usage": True}}
    ana.ask("What is two?", model="ok", **sampling)
    assert mock.asked("ok")[-1] == {**usual, **sampling}
    sampling |= {"logit_bias": {"7": -100}}
    completions.complete(ana, "What is two?", model="ok", store=True, **sampling)
    assert mock.asked("ok")[-1] == {**usual, **sampling}


def test_a_conversation_is_told_with_its_instructions(ana, mock):
    session = ana.request("POST", "/chat/sessions", {"instructions": "Be brief.",
                                                     "model": "ok"}).json()["id"]
    for question in ("First?", "Second?"):
        ana.ask(question, session_id=session)
    assert mock.asked("ok")[-1]["messages"] == [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "First?"},
        {"role": "assistant", "content": ways.TEXT}, {"role": "user", "content": "Second?"}]


def test_a_stream_brings_each_piece(ana):
    with ana.stream("Hello?", model="ok") as feed:
        events = feed.rest()
    assert [event.delta for event in events if event.delta] == ways.WORDS
    assert events[-1].type == "run.completed"


@pytest.mark.parametrize("model, text, reason", [
    ("all_at_once", ways.TEXT, "end_turn"), ("no_usage", ways.TEXT, "end_turn"),
    ("length", ways.TEXT, "max_tokens"), ("empty", "", "end_turn"),
    ("restarting", ways.TEXT, "end_turn"), ("second", ways.TEXT, "end_turn")])
def test_what_servers_do_differently(ana, model, text, reason):
    run = ana.ask("Hello there?", model=model)
    assert (run["status"], chats.text_of(run["message"])) == ("completed", text)
    assert run["message"]["stop_reason"] == reason
    assert run["usage"]["input_tokens"] > 0


def test_usage_that_is_not_told_is_estimated(ana):
    """A third of a token for each byte of ASCII, half a token for each other byte, four for a turn."""
    usage = ana.ask("a" * 30, model="no_usage")["usage"]
    other = len(ways.TEXT.encode()) - len(ways.TEXT) + ways.TEXT.count("é")
    ascii_bytes = len(ways.TEXT) - ways.TEXT.count("é")
    assert usage["input_tokens"] == 30 / 3 + 4
    assert usage["output_tokens"] == -(-(2 * ascii_bytes + 3 * other) // 6)
    assert usage["cached_input_tokens"] == 0


def test_a_cancelled_run_lets_go_of_the_other_server(ana, mock):
    run = ana.begin("Hello?", model="silent")
    with ana.follow(run) as feed:
        while not (event := feed.next()).delta:
            assert not event.is_last
        ana.cancel(run)
        assert mock.left.acquire(timeout=program.PATIENCE), "the connection was not closed"
        ended = ana.ended(run)
    assert ended["status"] == "cancelled"
    assert ways.HALF.startswith(chats.text_of(ended["message"]))


def test_one_connection_serves_one_question_after_the_other(start, mock, tmp_path):
    """Also after a stream, whose end is not awaited."""
    key = upstreams.write_key(tmp_path)
    settings = {**chats.FRUGAL, "server.loops": 1, **upstreams.settings_of(mock, key, "ok")}
    house = chats.people.House(start(settings=settings)).set_up()
    bea = chats.somebody(house, "bea")
    before = mock.connections
    for _ in range(5):
        bea.ask("Hello?", model="ok")
    assert mock.connections - before <= 2


def test_a_crash_interrupts_what_cannot_be_taken_up_and_keeps_it(start, mock, tmp_path):
    key = upstreams.write_key(tmp_path)
    house = chats.LastingHouse(start, tmp_path / "data",
                               upstreams.settings_of(mock, key, "silent"))
    bea = chats.somebody(house, "bea")
    with bea.stream("Hello?", model="silent") as feed:
        seen = feed.until(lambda event: event.delta == ways.WORDS[1])
        run = feed.run_id
    house.kill()
    house.come_back()
    ended = bea.ended(run)
    assert ended["status"] == "interrupted"
    assert chats.text_of(ended["message"]) == ways.HALF
    events = bea.events(run)
    assert [event.frame for event in events[:len(seen)]] == [event.frame for event in seen]
    assert events[-1].type == "run.interrupted"
