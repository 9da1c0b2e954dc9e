"""Every example of the document is sent to a real server, and the response matches the document: its status,
its fields, its schema."""
import base64
import hashlib
import hmac
import json
import re

import httpx
import jsonschema
import pytest

import bert
import program
import providers
import totp
import upstreams

DOCUMENT = json.loads((program.ROOT / "docs/openapi.json").read_text("utf-8"))
OPERATOR_PASSWORD = "an entirely different sentence"

# Order of examples that depend on others: the user of the examples, and her password.
FIRST = ["setUp", "createUser", "logIn"]
LAST = ["changePassword", "deleteUser"]
OF_SECOND_FACTORS = ["enrolSecondFactor", "confirmSecondFactor", "renewRecoveryCodes", "disableSecondFactor"]


def operations():
    found = [(method, path, about) for path, methods in DOCUMENT["paths"].items()
             for method, about in methods.items()]

    def place(each):
        name = each[2]["operationId"]
        return (FIRST.index(name) - len(FIRST) if name in FIRST else
                LAST.index(name) + 1 if name in LAST else 0)
    return sorted(found, key=place)


class World:
    """A server, and objects for the paths of examples."""

    def __init__(self, server, provider):
        self.server = server
        self.provider = provider
        self.client = httpx.Client(base_url=server.url(), timeout=60)
        self.client_token = (server.data / "client-token").read_text("utf-8").strip()
        self.operator = None
        self.user = None
        self.hook = None  # The hook of the newest automation that has one.
        self.person = None  # The login of a user whose second factor changes.

    def ask(self, method, path, token=None, **options):
        answer = self.client.request(method, "/v1/api" + path, headers={
            "Authorization": "Bearer " + (token or self.operator)}, **options)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def new_user(self):
        name = f"user{len(self.ask('GET', '/users?limit=100')['data'])}"
        return self.ask("POST", "/users", json={"username": name, "password": OPERATOR_PASSWORD})

    def new_person(self):
        self.person = self.login(self.new_user()["username"], OPERATOR_PASSWORD)

    def new_key(self):
        """An authenticator app for a new user, not yet confirmed."""
        self.new_person()
        return totp.App(self.ask("POST", "/me/totp", self.person["access_token"],
                                 json={"password": OPERATOR_PASSWORD})["secret"])

    def new_recovery_code(self):
        """A recovery code of a new user with a second factor."""
        app = self.new_key()
        return self.ask("POST", "/me/totp/confirm", self.person["access_token"],
                        json={"code": app.code()})["recovery_codes"][0]

    def value_of(self, name, path):
        """The id of an existing object, for a {name} in a path."""
        if name in ("model", "code", "guide"):
            return {"model": "scripted", "code": "not_found", "guide": "first-call"}[name]
        if name == "file":
            scripts = re.findall(r"app/([\w.-]+\.js)", self.client.get("/").text)
            return scripts[0] if scripts else pytest.skip("built without the web app")
        if name == "hook" or "/hook/" in path:
            made = self.ask("POST", "/automations", json={
                "name": "Test", "message": "Hi", "model": "scripted", "trigger": {
                    "type": "hook", "verify": "token" if path.startswith("/v1/") else "github"}})
            self.hook = made["hook"]
            return made["id"] if name == "automation" else self.hook["id"]
        if name == "run" and "/hooks/" in path:
            return self.ask("POST", f"/hooks/{self.hook['id']}", self.hook["secret"], json={})["id"]
        if name == "automation" or "automation_runs" in path:
            made = self.ask("POST", "/automations", json={"name": "Test", "message": "Hi", "model": "scripted"})
            if name == "automation":
                return made["id"]
            model = "{error:upstream_error}" if "retry" in path else "Hi"
            self.ask("PATCH", f"/automations/{made['id']}", json={"message": model, "retry": {"max_attempts": 1}})
            answer = self.client.post(f"/v1/api/automations/{made['id']}/runs", json={}, headers={
                "Authorization": "Bearer " + self.operator, "Prefer": "wait=30"})
            assert answer.is_success, answer.text
            return answer.json()["id"]
        if name in ("webhook", "delivery"):
            webhooks = self.ask("GET", "/webhooks")["data"]
            for other in webhooks[4:]:
                self.ask("DELETE", f"/webhooks/{other['id']}")
            if name == "webhook":
                return self.ask("POST", "/webhooks", json={
                    "url": "https://webhook.invalid/", "event_types": ["chat.*"]})["id"]
            return self.ask("POST", f"/webhooks/{webhooks[0]['id']}/test")["id"]
        if name == "session":
            return self.ask("POST", "/chat/sessions", json={})["id"]
        if name == "sha256":
            gif = "data:image/gif;base64," + base64.b64encode(b"GIF89a").decode()
            run = self.ask("POST", "/chat/query", json={"message": [{"type": "image", "url": gif}], "model": "ok"})
            return run["user_message"]["content"][0]["sha256"]
        if name in ("run", "message", "response"):
            run = self.ask("POST", "/chat/query", json={"message": "Hi", "model": "scripted"})
            return {"run": run["id"], "message": run["message"]["id"],
                    "response": "resp_" + run["id"].removeprefix("run_")}[name]
        if name == "event":
            return self.ask("POST", "/audit", json={"note": "A note"})["id"]
        if name == "user" and path.endswith("/totp"):
            self.new_recovery_code()
            return self.person["user"]["id"]
        if name == "user":
            self.user = self.new_user()["id"]
            return self.user
        where = "/client-tokens" if "client" in path else (
            f"/users/{self.user}/tokens" if "users" in path else "/tokens")
        return self.ask("POST", where, json={"name": "made for a test"})["id"]

    def login(self, username="ana", password="correct horse battery staple"):
        return self.ask("POST", "/auth/login", self.client_token,
                        json={"username": username, "password": password})

    def token_for(self, name):
        if name in ("setUp", "logIn", "refreshLogin", "acceptInvitation", "resetPassword", "beginProviderLogin",
                    "finishProviderLogin"):
            return self.client_token
        if name in OF_SECOND_FACTORS:
            return self.person["access_token"]
        if name in ("logOut", "changePassword"):
            return self.login()["access_token"]
        if name in ("getTestClock", "setTestClock"):
            return self.ask("POST", "/tokens", json={"name": "rehearsal", "test": True, "scopes": [
                "automation:read", "automation:write"]})["token"]
        return self.operator

    def headers_for(self, about, body):
        """The headers that identify the caller."""
        if not about["security"]:
            return {}
        if "hook_token" in about["security"][0]:
            return {"Authorization": "Bearer " + self.hook["secret"]}
        if "bearer" in about["security"][0]:
            return {"Authorization": "Bearer " + self.token_for(about["operationId"])}
        signed = hmac.new(self.hook["secret"].encode(), body, hashlib.sha256)
        return {"X-Hub-Signature-256": "sha256=" + signed.hexdigest()}

    def body_for(self, name, body):
        """Replaces values that an example cannot know in advance."""
        if name == "setUp":
            link = (self.server.data / "setup-link").read_text("utf-8")
            return {**body, "setup_code": re.search(r"setup=([^\s&]+)", link)[1],
                    "username": "olga", "password": OPERATOR_PASSWORD}
        if name == "acceptInvitation":
            invited = self.ask("POST", f"/users/{self.new_user()['id']}/invite")
            return {**body, "code": invited["invitation"]["url"].partition("#invite=")[2]}
        if name == "resetPassword":
            made = self.ask("POST", f"/users/{self.new_user()['id']}/reset-link")
            return {**body, "reset_code": made["url"].partition("#reset=")[2]}
        if name == "finishProviderLogin":
            begun = self.ask("POST", "/auth/oidc/begin", self.client_token)
            return {**body, **self.provider.visit(begun["url"], "1"), "attempt": begun["attempt"]}
        if name == "enrolSecondFactor":
            self.new_person()
            return {"password": OPERATOR_PASSWORD}
        if name == "confirmSecondFactor":
            return {"code": self.new_key().code()}
        if name in OF_SECOND_FACTORS:
            return {"password": OPERATOR_PASSWORD, "code": self.new_recovery_code()}
        if name == "refreshLogin":
            return {**body, "refresh_token": self.login()["refresh_token"]}
        if name == "changePassword":
            return {"current_password": body["new_password"],
                    "new_password": body["current_password"]}
        if name == "createEmbedding":
            return {**body, "dimensions": 16}  # The model of this test has 32.
        return body


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    embedding_model = tmp_path_factory.mktemp("models") / "tiny.gguf"
    bert.tiny(embedding_model)
    with upstreams.mock() as mock, providers.provider() as provider:
        provider.put("1", preferred_username="hugo")
        seeing_model = upstreams.settings_of(mock, upstreams.write_key(tmp_path_factory.mktemp("keys")), "ok")
        started = program.Program(settings={"limits.chat": 5000, "limits.auth": 5000, "limits.general": 5000,
                                            "models.all-minilm-l6-v2.path": embedding_model, **seeing_model,
                                            **provider.settings()})
        yield World(started, provider)
        started.stop()


def matches(answer, about):
    """The response is one that the operation describes."""
    told = about["responses"][str(answer.status_code)]
    for name in ("X-Request-Id", *(["RateLimit"] if "x-limit-class" in about else [])):
        assert name in told["headers"] and name in answer.headers
    for name in DOCUMENT["components"]["headers"].keys() - {"Cache-Control", "Vary"}:
        assert name not in answer.headers or name in told["headers"], f"{name} is not told of"
    if "content" not in told:
        assert answer.content == b""
        return
    media_type = answer.headers["Content-Type"].split(";")[0]
    schema = {**told["content"][media_type]["schema"], "components": DOCUMENT["components"]}
    if media_type == "application/json":
        jsonschema.Draft202012Validator(schema).validate(answer.json())


@pytest.mark.parametrize("method, path, about",
                         [pytest.param(*each, id=each[2]["operationId"]) for each in operations()])
def test_example(world, method, path, about):
    name = about["operationId"]
    content = about.get("requestBody", {}).get("content", {}).get("application/json", {})
    where = re.sub(r"{(\w+)}", lambda found: world.value_of(found[1], path), path)
    query = {each["name"]: each["example"] for each in about.get("parameters", [])
             if each["in"] == "query" and each.get("required")}
    body = json.dumps(world.body_for(name, content["examples"]["typical"]["value"])).encode() if content else b""
    headers = {"Content-Type": "application/json"} if content else {}
    answer = world.client.request(method.upper(), where, params=query, content=body,
                                  headers=headers | world.headers_for(about, body))
    assert answer.is_success, answer.text
    matches(answer, about)
    if name == "setUp":
        world.operator = world.login("olga", OPERATOR_PASSWORD)["access_token"]


def test_the_examples_of_answers_fit_their_schemas():
    shown = 0
    for _, _, about in operations():
        for answer in about["responses"].values():
            for content in answer.get("content", {}).values():
                if "example" in content:
                    schema = {**content["schema"], "components": DOCUMENT["components"]}
                    jsonschema.Draft202012Validator(schema).validate(content["example"])
                    shown += 1
    assert shown > 30


def test_the_examples_of_problems_fit_their_schema():
    schema = {**DOCUMENT["components"]["schemas"]["Problem"],
              "components": DOCUMENT["components"]}
    for code, example in DOCUMENT["components"]["examples"].items():
        jsonschema.Draft202012Validator(schema).validate(example["value"])
        assert example["value"]["code"] == code
