"""Answers in a format are judged as other implementations of JSON Schema judge them, jsonschema and ajv; in `make
reference` with 10,000 values. The scripted model repeats a value, which is refused if it does not match; without one it
writes the smallest value."""
import json
import os

import httpx
import pytest

import ajv
import chats
import program
from schemas import Schemas, Values, judge

pytestmark = program.once

SCHEMAS, VALUES = (1000, 10) if os.environ.get("PARLEY_REFERENCE") == "full" else (30, 10)


def answer(client, schema, said):
    """The text; None if it does not match."""
    response = client.post("/chat/completions", json={
        "model": "scripted", "messages": [{"role": "user", "content": said}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "made", "schema": schema}}})
    if response.status_code == 200:
        return response.json()["choices"][0]["message"]["content"]
    assert response.status_code == 502, (schema, said, response.text)
    assert response.json()["error"]["code"] == "invalid_output", response.text
    return None


@pytest.fixture(name="judged", scope="module")
def what_the_server_says():
    """For each schema: its smallest value, and (value, whether it was taken), all as JSON."""
    schemas, values, judged = Schemas(2020), Values(12), []
    with chats.house({"limits.chat": 20_000, "limits.general": 20_000}) as house:
        fields = {"Authorization": f"Bearer {chats.somebody(house, 'ana').token}"}
        with httpx.Client(base_url=house.server.url("/v1"), headers=fields, timeout=program.PATIENCE) as client:
            for _ in range(SCHEMAS):
                schema = schemas.object(3)
                texts = [json.dumps(values.of(schema), ensure_ascii=False) for _ in range(VALUES)]
                judged.append((schema, answer(client, schema, "hi"), [
                    (text, answer(client, schema, "{invalid_output}" + text) is not None) for text in texts]))
    return judged


def test_verdicts_are_those_of_jsonschema(judged):
    taken = 0
    for schema, smallest, told in judged:
        judges = judge(schema)
        judges.validate(json.loads(smallest))
        for text, is_taken in told:
            assert judges.is_valid(json.loads(text)) == is_taken, (schema, text)
            taken += is_taken
    assert 0.2 < taken / (SCHEMAS * VALUES) < 0.8, "one of the verdicts is rare"


def test_verdicts_are_those_of_ajv(judged, tmp_path):
    verdicts = ajv.verdicts(tmp_path, [[schema, smallest, *(text for text, _ in told)] for schema, smallest, told in judged])
    for (schema, smallest, told), (of_smallest, *others) in zip(judged, verdicts, strict=True):
        assert of_smallest, (schema, smallest)
        for (text, is_taken), verdict in zip(told, others, strict=True):
            assert verdict == is_taken, (schema, text)
