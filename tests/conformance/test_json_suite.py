"""JSONTestSuite as request bodies to the real program, if the suite is in shared/suites beside the
repository. Invalid JSON gets an error that says so, as a problem or in OpenAI's format; valid JSON is
refused only for its content; nothing is stored."""
import pytest

import chats
import program
import wire

# The API refuses duplicate keys; the suite accepts them.
REFUSED_ALTHOUGH_VALID = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


def suite():
    for folder in (program.ROOT, *program.ROOT.parents):
        files = sorted((folder / "shared/suites/json-parsing").glob("*.json"))
        if files:
            return files
    return []


FILES = suite()
pytestmark = pytest.mark.skipif(not FILES, reason="shared/suites is not here")


@pytest.fixture(name="ana")
def somebody():
    with chats.house() as house:
        yield chats.somebody(house, "ana")


def post(person, path, body):
    with wire.Connection(person.house.server.address, timeout=program.PATIENCE) as connection:
        return connection.ask("POST", path, {"Authorization": f"Bearer {person.token}",
                                             "Content-Type": "application/json"}, body)


def code_of(answer):
    body = answer.json()
    return body["code"] if "code" in body else body["error"]["code"]


@pytest.mark.parametrize("path", ["/v1/api/chat/query", "/v1/api/chat/sessions",
                                  "/v1/chat/completions"])
def test_every_file_as_a_body(ana, path):
    for file in FILES:
        answer = post(ana, path, file.read_bytes())
        is_json = file.name.startswith("y_") and file.name not in REFUSED_ALTHOUGH_VALID
        if file.name.startswith("n_") or file.name in REFUSED_ALTHOUGH_VALID:
            assert answer.status == 400 and code_of(answer) == "invalid_json", file.name
        elif is_json and answer.status >= 300:
            assert code_of(answer) != "invalid_json", file.name
        assert answer.status < 500, file.name
    if path != "/v1/api/chat/sessions":  # There, "{}" is a valid request.
        assert ana.get("/chat/sessions")["data"] == []


def test_the_suite_is_whole():
    assert len(FILES) > 300
