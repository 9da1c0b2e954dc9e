"""No change of /v1 breaks a client of a release; and the check would detect such a change.

RELEASED names each release by its tag, with the SHA-256 of its docs/openapi.json; a line is added with each
release. The document itself is read from the repository's history."""
import copy
import hashlib
import json
import subprocess

import pytest

import compatibility
import program

pytestmark = program.once

# 0.1 was never released: the check begins with 0.2.
RELEASED = {}


def document():
    return json.loads((program.ROOT / "docs/openapi.json").read_text("utf-8"))


def released(tag, digest):
    shown = subprocess.run(["git", "-C", program.ROOT, "show", f"{tag}:docs/openapi.json"],
                           capture_output=True, check=False)
    if shown.returncode != 0:
        pytest.skip(f"the history does not reach back to {tag}: {shown.stderr.decode().strip()}")
    assert hashlib.sha256(shown.stdout).hexdigest() == digest, f"{tag} is another document"
    return json.loads(shown.stdout)


def test_nothing_breaks_a_client_of_a_release():
    for tag, digest in RELEASED.items():
        assert compatibility.breaking(released(tag, digest), document()) == [], tag


QUERY, SESSIONS = "/v1/api/chat/query", "/v1/api/chat/sessions"


def schemas(changed):
    return changed["components"]["schemas"]


def drop_path(changed):
    del changed["paths"][QUERY]


def drop_method(changed):
    del changed["paths"][SESSIONS]["post"]


def rename_operation(changed):
    changed["paths"][QUERY]["post"]["operationId"] = "ask"


def drop_parameter(changed):
    parameters = changed["paths"][SESSIONS]["get"]["parameters"]
    parameters[:] = [each for each in parameters if each["name"] != "q"]


def require_parameter(changed):
    changed["paths"][SESSIONS]["get"]["parameters"][0]["required"] = True


def add_required_parameter(changed):
    changed["paths"][SESSIONS]["get"]["parameters"].append(
        {"name": "new", "in": "query", "required": True, "schema": {"type": "string"}})


def ask_for_more_scopes(changed):
    changed["paths"][SESSIONS]["get"]["security"] = [{"bearer": ["admin"]}]


def drop_request_field(changed):
    del schemas(changed)["Query"]["properties"]["seed"]


def require_request_field(changed):
    schemas(changed)["Query"]["required"] = ["model"]


def narrow_request(changed):
    schemas(changed)["Query"]["properties"]["seed"]["maximum"] = 10


def take_fewer_types(changed):
    schemas(changed)["Query"]["properties"]["seed"]["type"] = "integer"


def drop_answer_field(changed):
    del schemas(changed)["ChatRun"]["properties"]["usage"]


def leave_out_answer_field(changed):
    schemas(changed)["ChatRun"]["required"].remove("usage")


def answer_null(changed):
    schemas(changed)["ChatSession"]["properties"]["title"]["type"] = ["string", "null"]


def answer_other_type(changed):
    schemas(changed)["Usage"]["properties"]["input_tokens"]["type"] = "string"


def drop_choice(changed):
    schemas(changed)["ChatRun"]["properties"]["status"]["enum"].remove("interrupted")


def drop_event(changed):
    schemas(changed)["RunStreamEvent"]["oneOf"].pop()


def drop_event_field(changed):
    del schemas(changed)["MessageDeltaEvent"]["properties"]["delta"]


def drop_status(changed):
    del changed["paths"][QUERY]["post"]["responses"]["202"]


def drop_header_field(changed):
    del changed["paths"][SESSIONS]["get"]["responses"]["200"]["headers"]["Link"]


def drop_media_type(changed):
    del changed["paths"][QUERY]["post"]["responses"]["200"]["content"]["text/event-stream"]


@pytest.mark.parametrize("change", [
    drop_path, drop_method, rename_operation, drop_parameter, require_parameter,
    add_required_parameter, ask_for_more_scopes, drop_request_field, require_request_field,
    narrow_request, take_fewer_types, drop_answer_field, leave_out_answer_field, answer_null,
    answer_other_type, drop_choice, drop_event, drop_event_field, drop_status, drop_header_field,
    drop_media_type])
def test_a_breaking_change_is_noticed(change):
    old = document()
    new = copy.deepcopy(old)
    change(new)
    assert compatibility.breaking(old, new)


def add_path(changed):
    changed["paths"]["/v1/api/new"] = copy.deepcopy(changed["paths"][QUERY])


def add_optional_parameter(changed):
    changed["paths"][SESSIONS]["get"]["parameters"].append(
        {"name": "new", "in": "query", "schema": {"type": "string"}})


def add_request_field(changed):
    schemas(changed)["Query"]["properties"]["new"] = {"type": "string"}


def widen_request(changed):
    schemas(changed)["Query"]["properties"]["seed"]["maximum"] *= 2


def add_answer_field(changed):
    schemas(changed)["ChatRun"]["properties"]["new"] = {"type": "string"}
    schemas(changed)["ChatRun"]["required"].append("new")


def add_choice(changed):
    schemas(changed)["ChatRun"]["properties"]["status"]["enum"].append("paused")


def change_words(changed):
    schemas(changed)["ChatRun"]["description"] = "Something else."


def drop_what_is_outside(changed):
    del changed["paths"]["/healthz"]


@pytest.mark.parametrize("change", [
    add_path, add_optional_parameter, add_request_field, widen_request, add_answer_field,
    add_choice, change_words, drop_what_is_outside])
def test_an_addition_is_let_through(change):
    old = document()
    new = copy.deepcopy(old)
    change(new)
    assert compatibility.breaking(old, new) == []
