"""Answers of the built-in model in a format: always valid, also across a crash. The judges are jsonschema and ajv."""
import json
import os
import re

import pytest

import ajv
import chats
import feeds
import test_embedded_model
from chats import text_of
from schemas import Schemas, check
from test_embedded_model import SETTINGS, WEIGHTS

pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")

one_core = test_embedded_model.one_core
SCHEMAS = 100 if os.environ.get("PARLEY_MODELS") == "full" else 10
PERSON = {"type": "object", "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 24}, "age": {"type": "integer",
                                                                         "minimum": 0, "maximum": 120},
    "mood": {"enum": ["good", "bad", "neutral"]}, "born": {"type": "string", "format": "date"}},
    "required": ["name", "age", "mood", "born"], "additionalProperties": False}


@pytest.fixture(name="home")
def lasting_house(start, tmp_path):
    return chats.LastingHouse(start, tmp_path / "data", SETTINGS)


@pytest.fixture(name="ana")
def somebody(home):
    return chats.somebody(home, "ana")


def test_every_answer_is_valid_or_cut(ana, tmp_path):
    schemas = Schemas(15)
    complete = []
    for seed in range(SCHEMAS):
        schema = schemas.object(3)
        run = ana.ask("Make something up.", temperature=2, seed=seed, max_output_tokens=80,
                      response_format={"type": "json_schema", "schema": schema})
        if run["message"]["stop_reason"] == "max_tokens":
            assert run["output"] is None
            continue
        assert run["message"]["stop_reason"] == "end_turn"
        assert check(text_of(run["message"]), schema) == run["output"]
        complete.append([schema, text_of(run["message"])])
    assert len(complete) >= max(4, SCHEMAS * 3 // 10), complete
    for each, verdict in zip(complete, ajv.verdicts(tmp_path, complete), strict=True):
        assert verdict == [True], each


def test_a_short_limit(ana):
    run = ana.ask("Describe a person.", max_output_tokens=5,
                  response_format={"type": "json_schema", "schema": PERSON})
    assert run["message"]["stop_reason"] == "max_tokens" and run["output"] is None
    assert run["usage"]["output_tokens"] == 5


def test_any_object(ana):
    run = ana.ask("Describe the weather as JSON.", temperature=0, max_output_tokens=200,
                  response_format={"type": "json_object"})
    if run["message"]["stop_reason"] == "end_turn":
        assert isinstance(run["output"], dict)
    assert text_of(run["message"]).startswith("{")


@pytest.mark.parametrize("events", [3, 6, 12, 20])
def test_it_goes_on_after_a_kill_in_the_same_stream(home, ana, events):
    asked = {"temperature": 1, "seed": 7, "max_output_tokens": 120,
             "response_format": {"type": "json_schema", "schema": PERSON}}
    with ana.stream("Describe a person as JSON.", **asked) as feed:
        begun = feed.until(lambda event: event.number == events)
        run = feed.run_id
    home.kill()
    home.come_back()
    rest = ana.events(run, after=begun[-1].number)
    feeds.check_events([*begun, *rest])
    ended = rest[-1].data["run"]
    assert rest[-1].type == "run.completed" and ended["message"]["stop_reason"] == "end_turn", ended
    written = feeds.written([*begun, *rest])
    assert written == text_of(ended["message"])
    assert check(written, PERSON) == ended["output"]


def test_it_goes_on_after_a_kill_in_the_middle_of_an_escape(home, ana):
    """Twice in one answer, which can only be this one."""
    value = {"text": "".join(map(chr, range(1, 8))) * 2 + '"\\é😀'}
    schema = {"type": "object", "properties": {"text": {"const": value["text"]}}, "required": ["text"]}
    asked = {"temperature": 0, "max_output_tokens": 200, "response_format": {"type": "json_schema", "schema": schema}}
    seen = []

    def in_an_escape(event):
        seen.append(event)
        return event.type == "message.delta" and re.search(r"\\(u[0-9a-f]{0,3})?$", feeds.written(seen))

    with ana.stream("Write it.", **asked) as feed:
        feed.until(in_an_escape)
        run = feed.run_id
    home.kill()
    home.come_back()
    with ana.follow(run, after=seen[-1].number) as feed:
        feed.until(in_an_escape)
    home.kill()
    home.come_back()
    rest = ana.events(run, after=seen[-1].number)
    feeds.check_events([*seen, *rest])
    ended = rest[-1].data["run"]
    assert rest[-1].type == "run.completed" and ended["message"]["stop_reason"] == "end_turn", ended
    assert ended["output"] == value == json.loads(feeds.written([*seen, *rest]))
    assert feeds.written([*seen, *rest]) == text_of(ended["message"])
