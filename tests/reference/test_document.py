"""The published document: stored in docs/openapi.json, served by every server, valid, and the same in all its
forms."""
import json

import httpx
import openapi_spec_validator
import pytest
import yaml

import program

KEPT = program.ROOT / "docs/openapi.json"


def printed():
    result = program.run("openapi")
    assert result.returncode == 0 and result.stderr == ""
    return json.loads(result.stdout)


def test_the_kept_document_is_current():
    assert printed() == json.loads(KEPT.read_text("utf-8")), (
        "renew it: tools/renew_reference build/dev/parley")


@program.once
def test_the_document_is_valid():
    document = printed()
    openapi_spec_validator.validate(document)
    document["paths"]["/healthz"]["get"]["responses"] = 5
    with pytest.raises(openapi_spec_validator.validation.exceptions.OpenAPIValidationError):
        openapi_spec_validator.validate(document)


def test_yaml_says_the_same():
    result = program.run("openapi", "--yaml")
    assert result.returncode == 0 and result.stderr == ""
    assert yaml.safe_load(result.stdout) == printed()


def test_a_server_gives_it_out_with_its_address_and_contact(start):
    server = start(settings={"server.public_url": "https://chat.example.org",
                             "server.contact": "mailto:ops@example.org"})
    for path, read in (("/openapi.json", json.loads), ("/openapi.yaml", yaml.safe_load)):
        answer = httpx.get(server.url(path))
        document = read(answer.text)
        assert document["servers"][0]["url"] == "https://chat.example.org"
        assert document["info"]["contact"]["email"] == "ops@example.org"
        assert document["paths"] == printed()["paths"]
        again = httpx.get(server.url(path), headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304 and again.content == b""
        assert httpx.head(server.url(path)).headers["ETag"] == answer.headers["ETag"]


def schemas_taken_in(document):
    """Every schema of a request body or parameter, with its place."""
    def walk(where, schema):
        while "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].split("/")[-1]]
        yield where, schema
        for name, inner in schema.get("properties", {}).items():
            yield from walk(f"{where}.{name}", inner)
        for inner in [schema.get("items"), schema.get("additionalProperties"),
                      *schema.get("oneOf", [])]:
            if isinstance(inner, dict):
                yield from walk(where + "[]", inner)
    for methods in document["paths"].values():
        for about in methods.values():
            name = about["operationId"]
            if name in ("createChatCompletion", "createResponse", "createEmbedding"):  # Lenient, as OpenAI's clients expect.
                continue
            for content in about.get("requestBody", {}).get("content", {}).values():
                yield from walk(name, content["schema"])
            for parameter in about.get("parameters", []):
                if parameter["in"] == "query":
                    yield from walk(f"{name}?{parameter['name']}", parameter["schema"])


@program.once
def test_everything_that_is_taken_in_has_limits():
    for where, schema in schemas_taken_in(printed()):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if "string" in types and where not in NO_LIMIT_NEEDED:
            assert {"maxLength", "enum", "pattern", "format"} & set(schema), where
        if "array" in types:
            assert "maxItems" in schema, where
        if {"integer", "number"} & set(types):
            assert "maximum" in schema and {"minimum", "exclusiveMinimum"} & set(schema), where
        if types == ["object"] and "properties" in schema:
            assert schema["additionalProperties"] is False, where
        elif types == ["object"] and where not in NO_LIMIT_NEEDED:
            assert "maxProperties" in schema, where


# The first must be a number, and is read as one; the texts of a message have a common limit, and its images that of
# the body; the fields of a call to a hook are those of its sender, within the limit of the body.
NO_LIMIT_NEEDED = {"followRun?after", "queryChat.message[][].text", "queryChat.message[][].url", "callHook",
                   "callSignedHook"}
