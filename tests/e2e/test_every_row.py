"""Every row of the route table, called with every kind of token and every spelling of its path: access and
cost depend on nothing else."""
import re

import pytest

import completions
import people
import program
import rows
import wire

LIMITS = {"limits.chat": 5000, "limits.auth": 5000, "limits.general": 100_000}
SCOPES = ("chat:read", "chat:write", "account", "automation:read", "automation:write", "admin")
# Rows with further checks of the token, which may refuse a valid one, too.
LOOKS_FURTHER = {"POST /v1/api/tokens", "POST /v1/api/auth/logout", "GET /v1/api/events",
                 "POST /v1/api/automations", "PATCH /v1/api/automations/x", "POST /v1/api/webhooks",
                 "POST /v1/api/automations/x/hook/rotate", "POST /v1/api/automations/x/runs",
                 "POST /v1/api/automation_runs/x/retry", "GET /v1/api/test_clock", "PUT /v1/api/test_clock"}
# Differ from request to request; of all others a response has the same ones.
OF_EACH_REQUEST = {"date", "x-request-id", "content-length"}
SAME_VALUES = ("cache-control", "x-content-type-options", "www-authenticate", "content-type")


@pytest.fixture(scope="module")
def house():
    with people.house(settings=LIMITS) as opened:
        yield opened


class Caller:
    """One connection that is opened again after the server closes it."""

    def __init__(self, server):
        self.server = server
        self.connection = None

    def ask(self, method, path, token=None, body=b""):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        if body:
            fields["Content-Type"] = "application/json"
        if not self.connection:
            self.connection = wire.Connection(self.server.address, timeout=program.PATIENCE)
        response = self.connection.ask(method, path, fields, body)
        if response.closes:
            self.connection.close()
            self.connection = None
        return response


def class_of(response):
    """The class that the response names; None if it names none."""
    policy = response.header("ratelimit-policy")
    fields = ("ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
    assert all((response.header(name) is None) == (policy is None) for name in fields)
    return policy and policy.split('"')[1]


def tokens(house):
    """(description, token, scopes, whether it has a user), one for each kind and scope."""
    login = house.login("olga")
    hooked = house.ask("POST", "/automations", login["access_token"],
                       {"name": "x", "message": "y", "trigger": {"type": "hook"}}).json()
    yield "none", None, None, False
    yield "garbage", "plp_nonsense", None, False
    yield "invented", people.invented_token(), None, False
    yield "refresh", login["refresh_token"], None, False
    yield "client", house.client_token, {"auth:login"}, False
    yield "command line", house.command_line, {"admin"}, False
    for scope in SCOPES:
        made = house.make_token(house.admin, scopes=[scope])
        yield f"personal {scope}", made["token"], {scope}, True
    for scope in SCOPES[:5]:
        made = house.make_token(house.admin, scopes=[scope], test=True)
        yield f"test {scope}", made["token"], {scope}, True
    yield "login", login["access_token"], set(SCOPES), True
    yield "hook", hooked["hook"]["secret"], None, False


def fields_of(response, values=SAME_VALUES):
    """What a response tells besides its body: the names of its fields, and the values of some."""
    names = sorted(name for name, _ in response.fields if name not in OF_EACH_REQUEST)
    return names, {name: response.all(name) for name in values}


def needs_scope(row):
    """A row without a scope of its own that needs a user: no scope but those of users helps."""
    return row.needs if row.needs in SCOPES else "account"


def check_required_scope(row, scopes, response, told):
    """Who is refused for a scope is told which one, in the body and the challenge, and does not have it."""
    challenge = response.header("www-authenticate")
    assert challenge.startswith(people.CHALLENGE + ', error="insufficient_scope"'), told
    named = re.findall(r', scope="([a-z:]+)"', challenge)
    problem = response.json()
    if "error" not in problem:  # OpenAI's errors have no field for it.
        assert named == [problem[name] for name in ("required_scope",) if name in problem], told
    for scope in named:
        assert scope not in scopes, told
        assert scope == needs_scope(row) or row.name in LOOKS_FURTHER, told
    return named


def check(row, body, kind, scopes, has_user, response):
    told = f"{row.name}, {kind}: {response.status} {response.body[:300]}"
    assert response.status < 500, told
    needs_user = row.needs not in ("any", "admin")
    if row.needs == "nothing":
        assert response.status not in (401, 403) and class_of(response) is None, told
        return
    if row.needs == "hook":
        # Signed calls are examined after their body, and no token counts for them.
        ways = (401, 415) if row.path.startswith("/hooks/") else (401,)
        assert response.status in ways and class_of(response) == "general", told
        return
    if scopes is None:
        assert response.status == 401, told
    elif (needs_user and not has_user) or (row.needs in SCOPES and row.needs not in scopes):
        assert response.status == 403, told
        named = check_required_scope(row, scopes, response, told)
        # The command line has all scopes; a user is all that it lacks.
        lacks_scope = kind != "command line" and needs_scope(row) not in scopes
        assert named == [needs_scope(row)] * lacks_scope, told
    else:
        assert response.status != 401, told
        assert response.status != 403 or row.name in LOOKS_FURTHER, told
        if response.status == 403:
            check_required_scope(row, scopes, response, told)
    if kind == "command line":
        expected = None
    elif scopes is None or (not has_user and row.limit_class != "auth"):
        expected = "general"
    elif response.status != 403 and row.method == "POST" and row.limit_class == "chat":
        expected = "chat" if body == b"{}" else "general"  # A body that cannot be read.
    else:
        expected = row.limit_class
    assert class_of(response) == expected, told


def test_every_row_with_every_kind_of_token(house):
    table = sorted(rows.of(house.server), key=lambda row: "logout" in row.path)
    assert len(table) > 40
    caller = Caller(house.server)
    before = len(house.server.log.entries(level="error"))
    for kind, token, scopes, has_user in tokens(house):
        for row in table:
            bodies = [b""] if row.method in ("GET", "DELETE") else [b"", b"{}", b"["]
            if row.path.endswith(("/backups", "/logout")):
                bodies = bodies[:1]
            for body in bodies:
                answer = caller.ask(row.method, row.path, token, body)
                check(row, body, kind, scopes, has_user, answer)
    assert len(house.server.log.entries(level="error")) == before


def spellings(path):
    """The spellings of a path: each letter escaped and in the other case, every slash doubled, escaped, or
    beside something that other programs ignore."""
    yield "".join(c if c == "/" else f"%{ord(c):02x}" for c in path)
    for end in ("/", "//", ";", ";x=y", "%00", "%2F", "/.", "/..", "%"):
        yield path + end
    for at, letter in enumerate(path):
        if letter == "/":
            others = ("//", "/./", "/../", "/%2e/", "/x/../", ";/", "%00/", "%2F", "%5c")
        else:
            others = (f"%{ord(letter):02X}", letter.swapcase())
        for other in others:
            if other != letter:
                yield path[:at] + other + path[at + 1:]


def test_every_spelling_of_every_row(house):
    """With a token without write access, and without a token. What answers as the row does also has its
    fields: none is added or lost on the way to it."""
    token = house.token_for(house.add("una"), scopes=["chat:read", "account"])["token"]
    caller = Caller(house.server)
    nothing_here = (400, 404, 405)  # 405: x%2Fcancel is a valid id.
    for row in rows.of(house.server):
        if row.needs == "nothing":
            continue
        usual, unknown = caller.ask(row.method, row.path, token), caller.ask(row.method, row.path)
        for spelling in spellings(row.path):
            answer = caller.ask(row.method, spelling, token)
            assert answer.status in nothing_here or (
                answer.status == usual.status and class_of(answer) == class_of(usual)), spelling
            is_it = answer.status not in nothing_here
            assert not is_it or fields_of(answer) == fields_of(usual), spelling
            answer = caller.ask(row.method, spelling)
            refusals = (401, 415) if row.path.startswith("/hooks/") else (401,)  # It has no body.
            assert answer.status in nothing_here or (
                answer.status in refusals and class_of(answer) == "general"), spelling
            # Beside /v1/api/ the same error has OpenAI's form, whatever is there.
            same = SAME_VALUES if is_it else SAME_VALUES[:-1]
            assert answer.status in nothing_here or fields_of(answer, same) == fields_of(unknown, same), spelling


def test_no_spelling_of_login_is_free():
    with people.house(settings={"limits.auth": 10}) as house:
        for path in ("/v1/api/auth/login", "/%761/api/auth/login", "/v%31/api/auth/login",
                     "/%76%31/%61%70%69/auth/login"):
            for _ in range(10):
                answer = Caller(house.server).ask("POST", path, house.client_token, b"{}")
        assert answer.status == 429 and class_of(answer) == "auth"


def test_unknown_paths_have_the_shape_of_their_clients(house):
    caller = Caller(house.server)
    for path in ("/v1/embeddings/x", "/v1", "/v1/", "/%761/responses/x/y"):
        error = caller.ask("GET", path, house.admin).json()["error"]
        assert set(error) == {"message", "type", "param", "code"} and error["code"] == "not_found"
    unknown = caller.ask("BREW", "/v1/chat/completions", house.admin)
    assert unknown.status == 501 and unknown.json()["error"]["code"] == "not_implemented"
    for path in ("/v1/api/nothing", "/v1/api", "/nothing"):
        people.refused(caller.ask("GET", path, house.admin), 404, "not_found")


def test_unknown_parameters_are_refused_under_v1_alone(house):
    caller = Caller(house.server)
    for path in ("/", "/docs", "/healthz", "/readyz", "/openapi.json", "/problems"):
        assert caller.ask("GET", path + "?utm_source=x&y").status == 200, path
    assert caller.ask("GET", "/v1/models?foo=1", house.admin).status == 200
    assert caller.ask("GET", "/v1/models/scripted?foo=1", house.admin).status == 200
    assert caller.ask("GET", "/v1/api/me?foo=1", house.admin).status == 422


def test_a_post_that_takes_no_body_refuses_one(house):
    """Each of them, before it does or looks for anything. An operator's login has all scopes."""
    token = house.login("olga")["access_token"]
    bare = [row for row in rows.of(house.server) if row.method == "POST" and not row.takes_body]
    assert len(bare) >= 10
    for row in bare:
        answer = Caller(house.server).ask("POST", row.path, token, b"{}")
        if row.path.startswith("/v1/api/"):
            assert people.faults(answer) == [("#", "not_allowed")], row.name
        else:  # OpenAI's errors name no place for the body as a whole.
            completions.refused(answer, 400, "validation_failed", None)
    assert house.works(token), "it was not logged out"


def test_locations_lead_through_the_public_url():
    settings = {"server.public_url": "https://example.org/chat/"}
    with people.house(settings=settings) as house:
        made = house.ask("POST", "/chat/sessions", house.admin, {})
        assert made.header("location") == "/chat/v1/api/chat/sessions/" + made.json()["id"]
        house.ask("POST", "/chat/sessions", house.admin, {})
        link = house.ask("GET", "/chat/sessions?limit=1", house.admin).header("link")
        assert link.startswith("</chat/v1/api/chat/sessions?limit=1&after=")
