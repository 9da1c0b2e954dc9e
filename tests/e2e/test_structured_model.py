"""Answers of the built-in model in a format: always valid, also across a crash. The judge is jsonschema."""
import datetime
import json
import random
import uuid

import jsonschema
import pytest

import chats
import feeds
import test_embedded_model
from chats import text_of
from test_embedded_model import SETTINGS, WEIGHTS

pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")

one_core = test_embedded_model.one_core
PERSON = {"type": "object", "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 24}, "age": {"type": "integer",
                                                                         "minimum": 0, "maximum": 120},
    "mood": {"enum": ["good", "bad", "neutral"]}, "born": {"type": "string", "format": "date"}},
    "required": ["name", "age", "mood", "born"], "additionalProperties": False}
FORMATS = jsonschema.FormatChecker(formats=())
FORMATS.checks("date", raises=ValueError)(datetime.date.fromisoformat)
FORMATS.checks("uuid", raises=ValueError)(uuid.UUID)


@pytest.fixture(name="home")
def lasting_house(start, tmp_path):
    return chats.LastingHouse(start, tmp_path / "data", SETTINGS)


@pytest.fixture(name="ana")
def somebody(home):
    return chats.somebody(home, "ana")


class Schemas:
    """Random schemas of the supported subset."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def any_kind(self, levels):
        kinds = [self.text, self.integer, self.choice, lambda _: {"type": "boolean"},
                 lambda _: {"type": ["number", "null"]}]
        if levels > 0:
            kinds += [self.object, self.object, self.array, self.either]
        return self.chance.choice(kinds)(levels)

    def text(self, _):
        if self.chance.random() < 0.3:
            return {"type": "string", "format": self.chance.choice(["date", "uuid"])}
        least = self.chance.randrange(4)
        return {"type": "string", "minLength": least, "maxLength": least + self.chance.randrange(12)}

    def integer(self, _):
        low, high = sorted(self.chance.randrange(-500, 100_000) for _ in range(2))
        return {"type": "integer", "minimum": low, "exclusiveMaximum": high + 1}

    def choice(self, _):
        return {"enum": self.chance.sample(["red", "rose", "röd", 1, 12, None, True, ["a"]], 3)}

    def array(self, levels):
        least = self.chance.randrange(3)
        return {"type": "array", "items": self.any_kind(levels - 1), "minItems": least,
                "maxItems": least + self.chance.randrange(3)}

    def object(self, levels):
        properties = {name: self.any_kind(levels - 1)
                      for name in self.chance.sample("abcdefgh", self.chance.randrange(1, 5))}
        required = [name for name in properties if self.chance.random() < 0.7]
        return {"type": "object", "properties": properties, "required": required,
                "additionalProperties": False}

    def either(self, levels):
        return {"anyOf": [self.any_kind(levels - 1), self.any_kind(levels - 1)]}


def check(text, schema):
    value = json.loads(text)
    jsonschema.Draft202012Validator(schema, format_checker=FORMATS).validate(value)
    assert json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text or "." in text, text
    return value


def test_every_answer_is_valid_or_cut(ana):
    schemas = Schemas(15)
    complete = 0
    for seed in range(10):
        schema = schemas.object(3)
        run = ana.ask("Make something up.", temperature=2, seed=seed, max_output_tokens=80,
                      response_format={"type": "json_schema", "schema": schema})
        if run["message"]["stop_reason"] == "max_tokens":
            assert run["output"] is None
            continue
        assert run["message"]["stop_reason"] == "end_turn"
        assert check(text_of(run["message"]), schema) == run["output"]
        complete += 1
    assert complete >= 4, complete


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
